//! What was done in a workspace, as people read it.

mod doings;
mod list;

pub use doings::doings;
pub use list::list;

use crate::operations::sessions::SEE_ACTIVITY;
use crate::{Right, Role};

/// To see what others do.
#[derive(Debug)]
pub enum SeeActivity {}

impl Right for SeeActivity {
    const NAME: &'static str = "see_activity";
    const SCOPE: &'static str = SEE_ACTIVITY;
    const LEAST_ROLE: Role = Role::Admin;
}
