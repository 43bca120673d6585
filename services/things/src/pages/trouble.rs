//! Refusals, as people read them.

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use stoa_store::audit::{Act, Status};
use stoa_web::{Fault, Member, trouble};

use super::texts::Texts;
use crate::operations::ThingsError;

/// The status, and what to say.
pub(super) fn said(t: &Texts, error: ThingsError) -> Result<(StatusCode, String), Fault> {
    Ok(match error {
        ThingsError::NotFound { .. } => (StatusCode::NOT_FOUND, t.not_found.to_owned()),
        ThingsError::Denied { .. } => (StatusCode::FORBIDDEN, t.denied.to_owned()),
        ThingsError::OverBudget(_) => (StatusCode::TOO_MANY_REQUESTS, t.over_budget.to_owned()),
        ThingsError::Argument(problem) | ThingsError::Resource(problem) => (StatusCode::BAD_REQUEST, problem),
        ThingsError::Store(error) => return Err(error.into()),
    })
}

/// How the audit calls a refusal.
pub(super) const fn noted(error: &ThingsError) -> (Status, &'static str) {
    match error {
        ThingsError::NotFound { .. } => (Status::Denied, "not_found"),
        ThingsError::Denied { .. } => (Status::Denied, "denied"),
        ThingsError::OverBudget(_) => (Status::Denied, "over_budget"),
        ThingsError::Argument(_) => (Status::Error, "invalid_argument"),
        ThingsError::Resource(_) => (Status::Error, "resource_failed"),
        ThingsError::Store(_) => (Status::Error, "internal"),
    }
}

/// Closes the act of a form that came to nothing, and says why.
pub(super) async fn refuse(member: &Member, act: &Act, error: ThingsError) -> Result<Response, Fault> {
    let (status, code) = noted(&error);
    act.close(status, Some(code)).await?;
    Ok(page(member, error))
}

/// A page that says what was wrong.
pub(super) fn page(member: &Member, error: ThingsError) -> Response {
    let language = member.guest.visitor.language;
    match said(Texts::of(language), error) {
        Ok((status, problem)) => trouble(&member.guest.visitor, status, &problem),
        Err(fault) => fault.into_response(),
    }
}
