//! Work that outlives the call which asked for it: a queue in the database, workers on every node, leases,
//! progress, cancellation, and a budget per installation and hour.
//!
//! A run is a row. [`enqueue`] writes it in the caller's own transaction; a worker of any node claims it
//! under a lease ([`Workers`]), a [`Work`] does it and notes where it is, and [`list`], [`get`] and
//! [`watch`] show it. A node that dies lets its lease lapse, and another goes on from the last checkpoint.
//!
//! **Adding a kind of work**: implement [`Work`], hand it to [`Workers::start`], and keep three rules:
//! 1. A transaction that must not be written twice begins with [`Running::fence`] (or saves a checkpoint,
//!    which fences as well) and is dropped when that says `false`.
//! 2. [`Running::should_stop`] is asked every few objects, and its answer returned.
//! 3. What was done since the last checkpoint may be done again.

pub mod budget;
pub mod cancel;
mod claim;
pub mod enqueue;
pub mod forget;
mod hold;
mod keeper;
pub mod list;
pub mod prune;
pub mod run;
pub mod running;
pub mod watch;
pub mod work;
pub mod work_one;
mod worker;
pub mod workers;

use stoa_store::{Declared, Migrations, Topic};

pub use budget::{BudgetState, budget};
pub use cancel::{CancelState, request_cancel};
pub use enqueue::{EnqueueError, Enqueued, NewRun, enqueue};
pub use forget::{forget, forget_budgets};
pub use list::{RunFilter, get, list};
pub use prune::{Pruned, prune};
pub use run::{Progress, ProgressReport, Run, RunId, RunRow, RunStatus};
pub use running::Running;
pub use watch::watch;
pub use work::{Outcome, Work, WorkError};
pub use work_one::work_one;
pub use workers::Workers;

/// Rung when a run is enqueued, handed back, ended, or asked to stop.
pub const RUNS: Topic = "runs";

/// The tables of this crate.
pub static MIGRATIONS: Migrations = Migrations {
    component: "runs",
    sqlite: sqlx::migrate!("migrations/sqlite"),
    postgres: sqlx::migrate!("migrations/postgres"),
};

/// Every query of this crate, for the test that prepares them all.
pub const QUERIES: &[&[Declared]] = &[
    budget::QUERIES,
    cancel::QUERIES,
    claim::QUERIES,
    enqueue::QUERIES,
    forget::QUERIES,
    hold::QUERIES,
    list::QUERIES,
    prune::QUERIES,
];
