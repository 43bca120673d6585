//! How places are reached. A connector lists what lies in a place, in the order of the keys, and reads it.
//!
//! **Adding a connector**: a module with its [`ConnectorKind`], listed in [`KINDS`], and an implementation of
//! [`Connector`]; nothing else in this crate names one.

pub mod error;
pub mod folder;
pub mod kind;
pub mod listing;
pub mod read;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::Value;
use stoa_base::Ambient;

pub use error::{ConnectorError, ReadError};
pub use kind::{Bounds, Capability, Checked, CommandSpec, ConnectorKind, Setting};
pub use listing::{Found, Listed, Listing, Locator, PassedOver};
pub use read::Read;

use crate::store::resource::ResourceRow;

/// Every kind of connector there is.
pub const KINDS: &[&ConnectorKind] = &[&folder::KIND];

/// A place, reached.
pub trait Connector: Send + Sync {
    /// Its kind.
    fn kind(&self) -> &'static ConnectorKind;

    /// Whether the place answers, and whether it accepts the credentials.
    fn check(&self) -> BoxFuture<'_, Checked>;

    /// Lists everything in the place in the byte order of the keys. Dropping the listing ends the work on it.
    fn list(&self) -> Listing;

    /// Reads what lies at `at`.
    ///
    /// # Errors
    /// [`ReadError`] where there is nothing, or nothing that may be read.
    fn read<'a>(&'a self, at: &'a Locator) -> BoxFuture<'a, Result<Read, ReadError>>;

    /// The folder of this machine that the place is, where it can be watched as one.
    fn watched(&self) -> Option<folder::Watched> {
        None
    }
}

/// All connectors, and what they have in common.
#[derive(Clone, Debug)]
pub struct Connectors {
    shared: Arc<Shared>,
}

/// What connectors work with.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) ambient: Ambient,
    /// The data folder as it was given.
    data_given: PathBuf,
    /// The data folder without links.
    pub(crate) data: PathBuf,
}

impl Shared {
    /// Whether a folder is Stoa's own.
    pub(crate) fn owns(&self, path: &Path) -> bool {
        path.starts_with(&self.data) || path.starts_with(&self.data_given)
    }
}

impl Connectors {
    /// The connectors of an installation whose data folder is `data`: no folder that holds it lists it, and
    /// folders in it are made when they are missing.
    #[must_use]
    pub fn new(ambient: Ambient, data: PathBuf) -> Self {
        let data_given = data.clone();
        let data = std::fs::canonicalize(&data).unwrap_or(data);
        Self { shared: Arc::new(Shared { ambient, data_given, data }) }
    }

    /// The kind of this name.
    #[must_use]
    pub fn kind(&self, name: &str) -> Option<&'static ConnectorKind> {
        KINDS.iter().find(|kind| kind.name == name).copied()
    }

    /// The configuration of a new resource from what a person set.
    ///
    /// # Errors
    /// [`ConnectorError`] where the connector or a setting is unknown, or a setting is missing or unusable.
    pub fn configure(
        &self,
        connector: &str,
        settings: &BTreeMap<String, String>,
    ) -> Result<Value, ConnectorError> {
        let kind = self.known(connector)?;
        kind.check_names(settings)?;
        (kind.configure)(self, settings)
    }

    /// Whether a configuration, or what a person set, lies within what people may connect on a page.
    ///
    /// # Errors
    /// [`ConnectorError`] names the setting that leads out of it.
    pub fn permit(
        &self,
        connector: &str,
        configuration: &Value,
        bounds: &Bounds,
    ) -> Result<(), ConnectorError> {
        (self.known(connector)?.permit)(bounds, configuration)
    }

    /// The connector that reaches a resource. Nothing is reached yet.
    ///
    /// # Errors
    /// [`ConnectorError`] where this version can't read the resource's connector or configuration.
    pub fn open(&self, resource: &ResourceRow) -> Result<Arc<dyn Connector>, ConnectorError> {
        (self.known(&resource.connector)?.open)(self, &resource.configuration)
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    fn known(&self, name: &str) -> Result<&'static ConnectorKind, ConnectorError> {
        self.kind(name).ok_or_else(|| ConnectorError::Unknown { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connectors() -> Connectors {
        Connectors::new(Ambient::system(), PathBuf::from("/nowhere"))
    }

    fn settings(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn an_unknown_connector_is_answered_with_the_known_ones() {
        let error = connectors().configure("floppy", &settings(&[])).unwrap_err();
        assert_eq!(error.to_string(), "connector: there is none named floppy; there are: folder");
    }

    #[test]
    fn an_unknown_setting_is_answered_with_the_known_ones() {
        let error = connectors().configure("folder", &settings(&[("paht", "/")])).unwrap_err();
        assert_eq!(error.to_string(), "paht: folder has no such setting; it has: path, exclude");
    }

    #[test]
    fn a_required_setting_is_asked_for() {
        let error = connectors().configure("folder", &settings(&[("path", " ")])).unwrap_err();
        assert_eq!(error.to_string(), "path: folder needs it: the folder's path on this machine");
    }
}
