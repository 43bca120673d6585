//! The parent's side: as many workers as may be busy at once, started when they are needed, ended when they
//! have been idle, taken away when they misbehave.

mod child;

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use stoa_base::Ambient;
use tokio::sync::Semaphore;

use self::child::{Child, Death};
use crate::wire::Request;
use crate::{Documents, Engine, Format, INPUT_BYTES, Problem, Reading};

/// How long a document may take by the clock on the wall. Longer than its seconds of CPU: the machine may
/// have other things to do.
const PATIENCE: Duration = Duration::from_mins(1);
/// Between two looks at which workers are idle: one that is at two of them in a row is ended.
const SWEEP: Duration = Duration::from_secs(30);

/// How a worker is started: a program that calls [`crate::worker::run`] when it is given these arguments.
#[derive(Clone, Debug)]
pub struct Program {
    /// Where the program is.
    pub path: PathBuf,
    /// What it is given.
    pub arguments: Vec<String>,
}

/// Workers. Cheap to clone; the last clone ends them.
#[derive(Clone)]
pub struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    program: Program,
    ambient: Ambient,
    /// As many as may work at once.
    turns: Semaphore,
    idle: Mutex<Idle>,
}

/// The workers that wait.
#[derive(Default)]
struct Idle {
    workers: Vec<Parked>,
    /// Whether somebody looks for those that wait too long.
    sweeping: bool,
}

struct Parked {
    child: Child,
    /// Whether it was idle at the last sweep already.
    swept: bool,
}

impl Pool {
    /// A pool of at most `most` workers at once. Nothing is started yet.
    #[must_use]
    pub fn new(ambient: Ambient, program: Program, most: usize) -> Self {
        let turns = Semaphore::new(most.max(1));
        Self { shared: Arc::new(Shared { program, ambient, turns, idle: Mutex::default() }) }
    }

    /// How many workers wait for something to do.
    #[must_use]
    pub fn idle(&self) -> usize {
        self.shared.idle().workers.len()
    }

    async fn read_in_turn(&self, bytes: Vec<u8>, hint: Option<Format>) -> Reading {
        if bytes.len() > INPUT_BYTES {
            let problem = format!("{} bytes; documents are read up to {INPUT_BYTES}", bytes.len());
            return Reading::failed(hint, &problem);
        }
        let Ok(_turn) = self.shared.turns.acquire().await else {
            return Reading::unavailable(hint, "the workers are gone");
        };
        let (mut format, mut deaths) = (hint, Vec::new());
        // Only the bytes tell how many parsers there are: as many as are passed over before none is left.
        while deaths.len() < Engine::MOST {
            match self.attempt(hint, deaths.len(), &bytes).await {
                Ok(reading) if !deaths.is_empty() && reading.outcome == Err(Problem::Unsupported) => {
                    format = reading.format.or(hint);
                    break;
                }
                Ok(reading) => return reading,
                Err(Death::Unavailable(reason)) => return Reading::unavailable(hint, &reason),
                Err(death) => deaths.push(death.to_string()),
            }
        }
        Reading::failed(format, &deaths.join("; then "))
    }

    /// One parser's try. Where a worker that read others before has died of them, a new one is asked.
    async fn attempt(&self, hint: Option<Format>, skip: usize, bytes: &[u8]) -> Result<Reading, Death> {
        let request = Request { hint, skip, nonce: u64::from_le_bytes(self.shared.ambient.bytes()) };
        if let Some(child) = self.shared.waiting() {
            let has_grown = child.has_grown();
            match self.ask(child, request, bytes).await {
                Err(Death::Unavailable(_)) => {}
                Err(Death::Memory) if has_grown => {}
                outcome => return outcome,
            }
        }
        let child = Child::start(&self.shared.program).map_err(|error| Death::unstarted(&error))?;
        self.ask(child, request, bytes).await
    }

    /// Asks a worker, which is dropped, and so killed, unless it answers well.
    async fn ask(&self, mut child: Child, request: Request, bytes: &[u8]) -> Result<Reading, Death> {
        let asked = tokio::time::timeout(PATIENCE, child.ask(request, bytes)).await;
        let reading = asked.unwrap_or(Err(Death::Slow))?;
        if !child.is_worn() {
            self.park(child);
        }
        Ok(reading)
    }

    fn park(&self, child: Child) {
        let mut idle = self.shared.idle();
        if !std::mem::replace(&mut idle.sweeping, true) {
            tokio::spawn(sweep(Arc::downgrade(&self.shared)));
        }
        idle.workers.push(Parked { child, swept: false });
    }
}

impl Shared {
    fn idle(&self) -> MutexGuard<'_, Idle> {
        // A list of children is whole whatever happened to its holder.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A worker that waits. One that says something unasked, or has ended meanwhile, is dropped.
    fn waiting(&self) -> Option<Child> {
        loop {
            let Parked { mut child, .. } = self.idle().workers.pop()?;
            if child.is_silent() {
                return Some(child);
            }
        }
    }
}

/// Ends workers that stay idle, until none is.
async fn sweep(pool: Weak<Shared>) {
    loop {
        tokio::time::sleep(SWEEP).await;
        let Some(shared) = pool.upgrade() else { return };
        let mut idle = shared.idle();
        idle.workers.retain(|worker| !worker.swept);
        for worker in &mut idle.workers {
            worker.swept = true;
        }
        idle.sweeping = !idle.workers.is_empty();
        if !idle.sweeping {
            return;
        }
    }
}

impl Documents for Pool {
    fn read(&self, bytes: Vec<u8>, hint: Option<Format>) -> BoxFuture<'_, Reading> {
        self.read_in_turn(bytes, hint).boxed()
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("program", &self.shared.program).finish_non_exhaustive()
    }
}
