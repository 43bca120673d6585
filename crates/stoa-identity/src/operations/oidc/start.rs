//! Sending the browser to the provider, and its coming back.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use stoa_base::Timestamp;
use stoa_store::StoreError;

use crate::operations::ceremonies;
use crate::operations::throttle::{self, Limit};
use crate::store::ceremony::Kind;
use crate::{Door, SecretToken, SignInError, Visit};

/// How long the provider may take.
const LIFE: Duration = Duration::from_mins(10);

/// What the request to the provider carries, and the token's exchange after it.
///
/// All three follow from the cookie's secret, of which only the hash is stored: nothing in the database helps
/// somebody who reads it.
#[derive(Clone, PartialEq, Eq)]
pub struct OidcCeremony {
    /// `state` (RFC 6749 section 10.12): comes back with the code.
    pub state: String,
    /// `nonce` (OpenID Connect Core section 3.1.2.1): must stand in the id token.
    pub nonce: String,
    /// The PKCE verifier (RFC 7636 section 4.1).
    pub verifier: String,
    /// The issuer that was asked: any other in the answer is a mix-up.
    pub issuer: String,
    /// The path of ours to which the person wanted.
    pub return_to: String,
}

impl std::fmt::Debug for OidcCeremony {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OidcCeremony").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}

/// The first half.
#[derive(Clone, Debug)]
pub struct OidcStart {
    /// What the cookie holds that binds the ceremony to this browser. It must come back from another site, so the
    /// cookie is `SameSite=Lax`.
    pub secret: SecretToken,
    /// From when it is refused, and so the cookie's end.
    pub expires_at: Timestamp,
    /// What the request carries.
    pub ceremony: OidcCeremony,
}

#[derive(Serialize, Deserialize)]
struct Remembered {
    issuer: String,
    return_to: String,
}

/// Begins to sign in at `issuer`. `return_to` is a path of ours, checked by the caller.
///
/// # Errors
/// [`SignInError::TooMany`], or the database's failure.
pub async fn start(
    door: &Door,
    issuer: &str,
    return_to: &str,
    visit: &Visit,
) -> Result<OidcStart, SignInError> {
    throttle::admit(door, &[Limit::ceremonies(visit)]).await??;
    let state = Remembered { issuer: issuer.to_owned(), return_to: return_to.to_owned() };
    let mut tx = door.db.begin().await?;
    let begun = ceremonies::begin(&mut tx, door, (Kind::Oidc, None), &state, LIFE).await?;
    tx.commit().await?;
    let ceremony = derive(begun.secret.expose(), state);
    Ok(OidcStart { secret: begun.secret, expires_at: begun.expires_at, ceremony })
}

/// The ceremony that this browser began and whose `state` the provider sent back, used up with this. `None` if it is
/// over, was used, began in another browser, or the state is another.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn resume(door: &Door, secret: &str, state: &str) -> Result<Option<OidcCeremony>, StoreError> {
    let taken = ceremonies::take(door, secret, Kind::Oidc).await?;
    let ceremony = taken.map(|(_, remembered)| derive(secret, remembered));
    Ok(ceremony.filter(|ceremony| ceremony.state == state))
}

fn derive(secret: &str, remembered: Remembered) -> OidcCeremony {
    OidcCeremony {
        state: derived(secret, "state"),
        nonce: derived(secret, "nonce"),
        verifier: derived(secret, "verifier"),
        issuer: remembered.issuer,
        return_to: remembered.return_to,
    }
}

/// 64 hexadecimal digits, which PKCE allows as they are.
fn derived(secret: &str, what: &str) -> String {
    let hash = Sha256::new().chain_update("oidc ").chain_update(what).chain_update([0]).chain_update(secret);
    hex::encode(hash.finalize())
}
