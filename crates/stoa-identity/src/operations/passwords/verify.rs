//! Comparing what was typed with what is stored, in the same time whether or not anything is stored.

use crate::{HashingFailed, Password, PasswordHash};

/// Whether `typed` is the password with this hash. Without a hash, and for what can't be a password, this takes as
/// long, and the answer is no.
pub async fn verify(stored: Option<&PasswordHash>, typed: &str) -> Result<bool, HashingFailed> {
    let decoy = PasswordHash::decoy();
    let password = Password::typed(typed);
    let is_possible = stored.is_some() && password.is_some();
    let password = password.or_else(|| Password::typed(""));
    match password {
        Some(password) => Ok(stored.unwrap_or(&decoy).matches(password).await? && is_possible),
        None => Ok(false),
    }
}
