//! From bytes to text, and from text to what is searched: pure functions, bounded, without panics.
//!
//! [`sniff`] says what the bytes are, [`decode`] makes characters of them, [`extract`] takes the text
//! out, [`tokens`] cuts it into what both databases index, [`units`] and [`chief`] shape that for
//! them, and [`snippet`] shows where a query was met.

pub mod chief;
pub mod decode;
pub mod extract;
pub mod sniff;
pub mod snippet;
pub mod tokens;
pub mod units;
