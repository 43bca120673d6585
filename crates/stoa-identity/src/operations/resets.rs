//! A new way to sign in for somebody who lost theirs.

mod issue;
mod redeem;

pub use issue::{Reset, issue};
pub use redeem::{RedeemResetError, redeem, whose};
