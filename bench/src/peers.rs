//! What Stoa is measured against.

pub mod bare;
pub mod files;
