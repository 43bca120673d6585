//! Runs, on both databases.
#![cfg(test)]

mod attempts;
mod cancelling;
mod enqueueing;
mod failing;
mod listing;
mod one;
mod progress;
mod stopping;
mod support;
mod takeover;
mod working;
