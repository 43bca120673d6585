//! A new way to sign in for somebody who lost theirs.

mod ask;
mod issue;
mod redeem;

pub use ask::{AskResetError, ask, may_ask};
pub use issue::{Reset, issue};
pub use redeem::{RedeemResetError, redeem, whose};
