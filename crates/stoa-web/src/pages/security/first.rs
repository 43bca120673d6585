//! The first passkey of somebody who came in by a link and chose no password.

use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::passkeys::name_here;
use crate::pages::sign_in::has_passkeys;
use crate::respond::{page, see_other};
use crate::shell::{Section, Shell};
use crate::visitor::Guest;
use crate::web::Web;

/// Where it is.
pub(in crate::pages) const PATH: &str = "/security/first";

#[derive(Template)]
#[template(path = "security/first.html")]
struct Page {
    shell: Shell,
    name: String,
}

/// `GET /security/first`.
pub(super) async fn show(State(web): State<Web>, guest: Guest) -> Response {
    if !has_passkeys(&web) {
        return see_other("/security");
    }
    page(&Page { shell: Shell::of(&web, &guest, Section::Security), name: name_here(&guest) })
}
