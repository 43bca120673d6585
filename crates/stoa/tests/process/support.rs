//! A Stoa of a test's own: a data folder, a database, a port, and the real binary.

use std::fs::OpenOptions;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use stoa_store::blob::S3Config;
use stoa_store::{Database, DatabaseUrl};
use stoa_testing::TestBucket;
use tempfile::{NamedTempFile, TempDir};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, Command};

/// How long a state may take to come before a test gives up.
const PATIENCE: Duration = Duration::from_mins(1);

/// Where a Stoa keeps what it knows.
pub struct Place {
    pub data: TempDir,
    pub database_url: Option<String>,
    pub key_file: Option<PathBuf>,
    /// The bucket that holds the bytes; without one they are in the data folder.
    pub bucket: Option<Arc<TestBucket>>,
    /// What its servers log.
    log: NamedTempFile,
}

impl Place {
    /// SQLite in a data folder of the test's own.
    pub fn sqlite() -> Self {
        Self {
            data: tempfile::tempdir().unwrap(),
            database_url: None,
            key_file: None,
            bucket: None,
            log: NamedTempFile::new().unwrap(),
        }
    }

    /// A PostgreSQL database of the test's own.
    pub async fn postgres() -> Self {
        Self::on(stoa_testing::new_postgres_database().await)
    }

    /// Whatever database the URL names.
    pub fn on(database_url: String) -> Self {
        Self { database_url: Some(database_url), ..Self::sqlite() }
    }

    /// One of each.
    pub async fn both() -> [Self; 2] {
        [Self::sqlite(), Self::postgres().await]
    }

    /// A node that shares all it keeps: PostgreSQL and a bucket of the test's own.
    pub async fn node() -> Self {
        Self { bucket: Some(Arc::new(TestBucket::start().await)), ..Self::postgres().await }
    }

    /// A second node of the same Stoa: the same database, key and bucket, its own data folder.
    pub fn second_node(&self) -> Self {
        let key_file = self.key_file.clone().or_else(|| Some(self.data.path().join("secret.key")));
        Self {
            database_url: self.database_url.clone(),
            key_file,
            bucket: self.bucket.clone(),
            ..Self::sqlite()
        }
    }

    /// The binary, told where this place is and nothing else.
    pub fn binary(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stoa"));
        command
            .kill_on_drop(true)
            .env_clear()
            .env("STOA_DATA", self.data.path())
            // Waiting for states is many calls.
            .env("STOA_THINGS__MCP_LIMIT", "100000")
            .env("STOA_FLOOD__PER_SECOND", "100000")
            .stdin(Stdio::null());
        if let Some(url) = &self.database_url {
            command.env("STOA_DATABASE_URL", url);
        }
        if let Some(file) = &self.key_file {
            command.env("STOA_SECRET_KEY_FILE", file);
        }
        if let Some(bucket) = &self.bucket {
            command.envs(environment(&bucket.config));
        }
        command
    }

    /// Runs a command to its end.
    pub async fn run(&self, arguments: &[&str]) -> Output {
        ended(self.binary().args(arguments)).await
    }

    /// Runs a command to its end with something to read.
    pub async fn run_with_input(&self, arguments: &[&str], input: &str) -> Output {
        let mut command = self.binary();
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).await.unwrap();
        child.wait_with_output().await.unwrap()
    }

    /// Runs a command that must end with this exit code and print nothing, and gives what it complained of.
    pub async fn refused(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.run(arguments).await;
        let complaint = String::from_utf8(output.stderr).unwrap().trim_end().to_owned();
        assert_eq!(output.status.code(), Some(code), "stoa {arguments:?}: {complaint}");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "", "stoa {arguments:?}");
        complaint
    }

    /// Runs a command that must succeed, and gives what it printed.
    pub async fn stoa(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments).await;
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "stoa {arguments:?}: {errors}");
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    /// Runs a command that must succeed, and gives the JSON it printed.
    pub async fn json(&self, arguments: &[&str]) -> Value {
        let printed = self.stoa(&[arguments, &["--json"]].concat()).await;
        serde_json::from_str(&printed).unwrap()
    }

    /// Makes the account of a person who owns the workspace `default`, and a token for things.
    pub async fn owner_token(&self) -> String {
        self.stoa(&["account", "add", "owner@example.com"]).await;
        self.token(&["--mount", "things", "--run-budget", "100000"]).await
    }

    /// Makes a token of the owner.
    pub async fn token(&self, arguments: &[&str]) -> String {
        self.stoa(&[&["token", "add", "--account", "owner@example.com"], arguments].concat()).await
    }

    /// Connects a folder.
    pub async fn add_folder(&self, name: &str, path: &Path) -> String {
        let setting = format!("path={}", path.display());
        self.stoa(&["things", "add", "--connector", "folder", "--name", name, "--set", &setting]).await
    }

    /// Its database, without a server in between.
    pub async fn database(&self) -> Database {
        let url = match &self.database_url {
            Some(url) => DatabaseUrl::Postgres(url.clone()),
            None => DatabaseUrl::Sqlite(self.data.path().join("stoa.db")),
        };
        Database::open(&url).await.unwrap()
    }

    /// What its servers have logged.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.log.path()).unwrap()
    }

    /// Starts a server and waits until it is ready.
    pub async fn serve(&self) -> Server {
        self.start(self.binary()).await
    }

    /// Starts a server of a binary that was told more, and waits until it is ready.
    pub async fn start(&self, binary: Command) -> Server {
        let port = free_port();
        let server = self.spawn(binary, port, format!("http://localhost:{port}"));
        server.ready(&reqwest::Client::new()).await;
        server
    }

    /// Starts a server that listens on this port and is reached at that URL.
    pub fn spawn(&self, mut binary: Command, port: u16, public_url: String) -> Server {
        let log = OpenOptions::new().append(true).open(self.log.path()).unwrap();
        let child = binary
            .args(["serve", "--listen", &format!("127.0.0.1:{port}")])
            .args(["--public-url", &public_url])
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        Server { child, port, public_url }
    }
}

/// How the binary is told of a bucket.
fn environment(config: &S3Config) -> [(&'static str, String); 6] {
    [
        ("STOA_BLOBS__BUCKET", config.bucket.clone()),
        ("STOA_BLOBS__ENDPOINT", config.endpoint.clone().unwrap()),
        ("STOA_BLOBS__REGION", config.region.clone()),
        ("STOA_BLOBS__ACCESS_KEY", config.access_key.clone()),
        ("STOA_BLOBS__SECRET_KEY", config.secret_key.clone()),
        ("STOA_BLOBS__PREFIX", config.prefix.clone()),
    ]
}

/// Runs a command to its end, which must come.
pub async fn ended(command: &mut Command) -> Output {
    tokio::time::timeout(PATIENCE, command.output()).await.expect("the command ends").unwrap()
}

/// A port that was free a moment ago.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A running server.
pub struct Server {
    child: Child,
    pub port: u16,
    pub public_url: String,
}

impl Server {
    /// The endpoint of a mount: `/things/mcp`.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.public_url)
    }

    /// Waits until this client finds it ready.
    pub async fn ready(&self, http: &reqwest::Client) {
        until("the server is ready", || async {
            http.get(self.url("/readyz")).send().await.ok().filter(|answer| answer.status().is_success())
        })
        .await;
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id().unwrap()
    }

    /// A client with a token.
    pub fn client(&self, token: &str) -> Client {
        self.client_over(reqwest::Client::new(), token)
    }

    /// A client with a token that has this way to the server.
    pub fn client_over(&self, http: reqwest::Client, token: &str) -> Client {
        Client { url: self.url("/things/mcp"), token: token.to_owned(), http }
    }

    /// The memory that is its own, in bytes.
    pub fn memory(&self) -> u64 {
        self.state().memory
    }

    /// What the system says of the process.
    pub fn state(&self) -> State {
        let pid = self.child.id().unwrap();
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let number = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name)).unwrap();
            line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()
        };
        State {
            memory: number("RssAnon:") * 1024,
            threads: number("Threads:"),
            files: std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count(),
        }
    }

    /// Kills it as `kill -9` does.
    pub async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    /// Asks it to stop and waits until it has.
    pub async fn stop(mut self) -> ExitStatus {
        self.terminate().await;
        self.ended().await
    }

    /// Asks it to stop.
    pub async fn terminate(&self) {
        self.signal("-TERM").await;
    }

    /// Sends it a signal, as `kill` names it.
    pub async fn signal(&self, name: &str) {
        let pid = self.pid().to_string();
        Command::new("kill").args([name, &pid]).status().await.unwrap();
    }

    /// Waits until it has stopped.
    pub async fn ended(&mut self) -> ExitStatus {
        tokio::time::timeout(PATIENCE, self.child.wait()).await.expect("the server stops when asked").unwrap()
    }
}

/// A process as the system sees it.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// Memory that is its own, in bytes.
    pub memory: u64,
    /// Threads.
    pub threads: u64,
    /// Open file descriptors.
    pub files: usize,
}

/// A caller of tools over plain HTTP.
#[derive(Clone)]
pub struct Client {
    url: String,
    token: String,
    http: reqwest::Client,
}

impl Client {
    /// Calls a tool; `None` when no answer came back. `trace` marks the call in the audit.
    pub async fn try_call(&self, tool: &str, arguments: Value, trace: &str) -> Option<Value> {
        let body = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": tool, "arguments": arguments },
        });
        let sent = self
            .http
            .post(&self.url)
            .bearer_auth(&self.token)
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2025-11-25")
            .header("traceparent", format!("00-{trace}-00f067aa0ba902b7-01"))
            .json(&body)
            .send();
        let answer = sent.await.ok()?;
        let status = answer.status();
        let answer: Value = answer.json().await.ok()?;
        (status != 503).then_some(answer)
    }

    /// Calls a tool and gives its `structuredContent`.
    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.try_call(tool, arguments, &trace_id()).await.expect("the server answers");
        answer["result"]["structuredContent"].clone()
    }

    /// The HTTP status of a call.
    pub async fn status(&self) -> u16 {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
        let sent = self.http.post(&self.url).bearer_auth(&self.token).json(&body).send();
        sent.await.unwrap().status().as_u16()
    }

    /// Waits until no run is queued or running any more.
    pub async fn runs_ended(&self) {
        until("every run has ended", || async {
            let runs = self.call("list_runs", json!({})).await;
            let live = |run: &Value| run["status"] == "queued" || run["status"] == "running";
            runs["runs"].as_array().is_some_and(|runs| !runs.iter().any(live)).then_some(())
        })
        .await;
    }
}

/// A trace id (W3C) that no other call has.
pub fn trace_id() -> String {
    hex::encode(stoa_base::Ambient::system().bytes::<16>())
}

/// Waits for a state.
pub async fn until<T, F: Future<Output = Option<T>>>(what: &str, mut look: impl FnMut() -> F) -> T {
    let waiting = async {
        loop {
            if let Some(state) = look().await {
                return state;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.unwrap_or_else(|_| panic!("never came: {what}"))
}
