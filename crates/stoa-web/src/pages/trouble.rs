//! What went wrong, on a page of its own.

use askama::Template;
use axum::response::Response;
use http::StatusCode;

use crate::respond::page_with;
use crate::shell::Shell;
use crate::texts::Trouble;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "trouble.html")]
struct Page<'a> {
    shell: Shell,
    problem: &'a str,
    advice: Option<&'a str>,
    forgetting: &'a [Forgetting],
    detail: Option<&'a str>,
}

/// How a program is made to forget a server with the name that it was once given there.
struct Forgetting {
    program: &'static str,
    how: fn(&Trouble) -> &'static str,
    what: &'static str,
}

/// The programs that are known to call themselves by a forgotten name for ever.
const FORGETTING: [Forgetting; 6] = [
    Forgetting { program: "Claude Code", how: |t| t.in_terminal, what: "claude mcp logout NAME" },
    Forgetting { program: "Codex", how: |t| t.in_terminal, what: "codex mcp logout NAME" },
    Forgetting { program: "Gemini CLI", how: |t| t.in_session, what: "/mcp auth NAME" },
    Forgetting { program: "Cursor", how: |t| t.in_palette, what: "Cursor: Clear All MCP Tokens" },
    Forgetting {
        program: "VS Code",
        how: |t| t.in_palette,
        what: "Authentication: Remove Dynamic Authentication Providers",
    },
    Forgetting { program: "mcp-remote", how: |t| t.folder, what: "~/.mcp-auth" },
];

/// A page that says what went wrong, and to a person who was sent here by a program what to do.
pub(crate) fn show(visitor: &Visitor, status: StatusCode, problem: &str, detail: Option<&str>) -> Response {
    let shell = Shell::open(visitor);
    let advice = Some(shell.texts().trouble.what_to_do);
    page_with(status, &Page { shell, problem, advice, forgetting: &[], detail })
}

/// A page for a person whose program calls itself by a name that this server does not know: only the person can end
/// that, and each program wants it done otherwise.
pub(crate) fn unknown_client(visitor: &Visitor, detail: &str) -> Response {
    let shell = Shell::open(visitor);
    let t = &shell.texts().trouble;
    let page = Page {
        problem: t.unknown_client,
        advice: Some(t.forget),
        forgetting: &FORGETTING,
        detail: Some(detail),
        shell,
    };
    page_with(StatusCode::BAD_REQUEST, &page)
}

/// A page that says what went wrong, where no program has a part in it.
#[must_use]
pub fn plain(visitor: &Visitor, status: StatusCode, problem: &str) -> Response {
    let shell = Shell::open(visitor);
    page_with(status, &Page { shell, problem, advice: None, forgetting: &[], detail: None })
}

/// Whatever is at no address.
pub(crate) async fn not_found(visitor: Visitor) -> Response {
    plain(&visitor, StatusCode::NOT_FOUND, visitor.language.texts().trouble.not_found)
}
