//! The two nodes, and their ends.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use stoa_base::Timestamp;

use super::Soak;
use crate::Outcome;
use crate::place::Place;
use crate::server::{Pid, Server};

/// From one end to the next.
const EVERY: Duration = Duration::from_secs(12);
/// How long a node is gone.
const GONE: Duration = Duration::from_secs(2);

/// A node: a server that comes and goes.
pub struct Node<'a> {
    pub place: &'a Place<'a>,
    server: RefCell<Option<Server>>,
    /// How often it was ended.
    lives: Cell<u32>,
}

impl<'a> Node<'a> {
    pub async fn start(place: &'a Place<'a>) -> Outcome<Self> {
        let server = place.serve_on_all_cores().await?;
        Ok(Self { place, server: RefCell::new(Some(server)), lives: Cell::new(0) })
    }

    /// Where it serves, if it does, and in which of its lives.
    pub fn port(&self) -> Option<(u16, u32)> {
        self.server.borrow().as_ref().map(|server| (server.port, self.lives.get()))
    }

    /// Whether it still serves in this life.
    pub fn lives(&self, life: u32) -> bool {
        self.lives.get() == life && self.server.borrow().is_some()
    }

    pub fn pid(&self) -> Option<Pid> {
        self.server.borrow().as_ref().map(|server| server.pid)
    }

    pub async fn stop(self) -> Outcome<()> {
        match self.server.into_inner() {
            Some(server) => server.stop().await,
            None => Ok(()),
        }
    }

    /// Ends it, by SIGKILL or gently, and starts it again.
    async fn end(&self, gently: bool) -> Outcome<()> {
        let Some(server) = self.server.take() else { return Ok(()) };
        self.lives.set(self.lives.get() + 1);
        if gently {
            server.stop().await?;
        } else {
            server.kill().await?;
        }
        tokio::time::sleep(GONE).await;
        let server = self.place.serve_on_all_cores().await?;
        *self.server.borrow_mut() = Some(server);
        Ok(())
    }
}

/// Both in turn until `alone`, then only the first; every third time gently.
pub async fn end_again_and_again(soak: &Soak<'_>, alone: Timestamp) -> Outcome<()> {
    for turn in 0_usize.. {
        soak.wait(EVERY).await;
        let now = soak.site.ambient.now();
        if now.plus(EVERY) >= soak.until {
            break;
        }
        // A life that begins just before the others rest would not be warm.
        let which = if now.plus(EVERY) < alone { turn % 2 } else { 0 };
        let gently = turn % 3 == 2;
        soak.nodes[which].end(gently).await?;
        soak.witness.ended(gently);
    }
    Ok(())
}
