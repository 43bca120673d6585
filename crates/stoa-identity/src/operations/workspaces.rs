//! Tenants.

mod add;
mod by_name;
mod ensure_default;
mod found;
mod of_account;

pub use add::{AddWorkspaceError, add};
pub use by_name::by_name;
pub use ensure_default::ensure_default;
pub use found::{FoundWorkspaceError, found};
pub use of_account::of_account;
