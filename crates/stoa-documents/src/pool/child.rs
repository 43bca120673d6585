//! One worker, as its parent sees it.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use futures::FutureExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout, Command};

use super::Program;
use crate::Reading;
use crate::wire::{Answer, LENGTHS, Request, head, lengths, opening};
use crate::worker::{CPU, DOCUMENTS, MEMORY};

/// Memory beyond which a worker is not asked again, in pages of 4 KiB: it may have kept what it should not.
const WORN_PAGES: u64 = 256 * 1024 * 1024 / 4096;
/// Memory from which on a worker may lack what a new one has, likewise.
const GROWN_PAGES: u64 = 64 * 1024 * 1024 / 4096;
/// How long a worker that no longer speaks may take to end.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Signals by which a process ends that has no memory or no stack left.
const OUT_OF_MEMORY: [i32; 3] = [6, 7, 11];
/// SIGXCPU.
const OUT_OF_CPU: i32 = 24;
/// Signals that come from outside: SIGHUP, SIGINT, SIGQUIT, SIGKILL (also from a system that has no memory left)
/// and SIGTERM.
const FROM_OUTSIDE: [i32; 5] = [1, 2, 3, 9, 15];

/// A worker did not answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Death {
    #[error("reading took too long")]
    Slow,
    #[error("reading took more than {CPU} s of CPU")]
    Cpu,
    #[error("reading took more than {} MiB of memory, or nested too deeply", MEMORY / 1024 / 1024)]
    Memory,
    #[error("the worker ended: {0}")]
    Ended(String),
    /// Nothing that the document did.
    #[error("{0}")]
    Unavailable(String),
}

impl Death {
    pub(super) fn unstarted(error: &io::Error) -> Self {
        Self::Unavailable(format!("the worker can't be started: {error}"))
    }
}

/// A running worker. Dropped, it is killed.
pub(super) struct Child {
    process: tokio::process::Child,
    input: ChildStdin,
    output: ChildStdout,
    documents: u64,
}

impl Child {
    pub(super) fn start(program: &Program) -> io::Result<Self> {
        let mut process = Command::new(&program.path)
            .args(&program.arguments)
            .env_clear()
            // Each of the allocator's arenas would set aside an eighth of the address space.
            .env("MALLOC_ARENA_MAX", "1")
            .env("RAYON_NUM_THREADS", "1")
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            // What is typed to end the server, or sent to its group, is not the workers' to hear.
            .process_group(0)
            .spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        Ok(Self { process, input, output, documents: 0 })
    }

    /// Has a document read.
    pub(super) async fn ask(&mut self, request: Request, bytes: &[u8]) -> Result<Reading, Death> {
        self.documents += 1;
        match self.exchange(request, bytes).await {
            Ok(reading) => Ok(reading),
            Err(problem) => Err(self.death(&problem).await),
        }
    }

    async fn exchange(&mut self, request: Request, bytes: &[u8]) -> io::Result<Reading> {
        self.input.write_all(&opening(&request, bytes)?).await?;
        self.input.write_all(bytes).await?;
        let mut begun = [0; LENGTHS];
        self.output.read_exact(&mut begun).await?;
        let (head_bytes, body_bytes) = lengths::<Answer>(begun)?;
        let answer: Answer = head(&self.take(head_bytes).await?)?;
        answer.reading(request.nonce, self.take(body_bytes).await?)
    }

    async fn take(&mut self, count: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        (&mut self.output).take(count as u64).read_to_end(&mut bytes).await?;
        if bytes.len() == count { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// What it died of.
    async fn death(&mut self, problem: &io::Error) -> Death {
        match tokio::time::timeout(LAST_WORDS, self.process.wait()).await {
            Ok(Ok(status)) => cause(status),
            Ok(Err(error)) => Death::Unavailable(format!("the worker is lost: {error}")),
            // It lives, and talks nonsense.
            Err(_) => Death::Ended(problem.to_string()),
        }
    }

    /// Whether another should take its place.
    pub(super) fn is_worn(&self) -> bool {
        self.documents >= DOCUMENTS || self.resident_pages().is_some_and(|pages| pages > WORN_PAGES)
    }

    /// Whether it has said nothing since its last answer, as it should not.
    pub(super) fn is_silent(&mut self) -> bool {
        self.output.read_u8().now_or_never().is_none()
    }

    /// Whether what it read before may be why it has no memory left.
    pub(super) fn has_grown(&self) -> bool {
        self.resident_pages().is_none_or(|pages| pages > GROWN_PAGES)
    }

    /// The memory that it holds, where the system tells.
    fn resident_pages(&self) -> Option<u64> {
        let statm = std::fs::read_to_string(format!("/proc/{}/statm", self.process.id()?)).ok()?;
        statm.split(' ').nth(1)?.parse().ok()
    }
}

/// Why a process ended. A worker that is killed from outside, or gives up by itself (it can't set its limits,
/// it has no thread, it is no worker at all), says nothing of its document.
fn cause(status: ExitStatus) -> Death {
    match status.signal() {
        Some(OUT_OF_CPU) => Death::Cpu,
        Some(signal) if OUT_OF_MEMORY.contains(&signal) => Death::Memory,
        Some(signal) if !FROM_OUTSIDE.contains(&signal) => Death::Ended(status.to_string()),
        _ => Death::Unavailable(format!("the worker ended: {status}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_some_deaths_are_the_documents_fault() {
        // As the system reports them: a signal in the lower byte, an exit code in the upper one.
        let died = |status| cause(ExitStatus::from_raw(status));
        assert!(matches!(died(24), Death::Cpu));
        assert!(matches!(died(6), Death::Memory));
        assert!(matches!(died(11), Death::Memory));
        assert!(matches!(died(4), Death::Ended(_)));
        for outside in [1, 2, 9, 15, 0, 1 << 8] {
            assert!(matches!(died(outside), Death::Unavailable(_)), "{outside}");
        }
    }
}
