//! The link that makes the owner's account of an empty house.

mod issue;
mod redeem;

pub use issue::{SetupLinkError, issue};
pub use redeem::{RedeemSetupError, redeem};
