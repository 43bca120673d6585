//! Serving: what runs while the server runs, and how it ends.
//!
//! [`node`] takes the data folder, [`listeners`] binds the addresses, [`connections`] carries HTTP over them,
//! [`tls`] encrypts them, [`metrics`] gathers what is measured, [`housekeeping`] deletes what is out of date,
//! [`signals`] hears when to stop; [`server`] holds them together.

pub mod connections;
pub mod housekeeping;
pub mod listeners;
pub mod metrics;
pub mod node;
pub mod server;
pub mod signals;
pub mod tls;
