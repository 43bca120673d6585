//! `stoa connect`: what to run, or which file to add, so that an agent uses this server.
//!
//! The token goes in a header. Each client reads it from the environment, or keeps it in a safe of its own, so
//! that it stands in no file: what is in single quotes below is for the client to fill in, not for the shell.

use std::fmt;

use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::json;

use crate::commands::Context;
use crate::failure::Failure;
use crate::services::{self, Mount};

/// The variable that agents read the token from.
pub const TOKEN_VARIABLE: &str = "STOA_TOKEN";

/// Arguments of `stoa connect`.
#[derive(Debug, Args)]
pub struct Connect {
    /// The agent
    client: Client,
    /// What it connects to: all, or one service
    #[arg(long, default_value = "all", value_name = "MOUNT")]
    mount: String,
}

/// The agents whose way of connecting is known.
#[derive(Clone, Copy, Debug, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Client {
    /// Claude Code
    Claude,
    /// Codex
    Codex,
    /// Cursor
    Cursor,
    /// Gemini CLI
    Gemini,
    /// Visual Studio Code
    Vscode,
}

/// What to do, in order.
#[derive(Debug, Serialize)]
struct Steps {
    client: Client,
    url: String,
    /// Makes a token and puts it where the agent, or the next command, reads it.
    token_command: String,
    /// The command to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    /// The file to add, in the project's folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// What the file holds, or gains where it is there already.
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<serde_json::Value>,
}

impl Connect {
    /// Prints the steps. Asks neither the server nor the database.
    ///
    /// # Errors
    /// [`Failure::MissingMount`] for a mount that this build lacks.
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        let mount = services::mount(&self.mount)?;
        let url = format!("{}{}/mcp", context.config.public_url(), mount.path());
        context.output.print(&steps(self.client, &context.program(), &mount, &url))
    }
}

fn steps(client: Client, program: &str, mount: &Mount, url: &str) -> Steps {
    let name = mount.server_name;
    let make = format!("{program} token add --account EMAIL --mount {}", mount.name);
    let exported = format!("export {TOKEN_VARIABLE}=\"$({make})\"");
    let header = |variable: &str| format!("--header 'Authorization: Bearer {variable}'");
    let by_command = |command| Steps {
        client,
        url: url.to_owned(),
        token_command: exported.clone(),
        command: Some(command),
        file: None,
        content: None,
    };
    let by_file = |token_command, file: &str, content| Steps {
        client,
        url: url.to_owned(),
        token_command,
        command: None,
        file: Some(file.to_owned()),
        content: Some(content),
    };
    match client {
        Client::Claude => {
            let header = header(&format!("${{{TOKEN_VARIABLE}}}"));
            by_command(format!("claude mcp add --transport http {name} {url} {header}"))
        }
        Client::Codex => {
            by_command(format!("codex mcp add {name} --url {url} --bearer-token-env-var {TOKEN_VARIABLE}"))
        }
        Client::Gemini => {
            let header = header(&format!("${TOKEN_VARIABLE}"));
            by_command(format!("gemini mcp add --transport http {header} {name} {url}"))
        }
        Client::Cursor => by_file(exported.clone(), ".cursor/mcp.json", cursor(name, url)),
        Client::Vscode => by_file(make, ".vscode/mcp.json", vscode(name, url)),
    }
}

fn cursor(name: &str, url: &str) -> serde_json::Value {
    let token = format!("Bearer ${{env:{TOKEN_VARIABLE}}}");
    json!({ "mcpServers": { name: { "url": url, "headers": { "Authorization": token } } } })
}

/// Visual Studio Code asks for the token once and keeps it in its own safe.
fn vscode(name: &str, url: &str) -> serde_json::Value {
    json!({
        "inputs": [{ "type": "promptString", "id": "stoa-token", "description": "Stoa token", "password": true }],
        "servers": { name: { "type": "http", "url": url, "headers": { "Authorization": "Bearer ${input:stoa-token}" } } },
    })
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# A token for this agent alone (EMAIL: your account's):")?;
        writeln!(f, "{}\n", self.token_command)?;
        if let Some(command) = &self.command {
            writeln!(f, "# Add the server:\n{command}")?;
        }
        if let (Some(file), Some(content)) = (&self.file, &self.content) {
            let start = match self.client {
                Client::Vscode => "paste the token when it is asked for",
                _ => "start the agent where the variable is set",
            };
            writeln!(f, "# Add to {file} in the project's folder, then {start}:\n{content:#}")?;
        }
        if matches!(self.client, Client::Codex) {
            writeln!(f, "\n# Start codex where {TOKEN_VARIABLE} is set: it reads the token from there.")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "http://localhost:8787/mcp";

    #[test]
    fn commands_carry_the_url_and_never_a_token() {
        let command = |client| steps(client, "stoa", &services::mount("all").unwrap(), URL).command.unwrap();
        assert_eq!(
            command(Client::Claude),
            format!(
                "claude mcp add --transport http stoa {URL} --header 'Authorization: Bearer ${{STOA_TOKEN}}'"
            )
        );
        assert_eq!(
            command(Client::Codex),
            format!("codex mcp add stoa --url {URL} --bearer-token-env-var STOA_TOKEN")
        );
        assert_eq!(
            command(Client::Gemini),
            format!(
                "gemini mcp add --transport http --header 'Authorization: Bearer $STOA_TOKEN' stoa {URL}"
            )
        );
    }

    #[test]
    fn files_are_the_ones_their_editors_read() {
        let file = |client| {
            let steps = steps(client, "stoa", &services::mount("things").unwrap(), URL);
            (steps.file.unwrap(), steps.content.unwrap())
        };
        let (path, content) = file(Client::Cursor);
        assert_eq!(
            (path.as_str(), &content["mcpServers"]["things"]["url"]),
            (".cursor/mcp.json", &json!(URL))
        );
        let (path, content) = file(Client::Vscode);
        assert_eq!(
            (path.as_str(), &content["servers"]["things"]["type"]),
            (".vscode/mcp.json", &json!("http"))
        );
    }
}
