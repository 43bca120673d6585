//! What a client sent, and whom the audit names for it.

use std::collections::HashMap;

use serde_json::Value;
use stoa_base::{AccountId, InstallationId};
use stoa_store::audit::{Channel, Credential, Opening};
use uuid::Uuid;

use crate::{MountId, Visit};

/// The parameters of a request to the authorization or token endpoint. One without a value counts as left out
/// (RFC 6749 section 3.1). A name may stand once; only `resource` may be repeated (RFC 8707 section 2).
#[derive(Clone, Debug, Default)]
pub struct Parameters(HashMap<String, Vec<String>>);

/// A parameter that may stand once stands twice.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0} is given more than once")]
pub struct Repeated(pub &'static str);

impl Parameters {
    /// The one value of this name.
    ///
    /// # Errors
    /// [`Repeated`] if there are several.
    pub fn one(&self, name: &'static str) -> Result<Option<&str>, Repeated> {
        match self.all(name) {
            [] => Ok(None),
            [value] => Ok(Some(value)),
            _ => Err(Repeated(name)),
        }
    }

    /// Every value of this name.
    #[must_use]
    pub fn all(&self, name: &str) -> &[String] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Parameters {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        let mut parameters = Self::default();
        for (name, value) in pairs {
            let value = value.into();
            if !value.is_empty() {
                parameters.0.entry(name.into()).or_default().push(value);
            }
        }
        parameters
    }
}

impl Visit {
    /// An entry of the audit for what this visit does.
    pub(crate) fn opening(&self, mount: &MountId, tool: &str, who: Who<'_>, arguments: Value) -> Opening {
        Opening {
            workspace: mount.workspace,
            channel: Channel::Web,
            tool: tool.to_owned(),
            scope: None,
            arguments,
            account: Some(who.account),
            installation: who.installation,
            credential: Credential::None,
            client: Some(who.client.to_owned()),
            address: self.class,
            trace_id: self.trace_id.clone(),
        }
    }
}

/// Whom an entry of the audit names.
#[derive(Clone, Copy)]
pub(crate) struct Who<'a> {
    pub account: AccountId,
    pub installation: Option<InstallationId>,
    /// The `client_id`.
    pub client: &'a str,
}

/// A person who is signed in, in one browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Person {
    /// Who it is.
    pub account: AccountId,
    /// The session's id: a page that waits for a click is good in the session that asked for it.
    pub session: Uuid,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_stands_once_and_an_empty_one_not_at_all() {
        let sent = [
            ("state", "a"),
            ("scope", ""),
            ("code", "x"),
            ("code", "y"),
            ("resource", "r"),
            ("resource", "s"),
        ];
        let parameters: Parameters = sent.into_iter().collect();
        assert_eq!(parameters.one("state"), Ok(Some("a")));
        assert_eq!(parameters.one("scope"), Ok(None));
        assert_eq!(parameters.one("nonce"), Ok(None));
        assert_eq!(parameters.one("code"), Err(Repeated("code")));
        assert_eq!(parameters.all("resource"), ["r", "s"]);
    }
}
