//! What went wrong, on a page of its own.

use askama::Template;
use axum::response::Response;
use http::StatusCode;

use crate::respond::page_with;
use crate::shell::Shell;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "trouble.html")]
struct Page<'a> {
    shell: Shell,
    problem: &'a str,
    advice: Option<&'a str>,
    detail: Option<&'a str>,
}

/// A page that says what went wrong, and to a person who was sent here by a program what to do.
pub(crate) fn show(visitor: &Visitor, status: StatusCode, problem: &str, detail: Option<&str>) -> Response {
    let shell = Shell::open(visitor);
    let advice = Some(shell.texts().trouble.what_to_do);
    page_with(status, &Page { shell, problem, advice, detail })
}

/// A page that says what went wrong, where no program has a part in it.
#[must_use]
pub fn plain(visitor: &Visitor, status: StatusCode, problem: &str) -> Response {
    page_with(status, &Page { shell: Shell::open(visitor), problem, advice: None, detail: None })
}

/// Whatever is at no address.
pub(crate) async fn not_found(visitor: Visitor) -> Response {
    plain(&visitor, StatusCode::NOT_FOUND, visitor.language.texts().trouble.not_found)
}
