//! What Stoa is measured against.

pub mod bare;
pub mod files;

use std::path::{Path, PathBuf};

use tokio::process::Command;

use crate::place::binary;
use crate::request::Era;
use crate::server::Server;
use crate::{Bench, Outcome};

/// What Stoa's calls a second must be, as a multiple of a peer's.
#[derive(Clone, Copy)]
pub enum Bar {
    /// At least so much.
    AtLeast(f64),
    /// So much is aimed at.
    Aim(f64),
}

/// Another server with the tool `echo` at the same path, which asks nobody who they are.
pub struct Peer {
    pub name: &'static str,
    pub server: Server,
    /// The eras that it speaks.
    pub eras: &'static [Era],
    pub bar: Bar,
}

/// All of them, ready, each on the server's core. The bare one first.
pub async fn start_all(bench: &Bench) -> Outcome<[Peer; 4]> {
    let peer = |name, server, eras, bar| Peer { name, server, eras, bar };
    let (typescript, fastmcp) = (source("typescript/server.js"), source("fastmcp/server.py"));
    Ok([
        peer("bare", bare(bench).await?, &Era::ALL, Bar::AtLeast(0.2)),
        peer("rmcp", rmcp(bench).await?, &Era::ALL, Bar::Aim(1.0)),
        peer(
            "TypeScript SDK",
            script(bench, Path::new("node"), &typescript).await?,
            &[Era::Legacy],
            Bar::AtLeast(8.0),
        ),
        peer("FastMCP", script(bench, &python()?, &fastmcp).await?, &Era::ALL, Bar::AtLeast(20.0)),
    ])
}

/// The bare endpoint, which this program can be too.
pub async fn bare(bench: &Bench) -> Outcome<Server> {
    let command = |port| {
        let mut command = bench.site.cores.server(&binary("bench")?);
        command.args(["bare", &format!("127.0.0.1:{port}")]);
        Ok(command)
    };
    Server::start(&bench.site.ambient, command).await
}

async fn rmcp(bench: &Bench) -> Outcome<Server> {
    let command = |port| {
        let mut command = bench.site.cores.server(&binary("rmcp-peer")?);
        command.arg(format!("127.0.0.1:{port}"));
        Ok(command)
    };
    Server::start(&bench.site.ambient, command).await
}

async fn script(bench: &Bench, interpreter: &Path, script: &Path) -> Outcome<Server> {
    let command = |port: u16| {
        let mut command: Command = bench.site.cores.server(interpreter);
        command.arg(script).arg(port.to_string());
        Ok(command)
    };
    Server::start(&bench.site.ambient, command).await
}

/// A file of the folder `bench/peers`.
pub fn source(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers").join(file)
}

/// The Python that scripts/prepare-bench.sh gave the peers' packages to.
pub fn python() -> Outcome<PathBuf> {
    let target = binary("bench")?.ancestors().nth(2).ok_or("no target folder")?.to_owned();
    Ok(target.join("bench/venv/bin/python"))
}
