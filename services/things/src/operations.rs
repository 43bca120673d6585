//! What this service can do, one file a verb. Front doors (MCP, command line, later pages) call these with a
//! caller; each first obtains its authorization object, so rights are decided in one place.

pub mod add_resource;
pub mod analyze_thing;
pub mod cancel_run;
pub mod check_resource;
pub mod connect_resource;
pub mod describe_resource;
pub mod error;
pub mod forget_workspace;
pub mod get_run;
pub mod get_thing;
pub mod list_resources;
pub mod list_runs;
mod may;
pub mod overview;
pub mod prepare_workspace;
pub mod rights;
pub mod search_things;
pub mod sync_resource;
pub mod targets;

use std::path::PathBuf;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use stoa_base::Ambient;
use stoa_base::cursor::CursorKey;
use stoa_documents::Documents;
use stoa_store::Database;

use crate::connector::{Bounds, Connectors};
use crate::store::search::Effort;

pub use error::ThingsError;

/// What every operation of this service works with. Cheap to clone.
#[derive(Clone)]
pub struct Things {
    shared: Arc<Shared>,
}

struct Shared {
    db: Database,
    ambient: Ambient,
    cursors: CursorKey,
    connectors: Connectors,
    documents: Arc<dyn Documents>,
    settings: Settings,
}

/// What an operator may set.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Runs an installation may start in an hour where its grant says nothing (`things.run_budget`).
    pub run_budget: u32,
    /// The folder below which each workspace's default storage lies.
    pub storage: PathBuf,
    /// How far a search goes.
    pub search: Effort,
    /// What people may connect on a page.
    pub connectable: Bounds,
}

impl Things {
    /// The service on this database.
    #[must_use]
    pub fn new(
        db: Database,
        ambient: Ambient,
        cursors: CursorKey,
        connectors: Connectors,
        documents: Arc<dyn Documents>,
        settings: Settings,
    ) -> Self {
        Self { shared: Arc::new(Shared { db, ambient, cursors, connectors, documents, settings }) }
    }

    /// The database.
    #[must_use]
    pub fn db(&self) -> &Database {
        &self.shared.db
    }

    /// Clock and randomness.
    #[must_use]
    pub fn ambient(&self) -> &Ambient {
        &self.shared.ambient
    }

    /// How places are reached.
    #[must_use]
    pub fn connectors(&self) -> &Connectors {
        &self.shared.connectors
    }

    /// Who reads documents.
    #[must_use]
    pub fn documents(&self) -> &Arc<dyn Documents> {
        &self.shared.documents
    }

    fn cursors(&self) -> &CursorKey {
        &self.shared.cursors
    }

    /// The place that a cursor of this very list names; `None` without one.
    fn place<T: DeserializeOwned>(&self, list: &str, cursor: Option<&str>) -> Result<Option<T>, ThingsError> {
        let open = |cursor| self.cursors().open(list, cursor);
        cursor.map(open).transpose().map_err(|_| {
            ThingsError::Argument(
                "cursor: not one that this list gave; leave it out to start again".to_owned(),
            )
        })
    }

    /// What the operator set.
    pub(crate) fn settings(&self) -> &Settings {
        &self.shared.settings
    }
}

impl std::fmt::Debug for Things {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Things").field("settings", self.settings()).finish_non_exhaustive()
    }
}
