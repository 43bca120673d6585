//! Adding a person.

use stoa_base::{AccountId, Ambient, WorkspaceId};
use stoa_store::audit::Act;
use stoa_store::{Database, StoreError, Tx};

use crate::{Account, Email, HashingFailed, Password, PasswordHash, Role, WorkspaceName, store};

/// Who is to be added.
#[derive(Clone, Debug)]
pub struct NewAccount {
    /// The address that names the account.
    pub email: Email,
    /// What it signs in with; `None`: not by password.
    pub password: Option<Password>,
}

/// Why a person could not be added.
#[derive(Debug, thiserror::Error)]
pub enum AddAccountError {
    /// Another account has this address.
    #[error("there is an account {0} already")]
    EmailTaken(Email),
    /// The password could not be hashed.
    #[error(transparent)]
    Hashing(#[from] HashingFailed),
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Adds an account. Where the workspace `default` has no owner yet, the account becomes that; of several
/// added at once exactly one does.
///
/// # Errors
/// [`AddAccountError`]; nothing was added then.
pub async fn add(
    db: &Database,
    ambient: &Ambient,
    act: &Act,
    new: NewAccount,
) -> Result<Account, AddAccountError> {
    let hash = PasswordHash::of_any(new.password, ambient).await?;
    let account = Account {
        id: AccountId::new(ambient),
        email: new.email,
        created_at: ambient.now(),
        disabled_at: None,
    };
    let default = store::workspace::by_name(db, &WorkspaceName::of_default()).await?;
    let mut tx = db.begin().await?;
    if !store::account::insert(&mut tx, &account, hash.as_ref(), true).await? {
        return Err(AddAccountError::EmailTaken(account.email));
    }
    if let Some(default) = default {
        own_if_ownerless(&mut tx, default.id, &account).await?;
    }
    act.commit(tx).await?;
    Ok(account)
}

/// Makes the account owner of the workspace if nobody is.
async fn own_if_ownerless(tx: &mut Tx, workspace: WorkspaceId, account: &Account) -> Result<(), StoreError> {
    store::workspace::lock(tx, workspace).await?;
    if store::membership::owners(tx, workspace).await? == 0 {
        store::membership::insert(tx, workspace, account.id, Role::Owner, account.created_at).await?;
    }
    Ok(())
}
