//! How the agents that people use are told of a mount.
//!
//! By sign-in the address is enough: the agent opens the browser by itself. With a token, that goes in a header: each
//! agent reads it from the environment, or keeps it in a safe of its own, so that it stands in no file. What is in
//! single quotes is for the agent to fill in, not for the shell.

use serde_json::{Value, json};

/// The variable that agents read a token from.
pub const TOKEN_VARIABLE: &str = "STOA_TOKEN";

/// The agents whose way of connecting is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agent {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Cursor.
    Cursor,
    /// Visual Studio Code.
    Vscode,
}

/// What tells an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// A command to run.
    Command(String),
    /// A file in the project's folder.
    File {
        /// Its path there.
        path: &'static str,
        /// What it holds, or gains where it is there already.
        content: Value,
    },
}

impl Agent {
    /// Each of them.
    pub const ALL: [Self; 5] = [Self::Claude, Self::Codex, Self::Gemini, Self::Cursor, Self::Vscode];

    /// What people call it.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::Codex => "Codex",
            Self::Gemini => "Gemini CLI",
            Self::Cursor => "Cursor",
            Self::Vscode => "VS Code",
        }
    }

    /// How it is told of the endpoint `url`, under this name, where a person signs in.
    #[must_use]
    pub fn by_sign_in(self, name: &str, url: &str) -> Way {
        match self {
            Self::Claude => Way::Command(format!("claude mcp add --transport http {name} {url}")),
            Self::Codex => Way::Command(format!("codex mcp add {name} --url {url}")),
            Self::Gemini => Way::Command(format!("gemini mcp add --transport http {name} {url}")),
            Self::Cursor => cursor(name, &json!({ "url": url })),
            Self::Vscode => vscode(json!({ "servers": { name: { "type": "http", "url": url } } })),
        }
    }

    /// The same with a token, which stands in [`TOKEN_VARIABLE`] or is asked for.
    #[must_use]
    pub fn with_token(self, name: &str, url: &str) -> Way {
        let header = |variable: String| format!("--header 'Authorization: Bearer {variable}'");
        match self {
            Self::Claude => {
                let header = header(format!("${{{TOKEN_VARIABLE}}}"));
                Way::Command(format!("claude mcp add --transport http {name} {url} {header}"))
            }
            Self::Codex => Way::Command(format!(
                "codex mcp add {name} --url {url} --bearer-token-env-var {TOKEN_VARIABLE}"
            )),
            Self::Gemini => {
                let header = header(format!("${TOKEN_VARIABLE}"));
                Way::Command(format!("gemini mcp add --transport http {header} {name} {url}"))
            }
            Self::Cursor => {
                let token = format!("Bearer ${{env:{TOKEN_VARIABLE}}}");
                cursor(name, &json!({ "url": url, "headers": { "Authorization": token } }))
            }
            // Asks for the token once and keeps it in its own safe.
            Self::Vscode => vscode(json!({
                "inputs": [{ "type": "promptString", "id": "stoa-token", "description": "Stoa token", "password": true }],
                "servers": { name: { "type": "http", "url": url, "headers": { "Authorization": "Bearer ${input:stoa-token}" } } },
            })),
        }
    }
}

fn cursor(name: &str, server: &Value) -> Way {
    Way::File { path: ".cursor/mcp.json", content: json!({ "mcpServers": { name: server } }) }
}

const fn vscode(content: Value) -> Way {
    Way::File { path: ".vscode/mcp.json", content }
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "http://localhost:8787/mcp";

    #[test]
    fn commands_carry_the_url_and_never_a_token() {
        let command = |agent: Agent| match agent.with_token("stoa", URL) {
            Way::Command(command) => command,
            Way::File { path, .. } => panic!("{path}"),
        };
        assert_eq!(
            command(Agent::Claude),
            format!(
                "claude mcp add --transport http stoa {URL} --header 'Authorization: Bearer ${{STOA_TOKEN}}'"
            )
        );
        assert_eq!(
            command(Agent::Codex),
            format!("codex mcp add stoa --url {URL} --bearer-token-env-var STOA_TOKEN")
        );
        assert_eq!(
            command(Agent::Gemini),
            format!(
                "gemini mcp add --transport http --header 'Authorization: Bearer $STOA_TOKEN' stoa {URL}"
            )
        );
    }

    #[test]
    fn files_are_the_ones_their_editors_read() {
        for way in [Agent::with_token, Agent::by_sign_in] {
            let file = |agent: Agent| match way(agent, "things", URL) {
                Way::File { path, content } => (path, content),
                Way::Command(command) => panic!("{command}"),
            };
            let (path, content) = file(Agent::Cursor);
            assert_eq!((path, &content["mcpServers"]["things"]["url"]), (".cursor/mcp.json", &json!(URL)));
            let (path, content) = file(Agent::Vscode);
            assert_eq!((path, &content["servers"]["things"]["url"]), (".vscode/mcp.json", &json!(URL)));
        }
    }
}
