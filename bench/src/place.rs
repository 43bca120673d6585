//! A Stoa of the bench's own: a data folder, a database, the release binary.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;
use tempfile::TempDir;
use tokio::process::Command;

use crate::server::Server;
use crate::{Bench, Outcome};

/// A limit that no load reaches.
const NO_LIMIT: &str = "1000000000";
const OWNER: &str = "owner@example.com";

/// Where a Stoa keeps what it knows.
pub struct Place<'a> {
    pub bench: &'a Bench,
    pub data: TempDir,
    database_url: Option<String>,
}

impl<'a> Place<'a> {
    /// Nobody's yet, on SQLite.
    pub fn sqlite(bench: &'a Bench) -> Outcome<Self> {
        Ok(Self { bench, data: tempfile::tempdir()?, database_url: None })
    }

    /// Nobody's yet, on a PostgreSQL database of its own.
    pub async fn postgres(bench: &'a Bench) -> Outcome<Self> {
        let place = Self::sqlite(bench)?;
        let server = postgres_server()?;
        let name = format!("bench_{}", bench.ambient.now().as_micros());
        let create = format!("CREATE DATABASE {name}");
        let made = Command::new("psql").args(["-q", "-d", &server, "-c", &create]).status().await?;
        let (server, _database) = server.rsplit_once('/').filter(|_| made.success()).ok_or("no database")?;
        Ok(Self { database_url: Some(format!("{server}/{name}")), ..place })
    }

    pub const fn database(&self) -> &'static str {
        if self.database_url.is_some() { "PostgreSQL" } else { "SQLite" }
    }

    fn at_home(&self, mut command: Command) -> Command {
        command.env("STOA_DATA", self.data.path()).stdin(Stdio::null()).stderr(Stdio::inherit());
        command
            .env("STOA_LOG__LEVEL", "warn")
            .env("STOA_FLOOD__PER_SECOND", NO_LIMIT)
            .env("STOA_THINGS__MCP_LIMIT", NO_LIMIT);
        if let Some(url) = &self.database_url {
            command.env("STOA_DATABASE_URL", url);
        }
        command
    }

    /// Runs a command of `stoa` on all cores and gives what it printed.
    pub async fn stoa(&self, arguments: &[&str]) -> Outcome<String> {
        let mut command = self.at_home(self.bench.cores.all(&binary("stoa")?));
        let output = command.args(arguments).output().await?;
        if !output.status.success() {
            return Err(format!("stoa {arguments:?}: {}", output.status).into());
        }
        Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
    }

    /// The same, for what it printed as JSON.
    pub async fn json(&self, arguments: &[&str]) -> Outcome<Value> {
        Ok(serde_json::from_str(&self.stoa(&[arguments, &["--json"]].concat()).await?)?)
    }

    pub async fn add_owner(&self) -> Outcome<()> {
        self.stoa(&["account", "add", OWNER]).await.map(drop)
    }

    /// A token of the owner's, as `token add` tells of it.
    pub async fn add_token(&self) -> Outcome<Value> {
        self.json(&["token", "add", "--account", OWNER, "--mount", "things"]).await
    }

    /// Connects a folder and gives the resource's id.
    pub async fn add_folder(&self, folder: &Path) -> Outcome<String> {
        let path = format!("path={}", folder.display());
        self.stoa(&["things", "add", "--connector", "folder", "--name", "files", "--set", &path]).await
    }

    /// `stoa serve`, ready, on one core.
    pub async fn serve(&self) -> Outcome<Server> {
        let command = |port| {
            let mut command = self.server("stoa", port)?;
            command.arg("serve");
            Ok(command)
        };
        Server::start(&self.bench.ambient, command).await
    }

    /// The kit, ready, on one core.
    pub async fn serve_kit(&self) -> Outcome<Server> {
        Server::start(&self.bench.ambient, |port| self.server("kit", port)).await
    }

    fn server(&self, program: &str, port: u16) -> Outcome<Command> {
        let mut command = self.at_home(self.bench.cores.server(&binary(program)?));
        command.env("STOA_LISTEN", format!("127.0.0.1:{port}"));
        Ok(command)
    }
}

/// The bare endpoint, ready, on one core.
pub async fn serve_bare(bench: &Bench) -> Outcome<Server> {
    let command = |port| {
        let mut command = bench.cores.server(&binary("bench")?);
        command.args(["bare", &format!("127.0.0.1:{port}")]);
        Ok(command)
    };
    Server::start(&bench.ambient, command).await
}

/// The superuser's URL of the server that scripts/postgres.sh started.
#[expect(clippy::disallowed_methods, reason = "scripts/postgres.sh says it in the environment")]
fn postgres_server() -> Outcome<String> {
    let url = std::env::var("STOA_TEST_POSTGRES_URL");
    Ok(url.map_err(|_| "STOA_TEST_POSTGRES_URL is not set: run `make bench`")?)
}

/// A program that was built with this one.
fn binary(name: &str) -> Outcome<PathBuf> {
    Ok(std::env::current_exe()?.with_file_name(name))
}
