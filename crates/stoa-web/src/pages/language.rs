//! Choosing a language.

use std::time::Duration;

use axum::Form;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;

use crate::cookies::Jar;
use crate::language::Language;
use crate::respond::see_other;
use crate::visitor::next_path;
use crate::web::Web;

/// How long a choice is kept.
const KEEP: Duration = Duration::from_hours(365 * 24);

#[derive(Deserialize)]
pub(crate) struct Choice {
    language: String,
    #[serde(default)]
    next: String,
}

/// `POST /language`.
pub(crate) async fn choose(State(web): State<Web>, Form(choice): Form<Choice>) -> Response {
    let mut response = see_other(next_path(Some(&choice.next)));
    if let Some(language) = Language::of_tag(&choice.language) {
        let now = web.ambient().now();
        web.cookies().set(response.headers_mut(), Jar::Language, language.tag(), now, now.plus(KEEP));
    }
    response
}
