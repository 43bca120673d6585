//! Why nothing was changed.

use axum::response::Response;
use http::StatusCode;
use stoa_store::audit::{Act, Status};

use super::show_problem;
use crate::respond::{Fault, see_other};
use crate::visitor::{Guest, sign_in_again_path};
use crate::web::Web;

/// Why a form changed nothing.
pub(super) struct Refusal {
    status: StatusCode,
    /// What the audit calls it.
    code: &'static str,
    /// What the page says; `None`: the person signs in once more, and comes back.
    problem: Option<String>,
}

impl Refusal {
    pub fn new(status: StatusCode, code: &'static str, problem: impl Into<String>) -> Self {
        Self { status, code, problem: Some(problem.into()) }
    }

    /// What stands in the way of this form alone.
    pub fn conflict(code: &'static str, problem: &str) -> Self {
        Self::new(StatusCode::CONFLICT, code, problem)
    }

    /// An id that is nobody's, or somebody else's.
    pub fn not_found(guest: &Guest) -> Self {
        let problem = guest.visitor.language.texts().security.not_there;
        Self::new(StatusCode::NOT_FOUND, "not_found", problem)
    }

    /// The sign-in was long ago.
    pub const fn not_fresh() -> Self {
        Self { status: StatusCode::FORBIDDEN, code: "not_fresh", problem: None }
    }

    /// Closes the act and says so on the page.
    pub async fn show(self, web: &Web, guest: &Guest, act: &Act) -> Result<Response, Fault> {
        act.close(Status::Denied, Some(self.code)).await?;
        match self.problem {
            Some(problem) => show_problem(web, guest, self.status, problem).await,
            None => Ok(see_other(&sign_in_again_path("/security"))),
        }
    }
}
