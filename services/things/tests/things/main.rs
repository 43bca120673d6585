//! What the service does from the outside of its crate, on both databases.
#![cfg(test)]

mod callers;
mod face;
mod house;
mod oracle;
mod reading;
mod running;
mod search;
mod sync;
