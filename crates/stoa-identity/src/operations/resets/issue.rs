//! Making a reset link.

use std::time::Duration;

use stoa_base::Ambient;
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError};

use crate::store::link::Link;
use crate::{Email, OneTimeLink, SecretKind, SecretToken, store};

/// How long the link is good.
const LIFE: Duration = Duration::from_hours(1);

/// How much a reset link resets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// The password. The second factor is still asked for: what a mail may do.
    Password,
    /// All by which the person signs in: the second factor, passkeys and links to OpenID providers, too. What whoever
    /// sits at the machine may do.
    Everything,
}

/// Makes the link for the account with this address; the one before it that resets as much is no longer good. `None`, and nothing
/// noted, if there is none or it is disabled; a page that mails the link answers the same then.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn issue(
    db: &Database,
    ambient: &Ambient,
    act: &Act,
    email: &Email,
    reset: Reset,
) -> Result<Option<OneTimeLink>, StoreError> {
    let Some(account) = store::account::by_email(db, email).await? else { return Ok(None) };
    let at = ambient.now();
    let link =
        OneTimeLink { secret: SecretToken::new(SecretKind::Reset, ambient), expires_at: at.plus(LIFE) };
    let kind = Link::Reset { account: account.id, second_factor: reset == Reset::Everything };
    let mut tx = db.begin().await?;
    if store::account::hold(&mut tx, account.id).await?.is_none() {
        return Ok(None);
    }
    store::link::replace(&mut tx, kind, &link.secret.hash(), at, link.expires_at).await?;
    act.is_of(account.id);
    act.commit(tx).await?;
    Ok(Some(link))
}
