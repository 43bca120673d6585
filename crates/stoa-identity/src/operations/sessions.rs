//! Sessions: browsers in which a person is signed in.

mod begin;
mod caller;
mod current;
mod end;
mod list;

pub(crate) use begin::{Beginning, Proof, begin};
pub use caller::{HOUSE_SCOPES, MANAGE_MEMBERS, MANAGE_RESOURCES, MANAGE_WORKSPACE, SEE_ACTIVITY, caller};
pub use current::{Awaited, awaiting_second_factor, current};
pub use end::{end, end_all, end_others};
pub use list::list;
