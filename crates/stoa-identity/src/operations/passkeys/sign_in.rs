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
use crate::operations::sessions::{Beginning, begin};
use crate::operations::throttle::{self, Limit};
use crate::store::ceremony::{Kind, NewRow};
use crate::store::passkey::Stored;
use crate::{
    AuthenticatedBy, Door, Email, NewSession, SecretKind, SecretToken, SignInError, TokenHash, Visit, store,
};

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
    let at = door.ambient.now();
    let secret = SecretToken::new(SecretKind::Ceremony, &door.ambient);
    let row = NewRow {
        hash: secret.hash(),
        kind: Kind::PasskeySignIn,
        account: None,
        state: &state,
        at,
        expires_at: at.plus(CEREMONY),
    };
    let mut tx = door.db.begin().await?;
    store::ceremony::insert(&mut tx, &row).await?;
    tx.commit().await?;
    Ok(Challenge { secret, expires_at: row.expires_at, options: naming(&json!(options), allowed) })
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
/// [`SignInError`]: one refusal for a ceremony that is over, a passkey that nobody has and one that does not fit.
pub async fn finish_sign_in(
    door: &Door,
    act: &Act,
    secret: &str,
    response: &Value,
    visit: &Visit,
) -> Result<NewSession, SignInError> {
    let party = door.relying_party.as_ref().ok_or(SignInError::Refused)?;
    let state = take(door, secret).await?.ok_or(SignInError::Refused)?;
    let response: PublicKeyCredential =
        serde_json::from_value(response.clone()).map_err(|_| SignInError::Refused)?;
    let mut tx = door.db.begin().await?;
    let passkey = use_passkey(&mut tx, door, party, &response, state).await?.ok_or(SignInError::Refused)?;
    act.is_of(passkey.account);
    store::account::hold(&mut tx, passkey.account).await?.ok_or(SignInError::Refused)?;
    let beginning = Beginning {
        account: passkey.account,
        by: AuthenticatedBy::Passkey,
        second_step: None,
        needs_second_factor: false,
    };
    let session = begin(&mut tx, door, &beginning, visit).await?;
    act.commit(tx).await?;
    Ok(session)
}

/// What the first half left, used up whatever comes of it.
async fn take(door: &Door, secret: &str) -> Result<Option<DiscoverableAuthentication>, StoreError> {
    let Some(hash) = TokenHash::of(SecretKind::Ceremony, secret) else { return Ok(None) };
    let mut tx = door.db.begin().await?;
    let taken = store::ceremony::take(&mut tx, &hash, Kind::PasskeySignIn, door.ambient.now()).await?;
    tx.commit().await?;
    Ok(taken.map(|(_, state)| state))
}

/// The passkey that was used, with what the use changed of it. `None` if it is nobody's or does not verify.
async fn use_passkey(
    tx: &mut Tx,
    door: &Door,
    party: &RelyingParty,
    response: &PublicKeyCredential,
    state: DiscoverableAuthentication,
) -> Result<Option<Stored>, StoreError> {
    let Some(mut passkey) = store::passkey::hold(tx, response.get_credential_id()).await? else {
        return Ok(None);
    };
    // Section 7.2 step 6: where the authenticator says whose passkey it is, it must be whose we know it to be.
    let named = response.get_user_unique_id();
    if named.is_some_and(|user| user != passkey.account.uuid().as_bytes()) {
        return Ok(None);
    }
    let verified = party.0.finish_discoverable_authentication_v2(response, state, &passkey.credential);
    let result = match verified {
        Ok(result) => result,
        Err(error) => {
            tracing::info!(%error, passkey = %passkey.id, "a passkey did not verify");
            return Ok(None);
        }
    };
    passkey.credential.update_credential(&result);
    store::passkey::used(tx, &passkey, door.ambient.now()).await?;
    Ok(Some(passkey))
}
