//! The authorization endpoint (RFC 6749 section 3.1): from a client's request to the page where its person says yes.

use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::StatusCode;
use stoa_identity::oauth::{Asked, AuthorizeError, ClientRefused};
use stoa_identity::{ErrorCode, Parameters, Prompt, Sighting, Step};

use super::Here;
use super::consent::{carried_on, not_decided, path};
use crate::pages::trouble;
use crate::respond::{Fault, see_other};
use crate::visitor::{Guest, Visitor, sign_in_again_path, sign_in_path};
use crate::web::Web;

/// `GET {base}/oauth/authorize`. The request is checked first, so that nobody signs in for one that leads nowhere.
pub(crate) async fn authorize(
    State(web): State<Web>,
    here: Here,
    visitor: Visitor,
    RawQuery(query): RawQuery,
) -> Result<Response, Fault> {
    if visitor.ask(&web).is_err() {
        let problem = visitor.language.texts().trouble.too_fast;
        return Ok(trouble::plain(&visitor, StatusCode::TOO_MANY_REQUESTS, problem));
    }
    let query = query.unwrap_or_default();
    let parameters: Parameters = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let client = parameters.one("client_id").ok().flatten();
    if client.is_some_and(|client| client.starts_with("https:")) && visitor.ask_for_document(&web).is_err() {
        let problem = visitor.language.texts().trouble.too_fast;
        return Ok(trouble::plain(&visitor, StatusCode::TOO_MANY_REQUESTS, problem));
    }
    let checked = web.oauth().authorize(&here.profile, &parameters, &visitor.visit).await;
    let code = checked.as_ref().err().map(AuthorizeError::code);
    here.note(&web, &visitor, Sighting { step: Step::Authorization, client, installation: None, code }).await;
    let authorization = match checked {
        Ok(authorization) => authorization,
        Err(AuthorizeError::Redirect { to, .. }) => return Ok(see_other(&to.location)),
        Err(error) => return nowhere(&visitor, &error),
    };
    if authorization.prompt() == Prompt::SignIn {
        return Ok(see_other(&sign_in_again_path(&signed_in_again(&visitor.asked))));
    }
    let Some(person) = visitor.person(&web).await? else {
        if authorization.prompt() == Prompt::Never {
            let to = authorization.refuse(&here.profile, ErrorCode::LoginRequired, "nobody is signed in");
            return Ok(see_other(&to.location));
        }
        return Ok(see_other(&sign_in_path(&visitor.asked)));
    };
    let guest = Guest { visitor, person };
    match web.oauth().ask(&here.profile, authorization, guest.as_person(), &guest.visitor.visit).await {
        Ok(Asked::Waits(handle)) => Ok(see_other(&path(&here.mount, handle.expose()))),
        // The person may come from the form where they signed in, whose policy stops a redirect to another site.
        Ok(Asked::Agreed(to)) => Ok(carried_on(&web, &guest, &to, true)),
        Ok(Asked::Refused(to)) => Ok(see_other(&to.location)),
        Err(error) => not_decided(&guest.visitor, error),
    }
}

/// What was asked for, without asking for another sign-in: it comes next. Agreement is still asked for, whatever was
/// agreed before.
fn signed_in_again(asked: &str) -> String {
    let (path, query) = asked.split_once('?').unwrap_or((asked, ""));
    let parameters = url::form_urlencoded::parse(query.as_bytes()).map(|(name, value)| match &*name {
        "prompt" => (name, "consent".into()),
        _ => (name, value),
    });
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    format!("{path}?{query}")
}

/// Says to the person what is wrong with who sent them: the client is not known, or where to answer is not.
fn nowhere(visitor: &Visitor, error: &AuthorizeError) -> Result<Response, Fault> {
    let t = &visitor.language.texts().trouble;
    let detail = error.to_string();
    let (status, problem) = match error {
        // Why is in the log alone: whoever named the address would learn what the server can reach.
        AuthorizeError::Client(ClientRefused::Unreachable(why)) => {
            tracing::info!(why, "a client's metadata document could not be read");
            return Ok(trouble::plain(visitor, StatusCode::BAD_REQUEST, t.document));
        }
        AuthorizeError::Client(ClientRefused::Store(_)) => return Err(Fault::Other(detail)),
        AuthorizeError::Client(ClientRefused::Unknown) | AuthorizeError::NoClient => {
            return Ok(trouble::unknown_client(visitor, &detail));
        }
        AuthorizeError::Client(ClientRefused::TooMany) => (StatusCode::TOO_MANY_REQUESTS, t.too_many),
        AuthorizeError::Client(_) => (StatusCode::BAD_REQUEST, t.document),
        _ => (StatusCode::BAD_REQUEST, t.redirect),
    };
    Ok(trouble::show(visitor, status, problem, Some(&detail)))
}
