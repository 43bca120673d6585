//! What every other crate stands on, and nothing that knows of a database or of HTTP.
//!
//! - [`clock`] and [`random`]: time and chance, injected; [`Ambient`] carries both.
//! - [`id`]: typed ids. [`cursor`]: opaque, authenticated page cursors.
//! - [`mod@link`]: `stoa:{service}/{kind}/{id}`. [`incident`]: faults of ours, by their ids.
//! - [`mod@subscriber`]: whose an address is.
//! - [`text`]: escaping of text that comes from outside.

pub mod ambient;
pub mod clock;
pub mod cursor;
pub mod id;
pub mod incident;
pub mod link;
pub mod random;
pub mod subscriber;
pub mod text;

pub use ambient::Ambient;
pub use clock::{Clock, ManualClock, SystemClock, Timestamp};
pub use id::{AccountId, Id, InstallationId, WorkspaceId};
pub use random::{Random, SeededRandom, SystemRandom};
