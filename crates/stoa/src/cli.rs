//! The command line. What each command takes stands in the command's own file.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::commands::{
    account, audit, backup, connect, doctor, restore, serve, things, token, worker, workspace,
};
use crate::config::Flags;

/// Where settings come from.
const SETTINGS_HELP: &str = "Settings come from the flags, else from STOA_ variables (STOA_DATA, STOA_LISTEN, \
    STOA_PUBLIC_URL, STOA_DATABASE_URL, …), else from stoa.toml in the working folder or the file that STOA_CONFIG \
    names.";
/// Help of `--database-url`.
const DATABASE_HELP: &str = "sqlite:PATH or postgres://USER@HOST/NAME [default: SQLite in the data folder]";

/// Where people and their coding agents meet over MCP.
#[derive(Debug, Parser)]
#[command(name = "stoa", version, propagate_version = true, max_term_width = 100, after_help = SETTINGS_HELP)]
pub struct Cli {
    /// What every command takes.
    #[command(flatten)]
    pub global: Global,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// What every command takes.
#[derive(Debug, Args)]
pub struct Global {
    /// The folder of the database, the blobs and the secret key [default: ./stoa-data]
    #[arg(long, global = true, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Where the database is.
    #[arg(long, global = true, value_name = "URL", help = DATABASE_HELP)]
    pub database_url: Option<String>,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve people and agents until stopped
    Serve(serve::Serve),
    /// Print a new link that makes the owner's account, where there is none yet
    SetupLink,
    /// Accounts: the people
    #[command(subcommand)]
    Account(account::Account),
    /// Workspaces: the tenants
    #[command(subcommand)]
    Workspace(workspace::Workspace),
    /// Personal tokens of agents
    #[command(subcommand)]
    Token(token::Token),
    /// The catalog of files: connect, sync, search
    #[command(subcommand)]
    Things(things::Things),
    /// Print what to run, or which file to add, to connect an agent
    Connect(connect::Connect),
    /// Check every outside part: found or not, and what it is for
    Doctor(doctor::Doctor),
    /// The audit: verify it, export it
    #[command(subcommand)]
    Audit(audit::Audit),
    /// Write everything to one portable file
    Backup(backup::Backup),
    /// Load a backup
    Restore(restore::Restore),
    /// Print the version
    Version,
    /// Read documents for a server that asks on standard input
    #[command(hide = true)]
    Worker(worker::Worker),
}

impl Cli {
    /// The flags that set the configuration.
    #[must_use]
    pub fn flags(&self) -> Flags {
        let mut flags = Flags {
            data: self.global.data.clone(),
            database_url: self.global.database_url.clone(),
            ..Flags::default()
        };
        if let Command::Serve(serve) = &self.command {
            flags.listen.clone_from(&serve.listen);
            flags.public_url.clone_from(&serve.public_url);
            flags.tls_cert.clone_from(&serve.tls_cert);
            flags.tls_key.clone_from(&serve.tls_key);
        }
        flags
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
