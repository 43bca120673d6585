//! The audit: one entry for every call, denied ones included.
//!
//! An [`Act`] is opened when a call begins and ends in one of two ways. A write ends in [`Act::commit`]: the
//! entry is in the write's own transaction, so that neither is ever there without the other. Everything
//! else ends in [`Act::close`], through a task that gathers entries of many calls into one
//! transaction. [`chain`] links what was written, so that a later change shows.

pub mod act;
pub mod chain;
pub mod entry;
mod forget;
pub mod mark;
mod writer;

pub use act::{Act, Audit};
pub use entry::{AddressClass, Channel, Credential, Opening, Status};
pub use forget::forget;
pub use mark::{Mark, marked};

pub(crate) use forget::QUERIES as FORGET_QUERIES;
