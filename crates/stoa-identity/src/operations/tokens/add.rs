//! Making a personal token.

use std::time::Duration;

use stoa_base::text::one_line;
use stoa_base::{AccountId, Ambient, InstallationId};
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError};

use crate::store::token::NewRow;
use crate::{Email, Grant, Installation, MountId, SecretToken, TokenId, TokenPlace, store};

/// The longest label, in characters.
const LONGEST_LABEL: usize = 100;

/// The token that is wanted.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// Whose rights it is to use.
    pub email: Email,
    /// Where it is to be good.
    pub mount: MountId,
    /// What it is to allow. That the mount knows these scopes is the caller's to check: the services declare
    /// them.
    pub grant: Grant,
    /// How long it is to be good; `None`: until it is revoked.
    pub expires_in: Option<Duration>,
    /// What its person calls it; kept as one line of at most 100 characters.
    pub label: String,
}

/// The token that was made.
#[derive(Clone, Debug)]
pub struct AddedToken {
    /// Its id, by which it is listed and revoked.
    pub id: TokenId,
    /// The installation made with it.
    pub installation: InstallationId,
    /// Its text, which can't be had again.
    pub secret: SecretToken,
}

/// Why a token could not be made.
#[derive(Debug, thiserror::Error)]
pub enum AddTokenError {
    /// Nobody has this address.
    #[error("there is no account {0}")]
    UnknownAccount(Email),
    /// The account is disabled.
    #[error("the account {0} is disabled")]
    AccountDisabled(Email),
    /// The account does not belong to the workspace.
    #[error("{0} is not a member of this workspace")]
    NotAMember(Email),
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes a personal token, with an installation of its own.
///
/// # Errors
/// [`AddTokenError`]; nothing was made then.
pub async fn add(
    db: &Database,
    ambient: &Ambient,
    act: &Act,
    new: NewToken,
) -> Result<AddedToken, AddTokenError> {
    let account = find_account(db, &new.email).await?;
    let installation = installation(ambient, account, &new);
    let workspace = new.mount.workspace;
    let secret = SecretToken::personal(ambient);
    let row = NewRow {
        id: TokenId::new(ambient),
        place: TokenPlace { workspace, installation: installation.id },
        hash: secret.hash(),
        created_at: installation.created_at,
        expires_at: new.expires_in.map(|length| installation.created_at.plus(length)),
    };
    let mut tx = db.begin().await?;
    // A removal at the same time either sees the new installation and ends it, or is seen here.
    store::workspace::lock(&mut tx, workspace).await?;
    if store::membership::role(&mut tx, workspace, account).await?.is_none() {
        return Err(AddTokenError::NotAMember(new.email));
    }
    store::installation::insert(&mut tx, &installation).await?;
    store::token::insert_personal(&mut tx, &row).await?;
    act.commit(tx).await?;
    Ok(AddedToken { id: row.id, installation: installation.id, secret })
}

async fn find_account(db: &Database, email: &Email) -> Result<AccountId, AddTokenError> {
    let account = store::account::by_email(db, email).await?;
    let account = account.ok_or_else(|| AddTokenError::UnknownAccount(email.clone()))?;
    if account.disabled_at.is_some() {
        return Err(AddTokenError::AccountDisabled(account.email));
    }
    Ok(account.id)
}

fn installation(ambient: &Ambient, account: AccountId, new: &NewToken) -> Installation {
    Installation {
        id: InstallationId::new(ambient),
        account,
        mount: new.mount.clone(),
        grant: new.grant.clone(),
        label: one_line(&new.label, LONGEST_LABEL),
        client: None,
        created_at: ambient.now(),
        last_used_at: None,
        revoked_at: None,
    }
}
