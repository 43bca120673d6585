//! Tenants.

mod add;
mod by_name;
mod ensure_default;

pub use add::{AddWorkspaceError, add};
pub use by_name::by_name;
pub use ensure_default::ensure_default;
