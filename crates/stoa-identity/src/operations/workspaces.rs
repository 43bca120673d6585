//! Tenants.

mod add;
mod by_name;
mod delete;
mod deleted;
mod ensure_default;
mod found;
mod of_account;

pub use add::{AddWorkspaceError, add};
pub use by_name::by_name;
pub use delete::{DeleteWorkspaceError, delete};
pub use deleted::deleted;
pub use ensure_default::ensure_default;
pub use found::{FoundWorkspaceError, found};
pub use of_account::of_account;

use crate::{MANAGE_WORKSPACE, Right, Role};

/// To decide about a workspace as a whole: to take all of it away, and to delete it.
#[derive(Debug)]
pub enum ManageWorkspace {}

impl Right for ManageWorkspace {
    const NAME: &'static str = "manage_workspace";
    const SCOPE: &'static str = MANAGE_WORKSPACE;
    const LEAST_ROLE: Role = Role::Owner;
}
