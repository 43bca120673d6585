//! Which tools there are at a mount, and which of them a caller sees. Everything that can be is made at the
//! assembly.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::value::{RawValue, to_raw_value};
use stoa_identity::Caller;

use crate::meter::Meter;
use crate::mount::ALL;
use crate::rpc::ServerInfo;
use crate::schema::Listed;
use crate::{Exposure, Service, Tool, ToolSpec};

/// The version that clients are told.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The tools of every mount.
#[derive(Debug)]
pub struct Listings {
    by_mount: HashMap<&'static str, Arc<Listing>>,
}

/// Two tools of one mount have the same name.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("two tools are called {0}")]
pub struct ClashingName(pub &'static str);

impl Listings {
    /// The tools of each service at its own mount, and of all of them at [`ALL`].
    ///
    /// # Errors
    /// [`ClashingName`] where two tools have the same name.
    pub fn new(services: Vec<Service>) -> Result<Self, ClashingName> {
        let services: Vec<_> = services.into_iter().map(Arc::new).collect();
        let server = |service: &Service| (service.server_name, service.title);
        let mut by_mount = HashMap::new();
        for service in &services {
            by_mount.insert(service.name, Arc::new(Listing::new(server(service), vec![service.clone()])?));
        }
        by_mount.insert(ALL, Arc::new(Listing::new(("stoa", "Stoa"), services)?));
        Ok(Self { by_mount })
    }

    /// What is listed at the mount of this name.
    pub(crate) fn at(&self, mount: &str) -> Option<&Arc<Listing>> {
        self.by_mount.get(mount)
    }
}

/// The tools of one mount.
#[derive(Debug)]
pub(crate) struct Listing {
    pub server: ServerInfo,
    /// Every scope, separated by spaces.
    pub scopes: String,
    pub services: Vec<Arc<Service>>,
    entries: Vec<Arc<Entry>>,
    by_name: HashMap<&'static str, usize>,
}

/// One tool of a mount.
pub(crate) struct Entry {
    pub tool: Arc<dyn Tool>,
    pub service: Arc<Service>,
    /// Its piece of `tools/list`.
    pub listed: Box<RawValue>,
    pub meter: Meter,
}

impl Listing {
    fn new(
        (name, title): (&'static str, &'static str),
        services: Vec<Arc<Service>>,
    ) -> Result<Self, ClashingName> {
        let entries: Vec<_> = services.iter().flat_map(entries).collect();
        let mut by_name = HashMap::new();
        for (place, entry) in entries.iter().enumerate() {
            let name = entry.spec().name;
            if by_name.insert(name, place).is_some() {
                return Err(ClashingName(name));
            }
        }
        let scopes: Vec<_> =
            services.iter().flat_map(|service| service.scopes).map(|scope| scope.name).collect();
        let server = ServerInfo { name, title, version: VERSION };
        Ok(Self { server, scopes: scopes.join(" "), services, entries, by_name })
    }

    /// The tool of this name, whether the caller may see it or not.
    pub fn find(&self, name: &str) -> Option<&Arc<Entry>> {
        self.by_name.get(name).map(|place| &self.entries[*place])
    }

    /// The tools that this caller sees, always in the same order.
    pub fn visible<'a>(&'a self, caller: &Caller) -> Vec<&'a RawValue> {
        self.entries.iter().filter(|entry| entry.is_visible(caller)).map(|entry| &*entry.listed).collect()
    }

    /// The services of which this caller sees something.
    pub fn opened<'a>(&'a self, caller: &Caller) -> impl Iterator<Item = &'a Arc<Service>> {
        self.services
            .iter()
            .filter(|service| service.scopes.iter().any(|scope| caller.scopes.contains(scope.name)))
    }
}

fn entries(service: &Arc<Service>) -> impl Iterator<Item = Arc<Entry>> {
    service.tools.iter().map(|tool| {
        // A schema is made of strings and numbers: it can always be written.
        let listed = to_raw_value(&Listed::new(tool.spec())).unwrap_or_default();
        let meter = Meter::new(service.name, tool.spec().name);
        Arc::new(Entry { tool: tool.clone(), service: service.clone(), listed, meter })
    })
}

impl Entry {
    pub fn spec(&self) -> &ToolSpec {
        self.tool.spec()
    }

    /// Whether the tool exists for this caller.
    pub fn is_visible(&self, caller: &Caller) -> bool {
        match self.service.policy.exposure {
            Exposure::Granted => caller.scopes.contains(self.spec().scope),
        }
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry").field("tool", &self.spec().name).finish_non_exhaustive()
    }
}
