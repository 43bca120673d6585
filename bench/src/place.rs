//! A Stoa of the bench's own: a data folder, a database, the release binary.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;
use tempfile::TempDir;
use tokio::process::Command;

use crate::server::Server;
use crate::{Outcome, Site};

/// A limit that no load reaches.
const NO_LIMIT: &str = "1000000000";
const OWNER: &str = "owner@example.com";

/// Where a Stoa keeps what it knows.
pub struct Place<'a> {
    site: &'a Site,
    pub data: TempDir,
    database_url: Option<String>,
    /// The secret key, where it is not in the data folder.
    key: Option<PathBuf>,
}

impl<'a> Place<'a> {
    /// Nobody's yet, on SQLite.
    pub fn sqlite(site: &'a Site) -> Outcome<Self> {
        Ok(Self { site, data: tempfile::tempdir()?, database_url: None, key: None })
    }

    /// Nobody's yet, on a PostgreSQL database of its own.
    pub async fn postgres(site: &'a Site) -> Outcome<Self> {
        let place = Self::sqlite(site)?;
        let server = postgres_server()?;
        let name = format!("bench_{}", site.ambient.now().as_micros());
        let create = format!("CREATE DATABASE {name}");
        let made = Command::new("psql").args(["-q", "-d", &server, "-c", &create]).status().await?;
        let (server, _database) = server.rsplit_once('/').filter(|_| made.success()).ok_or("no database")?;
        Ok(Self { database_url: Some(format!("{server}/{name}")), ..place })
    }

    /// Another node's: the same database and key, a data folder of its own.
    pub fn beside(&self) -> Outcome<Self> {
        let (database_url, key) = (self.database_url.clone(), Some(self.data.path().join("secret.key")));
        Ok(Self { site: self.site, data: tempfile::tempdir()?, database_url, key })
    }

    pub const fn database(&self) -> &'static str {
        if self.database_url.is_some() { "PostgreSQL" } else { "SQLite" }
    }

    fn at_home(&self, mut command: Command) -> Command {
        command.env("STOA_DATA", self.data.path()).stdin(Stdio::null()).stderr(Stdio::inherit());
        command
            .env("STOA_LOG__LEVEL", "warn")
            .env("STOA_FLOOD__PER_SECOND", NO_LIMIT)
            .env("STOA_THINGS__MCP_LIMIT", NO_LIMIT)
            .env("STOA_THINGS__RUN_BUDGET", NO_LIMIT);
        if let Some(key) = &self.key {
            command.env("STOA_SECRET_KEY_FILE", key);
        }
        if let Some(url) = &self.database_url {
            command.env("STOA_DATABASE_URL", url);
        }
        command
    }

    /// Runs a command of `stoa` on all cores and gives what it printed.
    pub async fn stoa(&self, arguments: &[&str]) -> Outcome<String> {
        self.run("stoa", arguments).await
    }

    /// Runs this program in another role, at this place.
    pub async fn bench_role(&self, arguments: &[&str]) -> Outcome<String> {
        self.run("bench", arguments).await
    }

    async fn run(&self, program: &str, arguments: &[&str]) -> Outcome<String> {
        let mut command = self.at_home(self.site.cores.all(&binary(program)?));
        // Not `output()`, which would take what it says on standard error too.
        let child = command.args(arguments).stdout(Stdio::piped()).spawn()?;
        let output = child.wait_with_output().await?;
        if !output.status.success() {
            return Err(format!("{program} {arguments:?}: {}", output.status).into());
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
        self.add_token_with(&[]).await
    }

    /// The same, with options.
    pub async fn add_token_with(&self, options: &[&str]) -> Outcome<Value> {
        let add = ["token", "add", "--account", OWNER, "--mount", "things"];
        self.json(&[&add, options].concat()).await
    }

    /// A token of the owner's, by itself.
    pub async fn owner_token(&self) -> Outcome<String> {
        Ok(self.add_token().await?["token"].as_str().ok_or("no token")?.to_owned())
    }

    /// Connects a folder and gives the resource's id.
    pub async fn add_folder(&self, folder: &Path) -> Outcome<String> {
        self.add_folder_in("default", folder).await
    }

    /// The same, in another workspace.
    pub async fn add_folder_in(&self, workspace: &str, folder: &Path) -> Outcome<String> {
        let path = format!("path={}", folder.display());
        let add = ["things", "add", "--connector", "folder", "--name", "files", "--set", &path];
        self.stoa(&[&add[..], &["--workspace", workspace]].concat()).await
    }

    /// Adds a workspace of the owner's.
    pub async fn add_workspace(&self, name: &str) -> Outcome<()> {
        self.stoa(&["workspace", "add", name, "--owner", OWNER]).await.map(drop)
    }

    /// The one value that a query of its PostgreSQL database gives.
    pub async fn psql(&self, query: &str) -> Outcome<String> {
        let url = self.database_url.as_deref().ok_or("no PostgreSQL")?;
        let output = Command::new("psql").args(["-qAt", "-d", url, "-c", query]).output().await?;
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }

    /// `stoa serve`, ready, on one core.
    pub async fn serve(&self) -> Outcome<Server> {
        let command = |port| {
            let mut command = self.server("stoa", port)?;
            command.arg("serve");
            Ok(command)
        };
        Server::start(&self.site.ambient, command).await
    }

    /// `stoa serve`, ready, on all cores.
    pub async fn serve_on_all_cores(&self) -> Outcome<Server> {
        let command = |port| {
            let mut command = self.listening(self.site.cores.all(&binary("stoa")?), port);
            command.arg("serve");
            Ok(command)
        };
        Server::start(&self.site.ambient, command).await
    }

    /// The kit, ready, on one core.
    pub async fn serve_kit(&self) -> Outcome<Server> {
        Server::start(&self.site.ambient, |port| self.server("kit", port)).await
    }

    fn server(&self, program: &str, port: u16) -> Outcome<Command> {
        Ok(self.listening(self.site.cores.server(&binary(program)?), port))
    }

    fn listening(&self, command: Command, port: u16) -> Command {
        let mut command = self.at_home(command);
        command.env("STOA_LISTEN", format!("127.0.0.1:{port}"));
        command
    }
}

/// The superuser's URL of the server that scripts/postgres.sh started.
#[expect(clippy::disallowed_methods, reason = "scripts/postgres.sh says it in the environment")]
fn postgres_server() -> Outcome<String> {
    let url = std::env::var("STOA_TEST_POSTGRES_URL");
    Ok(url.map_err(|_| "STOA_TEST_POSTGRES_URL is not set: run `make bench`")?)
}

/// A program that was built with this one.
pub fn binary(name: &str) -> Outcome<PathBuf> {
    Ok(std::env::current_exe()?.with_file_name(name))
}
