//! The server that carries letters on.

use super::{Finding, State};
use crate::config::Config;
use crate::mail;

/// Whether the mail server is there and takes the password; `None`: none is configured.
pub async fn server(config: &Config) -> Option<Finding> {
    let (state, found) = match mail::greet(config).await {
        Ok(None) => return None,
        Ok(Some(Ok(()))) => (State::Ok, "it takes letters".to_owned()),
        Ok(Some(Err(error))) => (State::Warning, error.to_string()),
        // The server does not start with it.
        Err(failure) => (State::Broken, failure.to_string()),
    };
    Some(Finding { part: "mail server", state, found, purpose: "links for new passwords, invitations" })
}
