//! Signing in with a passkey.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use stoa_store::audit::Act;
use stoa_store::secret::Purpose;
use stoa_store::{StoreError, Tx};
use webauthn_rs::prelude::{DiscoverableAuthentication, PublicKeyCredential};

use super::{CEREMONY, Challenge, RelyingParty};
use crate::operations::ceremonies;
use crate::operations::sessions::{Beginning, begin};
use crate::operations::throttle::{self, Limit};
use crate::store::ceremony::Kind;
use crate::store::passkey::Stored;
use crate::{AuthenticatedBy, Door, Email, NewSession, SignInError, Visit, store};

/// Begins to sign in with a passkey: with whichever the browser offers, or with one of those of this address, which
/// helps keys that don't know by themselves where they belong. For an address without passkeys, or that nobody has,
/// the answer names one that nobody has, the same each time.
///
/// # Errors
/// [`SignInError::Refused`] where there can be no passkeys; [`SignInError::TooMany`].
pub async fn start_sign_in(
    door: &Door,
    email: Option<&Email>,
    visit: &Visit,
) -> Result<Challenge, SignInError> {
    let party = door.relying_party.as_ref().ok_or(SignInError::Refused)?;
    throttle::admit(door, &[Limit::ceremonies(visit)]).await??;
    let (options, state) = party.0.start_discoverable_authentication().map_err(|_| SignInError::Refused)?;
    let allowed = match email {
        Some(email) => Some(allowed(door, email).await?),
        None => None,
    };
    let mut tx = door.db.begin().await?;
    let begun = ceremonies::begin(&mut tx, door, (Kind::PasskeySignIn, None), &state, CEREMONY).await?;
    tx.commit().await?;
    let options = naming(&json!(options), allowed);
    Ok(Challenge { secret: begun.secret, expires_at: begun.expires_at, options })
}

/// The options, naming these passkeys or none.
fn naming(options: &Value, allowed: Option<Vec<Value>>) -> Value {
    let mut public_key = options["publicKey"].clone();
    if let Some(members) = public_key.as_object_mut() {
        members.remove("allowCredentials");
        members.extend(allowed.map(|allowed| ("allowCredentials".to_owned(), Value::Array(allowed))));
    }
    json!({ "publicKey": public_key })
}

/// The passkeys of this address, or one that looks like it.
async fn allowed(door: &Door, email: &Email) -> Result<Vec<Value>, StoreError> {
    let account = store::account::password(&door.db, email).await?.map(|(account, _)| account);
    let mut ids = match account {
        Some(account) => store::passkey::credential_ids(&door.db, account).await?,
        None => Vec::new(),
    };
    if ids.is_empty() {
        let key = door.key.sub_key(Purpose::Decoy);
        ids.push(Sha256::new().chain_update(key).chain_update(email.as_str()).finalize().to_vec());
    }
    let descriptor = |id: Vec<u8>| json!({ "type": "public-key", "id": BASE64_URL_SAFE_NO_PAD.encode(id) });
    Ok(ids.into_iter().map(descriptor).collect())
}

/// Ends it: `response` is what `PublicKeyCredential.toJSON` gave. The session is complete, whatever second factor
/// the person asks of passwords: the passkey has verified its person itself.
///
/// # Errors
/// [`SignInError`]: one refusal for a passkey that nobody has and one that does not fit.
pub async fn finish_sign_in(
    door: &Door,
    act: &Act,
    secret: &str,
    response: &Value,
    visit: &Visit,
) -> Result<NewSession, SignInError> {
    let party = door.relying_party.as_ref().ok_or(SignInError::Refused)?;
    let taken = ceremonies::take(door, secret, Kind::PasskeySignIn).await?;
    let (_, state) = taken.ok_or(SignInError::NotWaiting)?;
    let response: PublicKeyCredential =
        serde_json::from_value(response.clone()).map_err(|_| SignInError::Refused)?;
    let mut tx = door.db.begin().await?;
    let passkey = hold(&mut tx, &response).await?.ok_or(SignInError::Refused)?;
    act.is_of(passkey.account);
    let passkey = verified(party, &response, state, passkey).ok_or(SignInError::Refused)?;
    store::passkey::used(&mut tx, &passkey, door.ambient.now()).await?;
    let beginning = Beginning::complete(passkey.account, AuthenticatedBy::Passkey);
    let session = begin(&mut tx, door, &beginning, visit).await?;
    act.commit(tx).await?;
    Ok(session)
}

/// The passkey that was used, with its account held: of two uses at once the later sees the counter of the other,
/// and of a use and a removal one.
async fn hold(tx: &mut Tx, response: &PublicKeyCredential) -> Result<Option<Stored>, StoreError> {
    let credential = response.get_credential_id();
    let Some(found) = store::passkey::by_credential(tx, credential).await? else { return Ok(None) };
    if store::account::hold(tx, found.account).await?.is_none() {
        return Ok(None);
    }
    store::passkey::by_credential(tx, credential).await
}

/// The passkey with what the use changed of it. `None` if it does not verify.
fn verified(
    party: &RelyingParty,
    response: &PublicKeyCredential,
    state: DiscoverableAuthentication,
    mut passkey: Stored,
) -> Option<Stored> {
    // Section 7.2 step 6: where the authenticator says whose passkey it is, it must be whose we know it to be.
    let named = response.get_user_unique_id();
    if named.is_some_and(|user| user != passkey.account.uuid().as_bytes()) {
        return None;
    }
    match party.0.finish_discoverable_authentication_v2(response, state, &passkey.credential) {
        Ok(result) => {
            passkey.credential.update_credential(&result);
            Some(passkey)
        }
        Err(error) => {
            tracing::info!(%error, passkey = %passkey.id, "a passkey did not verify");
            None
        }
    }
}
