//! Adding a passkey.

use serde_json::{Value, json};
use stoa_base::text::one_line;
use stoa_store::StoreError;
use stoa_store::audit::Act;
use webauthn_rs::prelude::{PasskeyRegistration, RegisterPublicKeyCredential, WebauthnError};

use super::{CEREMONY, Challenge, LONGEST_NAME};
use crate::operations::ceremonies;
use crate::store::ceremony::Kind;
use crate::store::passkey::Stored;
use crate::{Door, NotFresh, PasskeyId, PasskeyRecord, SignedIn, store};

/// The most passkeys of one person.
const MOST: usize = 50;

/// Why a passkey was not added.
#[derive(Debug, thiserror::Error)]
pub enum RegisterError {
    /// The public URL has no domain.
    #[error("passkeys need a server with a name: this one is reached by a bare address")]
    NoDomain,
    /// The sign-in was long ago.
    #[error(transparent)]
    NotFresh(#[from] NotFresh),
    /// There are enough.
    #[error("there are {MOST} passkeys already: remove one first")]
    TooMany,
    /// The ceremony took too long, was finished before, or began in another browser.
    #[error("this took too long: begin again")]
    NotWaiting,
    /// What the browser answered does not fit.
    #[error("the passkey was not accepted")]
    Refused,
    /// Somebody has this passkey already.
    #[error("this passkey is known already")]
    Known,
    /// The ceremony could not be begun.
    #[error("passkeys: {0}")]
    Broken(WebauthnError),
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Begins to add a passkey.
///
/// # Errors
/// [`RegisterError`].
pub async fn start_registration(door: &Door, act: &Act, who: &SignedIn) -> Result<Challenge, RegisterError> {
    let party = door.relying_party.as_ref().ok_or(RegisterError::NoDomain)?;
    who.must_be_fresh(door)?;
    let known = store::passkey::credential_ids(&door.db, who.account).await?;
    if known.len() >= MOST {
        return Err(RegisterError::TooMany);
    }
    let (name, email) = (who.email.as_str(), who.email.as_str());
    let begun = party.0.start_passkey_registration(who.account.uuid(), name, email, Some(known));
    let (options, state) = begun.map_err(RegisterError::Broken)?;
    let mut tx = door.db.begin().await?;
    let kind = (Kind::PasskeyRegister, Some(who.account));
    let begun = ceremonies::begin(&mut tx, door, kind, &state, CEREMONY).await?;
    act.commit(tx).await?;
    let options = discoverable(&json!(options));
    Ok(Challenge { secret: begun.secret, expires_at: begun.expires_at, options })
}

/// The options, asking for a passkey that is found without an address, where the authenticator has room for one.
fn discoverable(options: &Value) -> Value {
    let mut public_key = options["publicKey"].clone();
    if let Some(selection) = public_key["authenticatorSelection"].as_object_mut() {
        selection.insert("residentKey".to_owned(), json!("preferred"));
    }
    json!({ "publicKey": public_key })
}

/// Ends it: `response` is what `PublicKeyCredential.toJSON` gave.
///
/// # Errors
/// [`RegisterError`]; the ceremony is over then.
pub async fn finish_registration(
    door: &Door,
    act: &Act,
    who: &SignedIn,
    secret: &str,
    response: &Value,
    name: &str,
) -> Result<PasskeyRecord, RegisterError> {
    let party = door.relying_party.as_ref().ok_or(RegisterError::NoDomain)?;
    let state = take(door, who, secret).await?.ok_or(RegisterError::NotWaiting)?;
    let response: RegisterPublicKeyCredential =
        serde_json::from_value(response.clone()).map_err(|_| RegisterError::Refused)?;
    let verified = party.0.finish_passkey_registration(&response, &state);
    let credential = verified.map_err(|error| {
        tracing::info!(%error, account = %who.account, "a passkey was not accepted");
        RegisterError::Refused
    })?;
    let at = door.ambient.now();
    let new = Stored { id: PasskeyId::new(&door.ambient), account: who.account, credential };
    let name = one_line(name, LONGEST_NAME);
    let mut tx = door.db.begin().await?;
    store::account::hold(&mut tx, who.account).await?.ok_or(RegisterError::Refused)?;
    if !store::passkey::insert(&mut tx, &new, &name, at).await? {
        return Err(RegisterError::Known);
    }
    act.commit(tx).await?;
    Ok(PasskeyRecord { id: new.id, name, created_at: at, last_used_at: None })
}

/// What the first half left, if it is this person's.
async fn take(door: &Door, who: &SignedIn, secret: &str) -> Result<Option<PasskeyRegistration>, StoreError> {
    let taken = ceremonies::take(door, secret, Kind::PasskeyRegister).await?;
    Ok(taken.filter(|(account, _)| *account == Some(who.account)).map(|(_, state)| state))
}
