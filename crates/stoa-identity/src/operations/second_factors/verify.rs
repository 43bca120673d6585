//! The second step of signing in with a password.

use std::time::Duration;

use stoa_base::AccountId;
use stoa_store::audit::Act;
use stoa_store::secret::SecretError;
use stoa_store::{StoreError, Tx};

use super::{codes, totp};
use crate::operations::sessions::{Beginning, begin};
use crate::operations::throttle::{self, Limit, TryAfter};
use crate::store::session::{HALF, Seen};
use crate::{Door, NewSession, SecondStep, SecretKind, TokenHash, Visit, store};

/// Why the session still waits.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The session waits for nothing: it ended, or took too long. The person begins again with the password.
    #[error("this took too long: sign in again")]
    NotWaiting,
    /// The code is wrong, or was used before.
    #[error("this code is not good, or was used before")]
    WrongCode,
    /// Too much was tried.
    #[error("too many attempts: try again in {} s", .after.as_secs() + 1)]
    TooMany {
        /// When to come again.
        after: Duration,
    },
    /// What was sealed can't be read.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<TryAfter> for VerifyError {
    fn from(TryAfter(after): TryAfter) -> Self {
        Self::TooMany { after }
    }
}

/// Takes a code of the app, or a recovery code, from a session that waits for it, and begins the session that is
/// good for everything in its place, with another cookie. (With a passkey the person simply signs in:
/// [`crate::passkeys::start_sign_in`].)
///
/// # Errors
/// [`VerifyError`]; the session waits on then, until it is over.
pub async fn verify(
    door: &Door,
    act: &Act,
    cookie: &str,
    code: &str,
    visit: &Visit,
) -> Result<NewSession, VerifyError> {
    let hash = TokenHash::of(SecretKind::Session, cookie).ok_or(VerifyError::NotWaiting)?;
    let now = door.ambient.now();
    let idle_since = now.minus(door.sessions.idle);
    let waiting = store::session::current(&door.db, &hash, HALF, now, idle_since).await?;
    let Seen { signed_in: waiting, .. } = waiting.ok_or(VerifyError::NotWaiting)?;
    let account = waiting.account;
    act.is_of(account);
    let tried = limits(account, code, visit);
    throttle::admit(door, &[tried.as_slice(), &[Limit::failures(visit)]].concat()).await??;
    let mut tx = door.db.begin().await?;
    store::account::hold(&mut tx, account).await?.ok_or(VerifyError::NotWaiting)?;
    if !store::session::end(&mut tx, account, waiting.session).await? {
        return Err(VerifyError::NotWaiting);
    }
    let step = take(&mut tx, door, account, code).await?.ok_or(VerifyError::WrongCode)?;
    throttle::succeeded(&mut tx, &tried, visit).await?;
    let beginning =
        Beginning { second_step: Some(step), ..Beginning::complete(account, waiting.authenticated_by) };
    let session = begin(&mut tx, door, &beginning, visit).await?;
    act.commit(tx).await?;
    Ok(session)
}

/// A recovery code can't be guessed: who guesses the app's codes keeps nobody from using one.
fn limits(account: AccountId, code: &str, visit: &Visit) -> Vec<Limit> {
    if codes::hash(account, code).is_some() {
        return vec![Limit::recovery_codes(account, visit)];
    }
    Limit::codes(account, visit).to_vec()
}

/// Uses the code up. `None` if it is not good.
async fn take(
    tx: &mut Tx,
    door: &Door,
    account: AccountId,
    code: &str,
) -> Result<Option<SecondStep>, VerifyError> {
    if let Some(hash) = codes::hash(account, code) {
        let taken = store::second_factor::take_code(tx, account, &hash).await?;
        return Ok(taken.then_some(SecondStep::RecoveryCode));
    }
    let row = store::second_factor::within(tx, account).await?;
    let Some(sealed) = row.and_then(|row| row.totp_secret) else { return Ok(None) };
    let Some(step) = totp::step(door, account, &sealed, code)? else { return Ok(None) };
    let taken = store::second_factor::take_step(tx, account, step).await?;
    Ok(taken.then_some(SecondStep::Totp))
}
