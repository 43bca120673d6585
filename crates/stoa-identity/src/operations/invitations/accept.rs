//! Accepting an invitation.

use std::time::Duration;

use stoa_base::{AccountId, WorkspaceId};
use stoa_store::audit::Act;
use stoa_store::{StoreError, Tx};

use crate::operations::sessions::{Beginning, begin};
use crate::operations::throttle::{self, Limit, TryAfter};
use crate::{
    Account, AuthenticatedBy, Door, Email, HashingFailed, Invitation, NewSession, NotAPassword, Password,
    PasswordHash, SecretKind, SignedIn, TokenHash, Visit, store,
};

/// Why an invitation was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum AcceptError {
    /// It was accepted, withdrawn, has expired, never was one, or its inviter may no longer give that role.
    #[error("this invitation is no longer good: ask for a new one")]
    NotGood,
    /// It is for another address.
    #[error("this invitation is for another address")]
    OtherAddress,
    /// Too much was tried.
    #[error("too many attempts: try again in {} s", .after.as_secs() + 1)]
    TooMany {
        /// When to come again.
        after: Duration,
    },
    /// There is an account with this address.
    #[error("there is an account with this address: sign in to it, then open the link again")]
    EmailTaken,
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

impl From<TryAfter> for AcceptError {
    fn from(TryAfter(after): TryAfter) -> Self {
        Self::TooMany { after }
    }
}

/// Makes the person who is signed in a member, and says of which workspace. Who belongs to it already keeps their
/// role, and the invitation is used up.
///
/// # Errors
/// [`AcceptError`]; the invitation is as good as it was then.
pub async fn accept(
    door: &Door,
    act: &Act,
    secret: &str,
    who: &SignedIn,
) -> Result<WorkspaceId, AcceptError> {
    let mut tx = door.db.begin().await?;
    let invitation = take(&mut tx, door, secret, &who.email).await?;
    store::account::hold(&mut tx, who.account).await?.ok_or(AcceptError::NotGood)?;
    join(&mut tx, &invitation, who.account, door).await?;
    act.commit(tx).await?;
    Ok(invitation.workspace)
}

/// Makes an account, with this password or with none (its person then adds a passkey in the session that this
/// begins), and makes it a member.
///
/// # Errors
/// [`AcceptError`]; the invitation is as good as it was then.
pub async fn accept_as_new(
    door: &Door,
    act: &Act,
    secret: &str,
    email: Email,
    password: Option<&str>,
    visit: &Visit,
) -> Result<NewSession, AcceptError> {
    // Before anything is hashed: the page is open to everybody.
    super::offer(&door.db, &door.ambient, secret).await?.ok_or(AcceptError::NotGood)?;
    let hash = TokenHash::of(SecretKind::Invitation, secret).ok_or(AcceptError::NotGood)?;
    throttle::admit(door, &[Limit::invitation(&hash), Limit::failures(visit)]).await??;
    if store::account::by_email(&door.db, &email).await?.is_some() {
        return Err(AcceptError::EmailTaken);
    }
    let password = password.map(|text| Password::chosen(text, &email)).transpose()?;
    let password = PasswordHash::of_any(password, &door.ambient).await?;
    let created_at = door.ambient.now();
    let account = Account { id: AccountId::new(&door.ambient), email, created_at, disabled_at: None };
    let mut tx = door.db.begin().await?;
    let invitation = take(&mut tx, door, secret, &account.email).await?;
    let is_proven = invitation.email.is_some();
    if !store::account::insert(&mut tx, &account, password.as_ref(), is_proven).await? {
        return Err(AcceptError::EmailTaken);
    }
    join(&mut tx, &invitation, account.id, door).await?;
    throttle::succeeded(&mut tx, &[Limit::invitation(&hash)], visit).await?;
    let beginning = Beginning::complete(account.id, AuthenticatedBy::Setup);
    let session = begin(&mut tx, door, &beginning, visit).await?;
    act.is_of(account.id);
    act.commit(tx).await?;
    Ok(session)
}

/// Uses the invitation up, if it is good for this address.
async fn take(tx: &mut Tx, door: &Door, secret: &str, email: &Email) -> Result<Invitation, AcceptError> {
    let hash = TokenHash::of(SecretKind::Invitation, secret).ok_or(AcceptError::NotGood)?;
    let now = door.ambient.now();
    let invitation = store::invitation::take(tx, &hash, now).await?.ok_or(AcceptError::NotGood)?;
    // A removal of the inviter at the same time either is seen here or finds the new member there.
    store::workspace::lock(tx, invitation.workspace).await?;
    let inviter = store::membership::role_now_within(tx, invitation.workspace, invitation.invited_by).await?;
    if !inviter.is_some_and(|inviter| Invitation::may_give(inviter, invitation.role)) {
        return Err(AcceptError::NotGood);
    }
    if invitation.email.as_ref().is_some_and(|invited| invited != email) {
        return Err(AcceptError::OtherAddress);
    }
    Ok(invitation)
}

async fn join(
    tx: &mut Tx,
    invitation: &Invitation,
    account: AccountId,
    door: &Door,
) -> Result<(), StoreError> {
    let (workspace, role, at) = (invitation.workspace, invitation.role, door.ambient.now());
    store::membership::insert(tx, workspace, account, role, at).await?;
    store::invitation::accepted_by(tx, invitation, account).await
}
