//! What is known of a kind of connector before any place is reached.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{Connector, ConnectorError, Connectors};

/// A kind of connector.
#[derive(Debug)]
pub struct ConnectorKind {
    /// Its name: `folder`.
    pub name: &'static str,
    /// What it is for, in one line.
    pub description: &'static str,
    pub(super) settings: &'static [Setting],
    pub(super) capabilities: &'static [Capability],
    pub(super) commands: &'static [CommandSpec],
    pub(super) configure: Configure,
    pub(super) permit: Permit,
    pub(super) open: Open,
}

/// Makes a configuration of what a person set.
type Configure = fn(&Connectors, &BTreeMap<String, String>) -> Result<Value, ConnectorError>;

/// Refuses a configuration that lies outside what the operator lets people connect on a page.
type Permit = fn(&Bounds, &Value) -> Result<(), ConnectorError>;

/// What the operator lets people connect on a page. The command line is not bound by it.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// Folders at or below these (`things.folder_roots`); none: no folder at all.
    pub folder_roots: Vec<PathBuf>,
}

/// Makes a connector of a configuration.
type Open = fn(&Connectors, &Value) -> Result<Arc<dyn Connector>, ConnectorError>;

impl ConnectorKind {
    /// What may be set, the required settings first.
    #[must_use]
    pub const fn settings(&self) -> &'static [Setting] {
        self.settings
    }

    /// What it can do at all.
    #[must_use]
    pub const fn capabilities(&self) -> &'static [Capability] {
        self.capabilities
    }

    /// The commands that can be run on it: only those are described.
    #[must_use]
    pub const fn commands(&self) -> &'static [CommandSpec] {
        self.commands
    }

    /// Refuses settings that the kind does not have, and asks for those that it needs.
    pub(super) fn check_names(&self, given: &BTreeMap<String, String>) -> Result<(), ConnectorError> {
        let known = |name: &str| self.settings.iter().any(|setting| setting.name == name);
        if let Some(name) = given.keys().find(|name| !known(name)) {
            let all: Vec<_> = self.settings.iter().map(|setting| setting.name).collect();
            let problem = format!("{} has no such setting; it has: {}", self.name, all.join(", "));
            return Err(ConnectorError::setting(name, problem));
        }
        let empty = |name: &str| given.get(name).is_none_or(|value| value.trim().is_empty());
        match self.settings.iter().find(|setting| setting.required && empty(setting.name)) {
            Some(missing) => {
                let problem = format!("{} needs it: {}", self.name, missing.description);
                Err(ConnectorError::setting(missing.name, problem))
            }
            None => Ok(()),
        }
    }
}

/// Something that is set when a place is connected.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// Whether there is no doing without it.
    pub required: bool,
}

/// What a connector can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Capability {
    /// Name everything in the place.
    List,
    /// Read contents.
    Read,
    /// Write contents.
    Write,
    /// Delete contents.
    Delete,
    /// Tell of changes when they happen.
    Watch,
    /// Tell checksums without reading.
    Checksum,
}

/// One word of a connector's command vocabulary.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CommandSpec {
    /// The command.
    pub name: &'static str,
    /// What it does, in one line.
    pub description: &'static str,
    /// Whether it changes anything in the place.
    pub changes: bool,
    /// The JSON Schema of its arguments.
    pub arguments: Schema,
}

/// A JSON Schema, made when it is shown.
#[derive(Clone, Copy, Debug)]
pub struct Schema(pub fn() -> Value);

impl Serialize for Schema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0().serialize(serializer)
    }
}

/// Whether a place answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Whether it does.
    pub reachable: bool,
    /// Whether it accepts the credentials; unknown where it takes none or does not answer.
    pub credentials_accepted: Option<bool>,
    /// How long the answer took, in milliseconds; unknown without one.
    pub latency_ms: Option<u64>,
    /// What is wrong.
    pub problem: Option<String>,
}

impl Checked {
    /// It does not answer.
    #[must_use]
    pub const fn unreachable(problem: String) -> Self {
        Self { reachable: false, credentials_accepted: None, latency_ms: None, problem: Some(problem) }
    }
}
