//! What the service does from the outside of its crate, on both databases.
#![cfg(test)]

mod callers;
mod house;
mod reading;
mod running;
mod search;
mod sync;
