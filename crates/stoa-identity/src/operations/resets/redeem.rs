//! Using a reset link.

use stoa_base::AccountId;
use stoa_store::StoreError;
use stoa_store::audit::Act;

use crate::operations::sessions::{Beginning, begin};
use crate::operations::throttle::{self, Limit};
use crate::store::link::Link;
use crate::{
    AuthenticatedBy, Door, Email, HashingFailed, NewSession, NotAPassword, Password, PasswordHash,
    SecretKind, TokenHash, Visit, second_factors, store,
};

/// Why nothing was reset.
#[derive(Debug, thiserror::Error)]
pub enum RedeemResetError {
    /// The link was used, has expired, was replaced, or never was one.
    #[error("this link is no longer good: ask for a new one")]
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

/// Whose link this is, to be shown beside the field for the password. `None` if it is not good.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn whose(door: &Door, secret: &str) -> Result<Option<Email>, StoreError> {
    let Some((account, _)) = good(door, secret).await? else { return Ok(None) };
    let account = store::account::by_id(&door.db, account).await?;
    Ok(account.filter(|account| account.disabled_at.is_none()).map(|account| account.email))
}

async fn good(door: &Door, secret: &str) -> Result<Option<(AccountId, TokenHash)>, StoreError> {
    let Some(hash) = TokenHash::of(SecretKind::Reset, secret) else { return Ok(None) };
    Ok(match store::link::good(&door.db, &hash, door.ambient.now()).await? {
        Some(Link::Reset { account, .. }) => Some((account, hash)),
        Some(Link::Setup) | None => None,
    })
}

/// Gives the account this password, or none (its person then adds a passkey in the session that this begins), and
/// ends all its sessions. Unless the link resets everything, the new session waits for the second factor where the
/// person asks for one.
///
/// # Errors
/// [`RedeemResetError`]; the link is as good as it was then.
pub async fn redeem(
    door: &Door,
    act: &Act,
    secret: &str,
    password: Option<&str>,
    visit: &Visit,
) -> Result<NewSession, RedeemResetError> {
    let (account, hash) = good(door, secret).await?.ok_or(RedeemResetError::NotGood)?;
    let email = whose(door, secret).await?.ok_or(RedeemResetError::NotGood)?;
    let password = password.map(|text| Password::chosen(text, &email)).transpose()?;
    let password = PasswordHash::of_any(password, &door.ambient).await?;
    let mut tx = door.db.begin().await?;
    // The account before its link, as whoever makes a link or disables the account holds them.
    store::account::hold(&mut tx, account).await?.ok_or(RedeemResetError::NotGood)?;
    let taken = store::link::take(&mut tx, &hash, door.ambient.now()).await?;
    let Some(Link::Reset { second_factor, .. }) = taken else { return Err(RedeemResetError::NotGood) };
    store::link::delete_of(&mut tx, account).await?;
    store::account::set_password(&mut tx, account, password.as_ref()).await?;
    store::session::end_all(&mut tx, account).await?;
    store::ceremony::end_all(&mut tx, account).await?;
    store::account::prove(&mut tx, account, door.ambient.now()).await?;
    if second_factor {
        store::second_factor::delete(&mut tx, account).await?;
        store::passkey::delete_all(&mut tx, account).await?;
        store::oidc_identity::delete_all(&mut tx, account).await?;
    }
    throttle::succeeded(&mut tx, &Limit::passwords(&email, visit), visit).await?;
    let needs_second_factor = second_factors::is_asked_for(&mut tx, account).await?;
    let beginning = Beginning { needs_second_factor, ..Beginning::complete(account, AuthenticatedBy::Setup) };
    let session = begin(&mut tx, door, &beginning, visit).await?;
    act.is_of(account);
    act.commit(tx).await?;
    Ok(session)
}
