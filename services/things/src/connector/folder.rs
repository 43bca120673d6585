//! The connector `folder`: a folder of this machine.
//!
//! Everything is opened one path component at a time from the folder itself, and no component may be a link:
//! neither `..` nor a link leads out of it, also where somebody swaps one in while we work.

mod exclude;
mod name;
mod read;
mod walk;
mod watched;

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use cap_fs_ext::DirExt;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata};
use futures::future::BoxFuture;
use serde_json::{Value, json};
use stoa_base::{Ambient, Timestamp};
use tokio::sync::mpsc;

pub use watched::Watched;

use self::exclude::Exclusions;
use super::{
    Bounds, Capability, Checked, Connector, ConnectorError, ConnectorKind, Connectors, Listing, Locator,
    Read, ReadError, Setting,
};

/// What is left out where nothing is said: the folders of version control.
const EXCLUDED: &str = ".git,.hg,.svn";
/// Batches of a listing that may wait to be compared.
const BATCHES: usize = 4;

/// The kind `folder`. It can be listed, read and watched.
pub static KIND: ConnectorKind = ConnectorKind {
    name: "folder",
    description: "A folder of this machine",
    settings: &[
        Setting { name: "path", description: "the folder's path on this machine", required: true },
        Setting {
            name: "exclude",
            description: "names to leave out, with * and ?, separated by commas (.git,.hg,.svn unless set)",
            required: false,
        },
    ],
    capabilities: &[Capability::List, Capability::Read, Capability::Watch],
    commands: &[],
    configure,
    permit,
    open,
};

fn configure(connectors: &Connectors, settings: &BTreeMap<String, String>) -> Result<Value, ConnectorError> {
    let given = settings.get("path").map_or("", String::as_str);
    let unusable = |problem: String| ConnectorError::setting("path", problem);
    let path = std::fs::canonicalize(given).map_err(|error| unusable(format!("{given}: {error}")))?;
    if !path.is_dir() {
        return Err(unusable(format!("{given} is not a folder")));
    }
    if connectors.shared().owns(&path) {
        return Err(unusable(format!("{given} lies in Stoa's own data folder")));
    }
    let path = path.to_str().ok_or_else(|| unusable(format!("{given}: give a path in UTF-8")))?;
    let exclude = settings.get("exclude").map_or(EXCLUDED, String::as_str);
    Ok(json!({ "path": path, "exclude": exclude }))
}

/// A path as it was typed, which may go through links, and the same without any.
fn permit(bounds: &Bounds, configuration: &Value) -> Result<(), ConnectorError> {
    let path = Path::new(configuration["path"].as_str().unwrap_or_default());
    let climbs = path.components().any(|part| part == Component::ParentDir);
    let permits = |root: &PathBuf| {
        path.starts_with(root) || std::fs::canonicalize(root).is_ok_and(|root| path.starts_with(root))
    };
    if !climbs && bounds.folder_roots.iter().any(permits) {
        return Ok(());
    }
    let problem =
        "this server lets no such folder be connected here; on its machine, `stoa things add` connects it";
    Err(ConnectorError::setting("path", problem))
}

fn open(connectors: &Connectors, configuration: &Value) -> Result<Arc<dyn Connector>, ConnectorError> {
    let Some(path) = configuration["path"].as_str().map(PathBuf::from) else {
        return Err(ConnectorError::setting("path", "the resource has none"));
    };
    let shared = connectors.shared();
    let exclude = configuration["exclude"].as_str().unwrap_or(EXCLUDED);
    Ok(Arc::new(Folder {
        ambient: shared.ambient.clone(),
        own: shared.owns(&path),
        exclusions: Arc::new(Exclusions::new(exclude, shared.data.strip_prefix(&path).ok())),
        path,
    }))
}

/// A folder.
#[derive(Clone, Debug)]
struct Folder {
    ambient: Ambient,
    path: PathBuf,
    /// Whether it lies in the data folder, where it is made when it is missing.
    own: bool,
    exclusions: Arc<Exclusions>,
}

impl Folder {
    /// What is wrong with the folder. Agents and members read it, and where on the machine it lies is none of
    /// their business: that stands in the log.
    fn unreachable(&self, problem: &dyn std::fmt::Display) -> ConnectorError {
        tracing::warn!(path = %self.path.display(), %problem, "a folder can't be reached");
        ConnectorError::Unreachable(format!("the folder can't be reached: {problem}"))
    }

    /// Opens the folder. One that was moved away for a link is not what somebody once agreed to.
    fn root(&self) -> Result<Dir, ConnectorError> {
        let unreachable = |problem: &dyn std::fmt::Display| self.unreachable(problem);
        if self.own {
            std::fs::create_dir_all(&self.path).map_err(|error| unreachable(&error))?;
        } else if std::fs::canonicalize(&self.path).map_err(|error| unreachable(&error))? != self.path {
            return Err(unreachable(&"it is reached through a link now; connect the folder itself"));
        }
        Dir::open_ambient_dir(&self.path, ambient_authority()).map_err(|error| unreachable(&error))
    }

    fn check_now(&self) -> Checked {
        let begun = self.ambient.now();
        let answer = self.root().and_then(|root| {
            let entries = root.entries().and_then(|mut entries| entries.next().transpose());
            entries.map_err(|error| self.unreachable(&error))
        });
        match answer {
            Ok(_) => Checked {
                reachable: true,
                credentials_accepted: None,
                latency_ms: u64::try_from(self.ambient.now().since(begun).as_millis()).ok(),
                problem: None,
            },
            Err(problem) => Checked::unreachable(problem.to_string()),
        }
    }
}

impl Connector for Folder {
    fn kind(&self) -> &'static ConnectorKind {
        &KIND
    }

    fn check(&self) -> BoxFuture<'_, Checked> {
        let folder = self.clone();
        Box::pin(async move {
            let checked = tokio::task::spawn_blocking(move || folder.check_now()).await;
            checked.unwrap_or_else(|died| Checked::unreachable(died.to_string()))
        })
    }

    fn list(&self) -> Listing {
        let (sender, listing) = mpsc::channel(BATCHES);
        let folder = self.clone();
        tokio::task::spawn_blocking(move || match folder.root() {
            Ok(root) => walk::walk(&root, &folder.exclusions, &sender),
            // Nobody listens any more: there is nobody to tell.
            Err(problem) => drop(sender.blocking_send(Err(problem))),
        });
        listing
    }

    fn read<'a>(&'a self, at: &'a Locator) -> BoxFuture<'a, Result<Read, ReadError>> {
        Box::pin(read::read(self.path.clone(), at.path().to_owned()))
    }

    fn watched(&self) -> Option<Watched> {
        Some(Watched::new(self.path.clone(), self.exclusions.clone()))
    }
}

/// Opens a folder below `root`, where no component of `path` may be a link.
fn open_folder(root: &Dir, path: &Path) -> io::Result<Option<Dir>> {
    let mut open = None;
    for component in path.components() {
        let Component::Normal(name) = component else {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        };
        open = Some(open.as_ref().unwrap_or(root).open_dir_nofollow(name)?);
    }
    Ok(open)
}

/// Bytes and when it was changed, in the catalog's units.
fn size_and_time(metadata: &Metadata) -> io::Result<(i64, Timestamp)> {
    let size = i64::try_from(metadata.len()).unwrap_or(i64::MAX);
    let modified = metadata.modified()?.into_std();
    let micros = match modified.duration_since(std::time::UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_micros()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_micros()).map_or(i64::MIN, |micros| -micros),
    };
    Ok((size, Timestamp::from_micros(micros)))
}

#[cfg(test)]
mod tests;
