//! Making a set-up link.

use std::time::Duration;

use stoa_base::Ambient;
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError};

use crate::store::link::Link;
use crate::{OneTimeLink, SecretKind, SecretToken, WorkspaceName, store};

/// How long the link is good.
const LIFE: Duration = Duration::from_hours(24);

/// Why there is no set-up link.
#[derive(Debug, thiserror::Error)]
pub enum SetupLinkError {
    /// Somebody lives here.
    #[error("there are accounts already: `stoa account reset EMAIL` gives one of them a new way to sign in")]
    NotEmpty,
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes the link that the owner's account is made with; the one before it is no longer good.
///
/// # Errors
/// [`SetupLinkError`]; there is no new link then.
pub async fn issue(db: &Database, ambient: &Ambient, act: &Act) -> Result<OneTimeLink, SetupLinkError> {
    let at = ambient.now();
    let link =
        OneTimeLink { secret: SecretToken::new(SecretKind::Setup, ambient), expires_at: at.plus(LIFE) };
    let default = store::workspace::by_name(db, &WorkspaceName::of_default()).await?;
    let mut tx = db.begin().await?;
    // Two at once would else both find no link to replace.
    if let Some(default) = default {
        store::workspace::lock(&mut tx, default.id).await?;
    }
    if store::account::any_within(&mut tx).await? {
        return Err(SetupLinkError::NotEmpty);
    }
    store::link::replace(&mut tx, Link::Setup, &link.secret.hash(), at, link.expires_at).await?;
    act.commit(tx).await?;
    Ok(link)
}
