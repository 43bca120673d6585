//! Signing in with a password.

use std::time::Duration;

use stoa_base::AccountId;
use stoa_store::StoreError;
use stoa_store::audit::Act;
use uuid::Uuid;

use super::verify;
use crate::operations::sessions::{Beginning, begin};
use crate::operations::throttle::{self, Limit, TryAfter};
use crate::{
    AuthenticatedBy, Door, Email, HashingFailed, NewSession, Password, PasswordHash, Visit, second_factors,
    store,
};

/// Why nobody is signed in.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// The address and what was shown don't belong together. Whether anybody has the address, has a password, or
    /// is disabled, nobody is told.
    #[error("this address and this password don't belong together")]
    Refused,
    /// Nothing waits for this: a passkey's ceremony is over, or never began. To the person it is a refusal.
    #[error("this took too long: begin again")]
    NotWaiting,
    /// Too much was tried.
    #[error("too many attempts: try again in {} s", .after.as_secs() + 1)]
    TooMany {
        /// When to come again.
        after: Duration,
    },
    /// It could not be compared, mostly as too many sign in at once.
    #[error(transparent)]
    Hashing(#[from] HashingFailed),
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<TryAfter> for SignInError {
    fn from(TryAfter(after): TryAfter) -> Self {
        Self::TooMany { after }
    }
}

/// Signs a person in with address and password. Where they ask for a second factor, the session waits for it
/// ([`NewSession::needs_second_factor`]).
///
/// Unknown addresses take the same steps as known ones: the same look-ups, the same hashing, the same counting.
///
/// # Errors
/// [`SignInError`]; there is no session then.
pub async fn sign_in(
    door: &Door,
    act: &Act,
    email: &Email,
    password: &str,
    visit: &Visit,
) -> Result<NewSession, SignInError> {
    let found = store::account::password(&door.db, email).await?;
    let (account, hash) = found.map_or((None, None), |(account, hash)| (Some(account), hash));
    admit(door, email, account, visit).await?;
    if let Some(account) = account {
        act.is_of(account);
    }
    if !verify(hash.as_ref(), password).await? {
        return Err(SignInError::Refused);
    }
    let (Some(account), Some(hash)) = (account, hash) else { return Err(SignInError::Refused) };
    let verified = Verified { account, renewed: renewed(door, &hash, password).await?, hash };
    open(door, act, email, verified, visit).await
}

/// Counts the attempt. From a network where the person is signed in already, what others try against their address
/// does not count: nobody can lock a person out of the places they are at home in.
async fn admit(
    door: &Door,
    email: &Email,
    account: Option<AccountId>,
    visit: &Visit,
) -> Result<(), SignInError> {
    let whoever = account.unwrap_or(AccountId::from_uuid(Uuid::nil()));
    let network = visit.network();
    let is_home = store::session::is_from(&door.db, whoever, &network, door.ambient.now()).await?;
    let failures = Limit::failures(visit);
    let [everywhere, here] = Limit::passwords(email, visit);
    let limits: &[Limit] = if is_home { &[failures] } else { &[everywhere, here, failures] };
    throttle::admit(door, limits).await??;
    Ok(())
}

struct Verified {
    account: AccountId,
    hash: PasswordHash,
    /// The same password, hashed as it is done now.
    renewed: Option<PasswordHash>,
}

async fn renewed(
    door: &Door,
    hash: &PasswordHash,
    password: &str,
) -> Result<Option<PasswordHash>, HashingFailed> {
    let outdated = Password::typed(password).filter(|_| hash.is_outdated());
    PasswordHash::of_any(outdated, &door.ambient).await
}

async fn open(
    door: &Door,
    act: &Act,
    email: &Email,
    verified: Verified,
    visit: &Visit,
) -> Result<NewSession, SignInError> {
    let Verified { account, hash, renewed } = verified;
    let mut tx = door.db.begin().await?;
    let held = store::account::hold(&mut tx, account).await?;
    // Changed or disabled while it was compared: what was right a moment ago is no longer.
    if held.is_none_or(|held| held.password != Some(hash)) {
        return Err(SignInError::Refused);
    }
    if renewed.is_some() {
        store::account::set_password(&mut tx, account, renewed.as_ref()).await?;
    }
    throttle::succeeded(&mut tx, &Limit::passwords(email, visit), visit).await?;
    let needs_second_factor = second_factors::is_asked_for(&mut tx, account).await?;
    let beginning =
        Beginning { needs_second_factor, ..Beginning::complete(account, AuthenticatedBy::Password) };
    let session = begin(&mut tx, door, &beginning, visit).await?;
    act.commit(tx).await?;
    Ok(session)
}
