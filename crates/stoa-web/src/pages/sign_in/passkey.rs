//! Signing in with a passkey: alone, or as the second step after a password.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use stoa_identity::{Email, SignInError, passkeys};

use super::end_before;
use crate::pages::ceremony;
use crate::respond::{Fault, with_session};
use crate::visitor::{Visitor, next_path};
use crate::web::Web;

#[derive(Deserialize)]
pub(crate) struct Begun {
    #[serde(default)]
    email: String,
}

#[derive(Deserialize)]
pub(crate) struct Finished {
    next: Option<String>,
    credential: Value,
}

/// `POST /sign-in/passkey/begin`. The address is a help to keys that don't know where they belong; without one the
/// browser offers what it has.
pub(crate) async fn begin(
    State(web): State<Web>,
    visitor: Visitor,
    Json(begun): Json<Begun>,
) -> Result<Response, Fault> {
    let email = begun.email.parse::<Email>().ok();
    match passkeys::start_sign_in(web.door(), email.as_ref(), &visitor.visit).await {
        Ok(challenge) => Ok(ceremony::begun(&web, &challenge)),
        Err(refused) => said(&visitor, refused),
    }
}

/// `POST /sign-in/passkey/finish`.
pub(crate) async fn finish(
    State(web): State<Web>,
    visitor: Visitor,
    headers: HeaderMap,
    Json(finished): Json<Finished>,
) -> Result<Response, Fault> {
    let secret = ceremony::secret(&web, &headers);
    let act = visitor.house_act(&web, "sign in with a passkey", json!({}));
    let (door, credential) = (web.door(), &finished.credential);
    match passkeys::finish_sign_in(door, &act, &secret, credential, &visitor.visit).await {
        Ok(session) => {
            end_before(&web, &visitor).await?;
            let next = next_path(finished.next.as_deref());
            Ok(with_session(&web, &session, ceremony::go_on(&web, next)))
        }
        Err(refused) => {
            super::refused(&act, Some(&refused)).await?;
            said(&visitor, refused)
        }
    }
}

fn said(visitor: &Visitor, refused: SignInError) -> Result<Response, Fault> {
    let texts = visitor.language.texts();
    Ok(match refused {
        SignInError::Refused | SignInError::NotWaiting => {
            ceremony::refused(StatusCode::UNAUTHORIZED, texts.passkeys.refused)
        }
        SignInError::TooMany { after } => {
            let problem = texts.sign_in.wait(after);
            ceremony::refused(StatusCode::TOO_MANY_REQUESTS, &problem)
        }
        SignInError::Hashing(_) => ceremony::refused(StatusCode::SERVICE_UNAVAILABLE, texts.sign_in.busy),
        SignInError::Store(error) => return Err(error.into()),
    })
}
