//! The chain: every entry of a workspace linked to all before it by a keyed hash, so that an entry changed or
//! dropped later shows.
//!
//! Entries are written unlinked, so that writers need not wait for one another. About a second later the
//! chainer ([`run()`], one per database at a time) gives each its position and links it: `mac` = HMAC-SHA-256
//! (RFC 2104) over the `mac` before it and every field of the entry. The chain's order is that of positions:
//! a transaction that committed late is linked late. The key is outside the database.

mod checkpoint;
mod export;
mod key;
mod link;
mod record;
mod run;
mod verify;

pub use checkpoint::{Checkpoint, NotACheckpoint};
pub use export::export;
pub use key::ChainKey;
pub use link::link;
pub use run::run;
pub use verify::{ChainReport, LIMITS, Problem, Report, Witness, verify};

pub(crate) use checkpoint::QUERIES as CHECKPOINT_QUERIES;
pub(crate) use export::QUERIES as EXPORT_QUERIES;
pub(crate) use link::QUERIES as LINK_QUERIES;
pub(crate) use verify::QUERIES as VERIFY_QUERIES;
