//! `stoa connect`: what to run, or which file to add, so that an agent uses this server with a token.

use std::fmt;

use clap::{Args, ValueEnum};
use serde::Serialize;
use stoa_site::connect::{Agent, TOKEN_VARIABLE, Way};

use crate::commands::Context;
use crate::failure::Failure;
use crate::services::{self, Mount};

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

impl Client {
    const fn agent(self) -> Agent {
        match self {
            Self::Claude => Agent::Claude,
            Self::Codex => Agent::Codex,
            Self::Cursor => Agent::Cursor,
            Self::Gemini => Agent::Gemini,
            Self::Vscode => Agent::Vscode,
        }
    }
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
    let make = format!("{program} token add --account EMAIL --mount {}", mount.name);
    let exported = format!("export {TOKEN_VARIABLE}=\"$({make})\"");
    let token_command = if matches!(client, Client::Vscode) { make } else { exported };
    let (command, file, content) = match client.agent().with_token(mount.server_name, url) {
        Way::Command(command) => (Some(command), None, None),
        Way::File { path, content } => (None, Some(path.to_owned()), Some(content)),
    };
    Steps { client, url: url.to_owned(), token_command, command, file, content }
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
