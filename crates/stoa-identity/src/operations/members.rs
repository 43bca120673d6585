//! Who belongs to a workspace.

mod add;
mod remove;

pub use add::add;
pub use remove::{RemoveMemberError, remove};
