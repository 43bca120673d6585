//! Making the owner's account.

use stoa_base::AccountId;
use stoa_store::StoreError;
use stoa_store::audit::Act;

use crate::operations::sessions::{Beginning, begin};
use crate::store::link::Link;
use crate::{
    Account, AuthenticatedBy, Door, Email, HashingFailed, NewSession, NotAPassword, Password, PasswordHash,
    Role, SecretKind, TokenHash, Visit, WorkspaceName, store,
};

/// Why the owner's account was not made.
#[derive(Debug, thiserror::Error)]
pub enum RedeemSetupError {
    /// The link was used, has expired, was replaced, or never was one.
    #[error("this link is no longer good: `stoa setup-link` prints a new one")]
    NotGood,
    /// The password is no good.
    #[error(transparent)]
    Password(#[from] NotAPassword),
    /// It could not be hashed.
    #[error(transparent)]
    Hashing(#[from] HashingFailed),
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes the account that owns the workspace `default`, with this password or with none (its person then adds a
/// passkey in the session that this begins).
///
/// # Errors
/// [`RedeemSetupError`]; the link is as good as it was then.
pub async fn redeem(
    door: &Door,
    act: &Act,
    secret: &str,
    email: Email,
    password: Option<&str>,
    visit: &Visit,
) -> Result<NewSession, RedeemSetupError> {
    let hash = TokenHash::of(SecretKind::Setup, secret).ok_or(RedeemSetupError::NotGood)?;
    let at = door.ambient.now();
    let good = store::link::good(&door.db, &hash, at).await?;
    // Before anything is hashed: the page is open to everybody.
    good.ok_or(RedeemSetupError::NotGood)?;
    let password = password.map(|text| Password::chosen(text, &email)).transpose()?;
    let password = PasswordHash::of_any(password, &door.ambient).await?;
    let default = store::workspace::by_name(&door.db, &WorkspaceName::of_default()).await?;
    let default = default.ok_or(RedeemSetupError::NotGood)?;
    let account = Account { id: AccountId::new(&door.ambient), email, created_at: at, disabled_at: None };
    let mut tx = door.db.begin().await?;
    store::workspace::lock(&mut tx, default.id).await?;
    let taken = store::link::take(&mut tx, &hash, at).await?;
    if taken != Some(Link::Setup) || store::account::any_within(&mut tx).await? {
        return Err(RedeemSetupError::NotGood);
    }
    store::account::insert(&mut tx, &account, password.as_ref(), true).await?;
    store::membership::insert(&mut tx, default.id, account.id, Role::Owner, at).await?;
    let beginning = Beginning::complete(account.id, AuthenticatedBy::Setup);
    let session = begin(&mut tx, door, &beginning, visit).await?;
    act.is_of(account.id);
    act.commit(tx).await?;
    Ok(session)
}
