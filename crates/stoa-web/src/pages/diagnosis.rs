//! The last requests of clients as the server saw them: for the person who wonders why one does not connect.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use stoa_identity::{Step, Trace, traces};

use crate::member::Member;
use crate::respond::{Fault, page};
use crate::shell::{Section, Shell};
use crate::texts::Diagnosis;
use crate::web::Web;
use crate::when::When;

/// How many requests are shown.
const SHOWN: u32 = 200;

#[derive(Template)]
#[template(path = "diagnosis.html")]
struct Page {
    shell: Shell,
    steps: Vec<Shown>,
}

struct Shown {
    at: When,
    what: &'static str,
    place: String,
    client: String,
    /// Why it was refused, and what to do.
    trouble: Option<(String, &'static str)>,
}

/// `GET /diagnosis`. A client that is not connected yet is nobody's: whoever belongs to the workspace sees them.
pub(crate) async fn show(State(web): State<Web>, member: Member) -> Result<Response, Fault> {
    let all = traces::list(web.db(), member.caller.workspace, None, SHOWN).await?;
    let shell = Shell::inside(&web, &member, Section::Diagnosis);
    let steps = all.into_iter().map(|trace| shown(&web, &shell, trace)).collect();
    Ok(page(&Page { shell, steps }))
}

fn shown(web: &Web, shell: &Shell, trace: Trace) -> Shown {
    let t = &shell.texts().diagnosis;
    let client = [trace.client, trace.agent].into_iter().flatten().collect::<Vec<_>>().join(" · ");
    Shown {
        at: shell.when(web, trace.at),
        what: what(trace.step, t),
        place: trace.service,
        client,
        trouble: trace.code.map(|code| {
            let advice = advice(&code, t);
            (code, advice)
        }),
    }
}

const fn what(step: Step, t: &Diagnosis) -> &'static str {
    match step {
        Step::Discovery => t.discovery,
        Step::Registration => t.registration,
        Step::Authorization => t.authorization,
        Step::Consent => t.consent,
        Step::Token => t.token,
        Step::Refresh => t.refresh,
        Step::Revocation => t.revocation,
        Step::Call => t.call,
    }
}

/// What to do about a refusal.
fn advice(code: &str, t: &Diagnosis) -> &'static str {
    match code {
        "access_denied" => t.said_no,
        "invalid_grant" => t.again,
        "invalid_client" | "unknown_client" | "no_client" => t.forget,
        "invalid_redirect_uri" => t.redirect,
        "invalid_target" => t.address,
        "temporarily_unavailable" => t.later,
        "document_unreachable" | "invalid_document" => t.document,
        "nothing_waits" => t.used,
        _ => t.author,
    }
}
