//! Signing in with a password, and changing it.

mod change;
mod sign_in;
mod verify;

pub use change::{ChangePasswordError, change};
pub use sign_in::{SignInError, sign_in};
pub(crate) use verify::verify;
