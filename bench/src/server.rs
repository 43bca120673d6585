//! A server as a child, and what it uses of the machine.

use std::net::TcpListener;
use std::process::Stdio;
use std::time::Duration;

use stoa_base::Ambient;
use tokio::process::{Child, Command};

use crate::Outcome;
use crate::http::Connection;
use crate::quiet::TICKS_PER_SECOND;

/// How often a starting server is asked whether it is ready.
const ASK: Duration = Duration::from_millis(1);
/// When a server that does not stop is given up.
const PATIENCE: Duration = Duration::from_mins(2);

/// A running server. Dropped, it is killed.
pub struct Server {
    child: Child,
    pub pid: Pid,
    pub port: u16,
    /// From its start until `/readyz` said yes.
    pub started_in: Duration,
}

impl Server {
    /// Starts `command`, made for a free port, and waits until it is ready.
    pub async fn start(ambient: &Ambient, command: impl FnOnce(u16) -> Outcome<Command>) -> Outcome<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut command = command(port)?;
        let began = ambient.now();
        let mut child = command.stdout(Stdio::null()).kill_on_drop(true).spawn()?;
        tokio::select! {
            () = ready(port) => {}
            ended = child.wait() => return Err(format!("a server ended at once: {}", ended?).into()),
        }
        let pid = Pid(child.id().ok_or("the server has ended")?);
        Ok(Self { child, pid, port, started_in: ambient.now().since(began) })
    }

    /// Ends it by SIGKILL.
    pub async fn kill(mut self) -> Outcome<()> {
        Ok(self.child.kill().await?)
    }

    /// Asks it to stop and waits until it has.
    pub async fn stop(mut self) -> Outcome<()> {
        Command::new("kill").args(["-TERM", &self.pid.0.to_string()]).status().await?;
        tokio::time::timeout(PATIENCE, self.child.wait()).await??;
        Ok(())
    }
}

/// A process.
#[derive(Clone, Copy)]
pub struct Pid(u32);

impl Pid {
    /// The processor time that it has used: `utime` and `stime` of `proc_pid_stat(5)`.
    pub fn cpu(self) -> Outcome<Duration> {
        let stat = self.proc("stat")?;
        let (_name, fields) = stat.rsplit_once(") ").ok_or("no stat")?;
        let times = fields.split(' ').skip(11).take(2).map(str::parse::<u32>);
        let ticks: u32 = times.sum::<Result<_, _>>()?;
        Ok(Duration::from_secs_f64(f64::from(ticks) / TICKS_PER_SECOND))
    }

    /// Its resident memory in MB: `VmRSS` of `proc_pid_status(5)`.
    pub fn memory(self) -> Outcome<f64> {
        let status = self.proc("status")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
        let kilobytes: u32 = line.trim().trim_end_matches(" kB").parse()?;
        Ok(f64::from(kilobytes) / 1_000.0)
    }

    /// How many entries a folder of its `proc(5)` has: `fd` open files, `task` threads.
    pub fn entries(self, folder: &str) -> Outcome<usize> {
        Ok(std::fs::read_dir(format!("/proc/{}/{folder}", self.0))?.count())
    }

    fn proc(self, file: &str) -> Outcome<String> {
        Ok(std::fs::read_to_string(format!("/proc/{}/{file}", self.0))?)
    }
}

async fn ready(port: u16) {
    let request = format!("GET /readyz HTTP/1.1\r\nhost: localhost:{port}\r\n\r\n");
    while !is_ready(port, request.as_bytes()).await.unwrap_or(false) {
        tokio::time::sleep(ASK).await;
    }
}

async fn is_ready(port: u16, request: &[u8]) -> std::io::Result<bool> {
    Ok(Connection::open(port).await?.exchange(request).await?.status == 200)
}
