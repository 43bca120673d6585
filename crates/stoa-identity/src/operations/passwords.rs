//! Signing in with a password, and changing it.

mod change;
mod is_set;
mod sign_in;
mod verify;

pub use change::{ChangePasswordError, change};
pub use is_set::is_set;
pub use sign_in::{SignInError, sign_in};
pub(crate) use verify::verify;
