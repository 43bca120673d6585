//! Faults of ours. Whoever is told of one gets an id; the log has the cause under it.

use std::any::Any;

use crate::Id;

/// Marks the ids of incidents.
#[derive(Debug)]
pub enum Incident {}

/// The id of an incident. It tells nothing, so that it may be shown to anybody.
pub type IncidentId = Id<Incident>;

/// What a panic said, from its payload: the message, unless it panicked with something else.
#[must_use]
pub fn panic_message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
