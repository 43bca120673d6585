//! From who somebody is at the provider to who they are here.

use stoa_base::{AccountId, Timestamp};
use stoa_store::audit::Act;
use stoa_store::{StoreError, Tx};

use crate::operations::sessions::{Beginning, Proof, begin};
use crate::{Account, AuthenticatedBy, Door, Email, NewSession, Role, Visit, WorkspaceName, store};

/// What the provider's id token says, after its signature, issuer, audience and nonce were checked.
#[derive(Clone, Debug)]
pub struct OidcIdentity {
    /// `iss`.
    pub issuer: String,
    /// `sub`: what the person is called there, for good.
    pub subject: String,
    /// `email`.
    pub email: Option<Email>,
    /// `email_verified`; false where it is not said.
    pub email_verified: bool,
    /// `auth_time`: when the person proved there who they are, where it is said.
    pub authenticated_at: Option<Timestamp>,
}

/// Why nobody is signed in.
#[derive(Debug, thiserror::Error)]
pub enum OidcError {
    /// The provider did not say that the address is the person's.
    #[error("the provider has not verified your address")]
    NotVerified,
    /// There is an account with this address, and the operator does not let the provider decide whose it is.
    #[error("there is an account with this address: sign in to it as you did before")]
    NotLinked,
    /// There is no account, and the operator lets none be made for this address.
    #[error("there is no account for you here: ask for an invitation")]
    NotInvited,
    /// The account is disabled.
    #[error("this account is disabled")]
    Disabled,
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Signs in the account that the identity is linked to. One that is linked to none is linked to the account with
/// its verified address where [`crate::OidcPolicy::link_by_email`] says so and the account's address is proven, too, or given an account as member of
/// `default` where its domain is one of [`crate::OidcPolicy::allowed_domains`].
///
/// # Errors
/// [`OidcError`]; nothing changed then.
pub async fn finish(
    door: &Door,
    act: &Act,
    identity: &OidcIdentity,
    visit: &Visit,
) -> Result<NewSession, OidcError> {
    let at = door.ambient.now();
    let known = matching_account(door, identity).await?;
    let mut tx = door.db.begin().await?;
    let (issuer, subject) = (identity.issuer.as_str(), identity.subject.as_str());
    let account = match store::oidc_identity::used(&mut tx, issuer, subject, at).await? {
        Some(account) => account,
        None => link(&mut tx, door, identity, known).await?,
    };
    act.is_of(account);
    store::account::hold(&mut tx, account).await?.ok_or(OidcError::Disabled)?;
    let beginning = Beginning {
        proof: Proof::Elsewhere(identity.authenticated_at),
        ..Beginning::complete(account, AuthenticatedBy::Oidc)
    };
    let session = begin(&mut tx, door, &beginning, visit).await?;
    act.commit(tx).await?;
    Ok(session)
}

async fn matching_account(door: &Door, identity: &OidcIdentity) -> Result<Option<AccountId>, StoreError> {
    let Some(email) = &identity.email else { return Ok(None) };
    Ok(store::account::by_email(&door.db, email).await?.map(|account| account.id))
}

/// Links the identity to the account it belongs to, or to a new one.
async fn link(
    tx: &mut Tx,
    door: &Door,
    identity: &OidcIdentity,
    known: Option<AccountId>,
) -> Result<AccountId, OidcError> {
    let email = identity.email.as_ref().filter(|_| identity.email_verified).ok_or(OidcError::NotVerified)?;
    let account = match known {
        // Whoever typed another's address when they made an account would be let into it with its owner.
        Some(account) if door.oidc.link_by_email && store::account::is_proven(tx, account).await? => account,
        Some(_) => return Err(OidcError::NotLinked),
        None => new_member(tx, door, email).await?,
    };
    let at = door.ambient.now();
    // Of two at once the later waits here and finds it linked; its browser begins again.
    if !store::oidc_identity::insert(tx, &identity.issuer, &identity.subject, account, at).await? {
        return Err(OidcError::NotLinked);
    }
    Ok(account)
}

async fn new_member(tx: &mut Tx, door: &Door, email: &Email) -> Result<AccountId, OidcError> {
    if !door.oidc.allowed_domains.iter().any(|domain| domain == email.domain()) {
        return Err(OidcError::NotInvited);
    }
    let default = store::workspace::by_name(&door.db, &WorkspaceName::of_default()).await?;
    let default = default.ok_or(OidcError::NotInvited)?;
    let at = door.ambient.now();
    let account = Account {
        id: AccountId::new(&door.ambient),
        email: email.clone(),
        created_at: at,
        disabled_at: None,
    };
    store::workspace::lock(tx, default.id).await?;
    if !store::account::insert(tx, &account, None, true).await? {
        return Err(OidcError::NotLinked);
    }
    store::membership::insert(tx, default.id, account.id, Role::Member, at).await?;
    Ok(account.id)
}
