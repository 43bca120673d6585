//! From bytes to text, and from text to what is searched: pure functions, bounded, without panics.
//!
//! [`sniff`] says what the bytes are, [`extract`] takes the text out where that is simple (documents are read
//! by `stoa_documents`), [`tokens`] cuts it into what both databases index, [`units`] and [`chief`] shape that
//! for them, and [`snippet`] shows where a query was met.

pub mod chief;
pub mod extract;
pub mod sniff;
pub mod snippet;
pub mod tokens;
pub mod units;
