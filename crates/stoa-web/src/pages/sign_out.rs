//! Signing out.

use axum::extract::State;
use axum::response::Response;
use serde_json::json;
use stoa_identity::sessions;
use stoa_store::audit::Status;

use crate::cookies::Jar;
use crate::respond::{Fault, see_other};
use crate::visitor::Guest;
use crate::web::Web;

/// `POST /sign-out`: the session ends on the server, not only in the browser.
pub(crate) async fn leave(State(web): State<Web>, guest: Guest) -> Result<Response, Fault> {
    let act = guest.act(&web, "sign out", json!({}));
    if !sessions::end(web.door(), &act, &guest.person, guest.person.session).await? {
        // Ended elsewhere a moment ago.
        act.close(Status::Ok, None).await?;
    }
    let mut response = see_other("/sign-in");
    web.cookies().forget(response.headers_mut(), Jar::Session);
    Ok(response)
}
