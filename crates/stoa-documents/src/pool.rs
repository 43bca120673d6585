//! The parent's side: as many workers as may be busy at once, started when they are needed, ended when they
//! have been idle, taken away when they misbehave.

mod child;

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::Semaphore;

use self::child::{Child, Death};
use crate::wire::Request;
use crate::{Documents, Engine, Format, INPUT_BYTES, Reading};

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
    /// As many as may work at once.
    turns: Semaphore,
    idle: Mutex<Vec<Idle>>,
}

struct Idle {
    child: Child,
    /// Whether it was idle at the last sweep already.
    swept: bool,
}

impl Pool {
    /// A pool of at most `most` workers at once. Nothing is started yet.
    #[must_use]
    pub fn new(program: Program, most: usize) -> Self {
        let turns = Semaphore::new(most.max(1));
        Self { shared: Arc::new(Shared { program, turns, idle: Mutex::default() }) }
    }

    /// How many workers wait for something to do.
    #[must_use]
    pub fn idle(&self) -> usize {
        self.shared.idle().len()
    }

    async fn read_in_turn(&self, bytes: Vec<u8>, hint: Option<Format>) -> Reading {
        if bytes.len() > INPUT_BYTES {
            let problem = format!("{} bytes; documents are read up to {INPUT_BYTES}", bytes.len());
            return Reading::failed(hint, &problem);
        }
        let Ok(_turn) = self.shared.turns.acquire().await else {
            return Reading::failed(hint, "the workers are gone");
        };
        let parsers = hint.map_or(1, |hint| Engine::of(hint).len());
        let mut deaths = Vec::new();
        for skip in 0..parsers {
            match self.attempt(Request { hint, skip }, &bytes).await {
                Ok(reading) => return reading,
                Err(death) => deaths.push(death.to_string()),
            }
        }
        Reading::failed(hint, &deaths.join("; then "))
    }

    /// One parser's try. A worker that read others before may have died of them: then a new one is asked.
    async fn attempt(&self, request: Request, bytes: &[u8]) -> Result<Reading, Death> {
        let used = self.shared.idle().pop();
        if let Some(Idle { child, .. }) = used {
            match self.ask(child, request, bytes).await {
                Err(Death::Memory | Death::Ended(_)) => {}
                outcome => return outcome,
            }
        }
        self.ask(Child::start(&self.shared.program)?, request, bytes).await
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
        if idle.is_empty() {
            tokio::spawn(sweep(Arc::downgrade(&self.shared)));
        }
        idle.push(Idle { child, swept: false });
    }
}

impl Shared {
    fn idle(&self) -> MutexGuard<'_, Vec<Idle>> {
        // A list of children is whole whatever happened to its holder.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends workers that stay idle, until none is.
async fn sweep(pool: Weak<Shared>) {
    loop {
        tokio::time::sleep(SWEEP).await;
        let Some(shared) = pool.upgrade() else { return };
        let mut idle = shared.idle();
        idle.retain(|worker| !worker.swept);
        for worker in idle.iter_mut() {
            worker.swept = true;
        }
        if idle.is_empty() {
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
