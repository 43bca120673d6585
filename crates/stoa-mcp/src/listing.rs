//! Which tools and prompts there are at a mount, and which of them a caller sees. Everything that can be is made at the
//! assembly.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::value::{RawValue, to_raw_value};
use stoa_identity::Caller;
use stoa_site::ALL;

use crate::meter::Meter;
use crate::offer::Capabilities;
use crate::prompt::ListedPrompt;
use crate::rpc::ServerInfo;
use crate::schema::Listed;
use crate::{Prompt, PromptSpec, Resources, Service, Tasks, Tool, ToolSpec};

/// The version that clients are told.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What every mount has.
#[derive(Debug)]
pub struct Listings {
    by_mount: HashMap<&'static str, Arc<Listing>>,
}

/// Two tools, or two prompts, of one mount have the same name.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("two {kind}s are called {name}")]
pub struct ClashingName {
    /// `tool`, `prompt`.
    pub kind: &'static str,
    /// The name.
    pub name: &'static str,
}

impl Listings {
    /// What each service has at its own mount, and all of them at [`ALL`].
    ///
    /// # Errors
    /// [`ClashingName`] where two of a kind have the same name.
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

/// What one mount has.
#[derive(Debug)]
pub(crate) struct Listing {
    pub server: ServerInfo,
    /// Every scope, separated by spaces.
    pub scopes: String,
    pub services: Vec<Arc<Service>>,
    pub capabilities: Capabilities,
    tools: Shelf<Entry>,
    prompts: Shelf<PromptEntry>,
}

/// Things of one kind, in the order in which clients see them, found by name.
#[derive(Debug)]
struct Shelf<T> {
    entries: Vec<Arc<T>>,
    by_name: HashMap<&'static str, usize>,
}

impl<T> Shelf<T> {
    fn new(
        kind: &'static str,
        entries: impl Iterator<Item = T>,
        name: fn(&T) -> &'static str,
    ) -> Result<Self, ClashingName> {
        let entries: Vec<_> = entries.map(Arc::new).collect();
        let mut by_name = HashMap::new();
        for (place, entry) in entries.iter().enumerate() {
            if by_name.insert(name(entry), place).is_some() {
                return Err(ClashingName { kind, name: name(entry) });
            }
        }
        Ok(Self { entries, by_name })
    }

    fn find(&self, name: &str) -> Option<&Arc<T>> {
        self.by_name.get(name).map(|place| &self.entries[*place])
    }
}

/// One tool of a mount.
pub(crate) struct Entry {
    pub tool: Arc<dyn Tool>,
    pub service: Arc<Service>,
    /// Its piece of `tools/list`.
    pub listed: Box<RawValue>,
    pub meter: Meter,
}

/// One prompt of a mount.
pub(crate) struct PromptEntry {
    pub prompt: Arc<dyn Prompt>,
    pub service: Arc<Service>,
    /// Its piece of `prompts/list`.
    pub listed: Box<RawValue>,
}

impl Listing {
    fn new(
        (name, title): (&'static str, &'static str),
        services: Vec<Arc<Service>>,
    ) -> Result<Self, ClashingName> {
        let scopes: Vec<_> =
            services.iter().flat_map(|service| service.scopes).map(|scope| scope.name).collect();
        Ok(Self {
            server: ServerInfo { name, title, version: VERSION },
            scopes: scopes.join(" "),
            capabilities: Capabilities::of(&services),
            tools: Shelf::new("tool", services.iter().flat_map(tools), |entry| entry.spec().name)?,
            prompts: Shelf::new("prompt", services.iter().flat_map(prompts), |entry| entry.spec().name)?,
            services,
        })
    }

    /// The tool of this name, whether the caller may see it or not.
    pub fn tool(&self, name: &str) -> Option<&Arc<Entry>> {
        self.tools.find(name)
    }

    /// The tools that this caller sees, always in the same order.
    pub fn visible_tools<'a>(&'a self, caller: &Caller) -> Vec<&'a RawValue> {
        let entries = self.tools.entries.iter().filter(|entry| entry.is_visible(caller));
        entries.map(|entry| &*entry.listed).collect()
    }

    /// The prompt of this name, whether the caller may see it or not.
    pub fn prompt(&self, name: &str) -> Option<&Arc<PromptEntry>> {
        self.prompts.find(name)
    }

    /// The prompts that this caller sees, always in the same order.
    pub fn visible_prompts<'a>(&'a self, caller: &Caller) -> Vec<&'a RawValue> {
        let entries = self.prompts.entries.iter().filter(|entry| entry.is_visible(caller));
        entries.map(|entry| &*entry.listed).collect()
    }

    /// The services with resources that exist for this caller, always in the same order.
    pub fn visible_resources<'a>(
        &'a self,
        caller: &'a Caller,
    ) -> impl Iterator<Item = (&'a Arc<Service>, &'a Arc<dyn Resources>)> {
        let services = self.services.iter();
        let with = services.filter_map(|service| service.resources.as_ref().map(|it| (service, it)));
        with.filter(|(service, it)| service.policy.exposure.shows(caller, it.spec().scope))
    }

    /// The service whose resources begin as this URI does, whether the caller may see them or not.
    pub fn resources_of(&self, uri: &str) -> Option<(&Arc<Service>, &Arc<dyn Resources>)> {
        let services = self.services.iter();
        let mut with = services.filter_map(|service| service.resources.as_ref().map(|it| (service, it)));
        with.find(|(_, it)| uri.starts_with(it.spec().prefix))
    }

    /// The service of this name and its tasks.
    pub fn tasks_of(&self, name: &str) -> Option<(&Arc<Service>, &Arc<dyn Tasks>)> {
        let service = self.services.iter().find(|service| service.name == name)?;
        service.tasks.as_ref().map(|tasks| (service, tasks))
    }

    /// The services of which this caller sees something.
    pub fn opened<'a>(&'a self, caller: &Caller) -> impl Iterator<Item = &'a Arc<Service>> {
        self.services
            .iter()
            .filter(|service| service.scopes.iter().any(|scope| caller.scopes.contains(scope.name)))
    }
}

fn tools(service: &Arc<Service>) -> impl Iterator<Item = Entry> {
    service.tools.iter().map(|tool| {
        // A schema is made of strings and numbers: it can always be written.
        let listed = to_raw_value(&Listed::new(tool.spec())).unwrap_or_default();
        let meter = Meter::new(service.name, tool.spec().name);
        Entry { tool: tool.clone(), service: service.clone(), listed, meter }
    })
}

fn prompts(service: &Arc<Service>) -> impl Iterator<Item = PromptEntry> {
    service.prompts.iter().map(|prompt| {
        let listed = to_raw_value(&ListedPrompt::new(prompt.spec())).unwrap_or_default();
        PromptEntry { prompt: prompt.clone(), service: service.clone(), listed }
    })
}

impl Entry {
    pub fn spec(&self) -> &ToolSpec {
        self.tool.spec()
    }

    /// Whether the tool exists for this caller.
    pub fn is_visible(&self, caller: &Caller) -> bool {
        self.service.policy.exposure.shows(caller, self.spec().scope)
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry").field("tool", &self.spec().name).finish_non_exhaustive()
    }
}

impl PromptEntry {
    pub fn spec(&self) -> &PromptSpec {
        self.prompt.spec()
    }

    /// Whether the prompt exists for this caller.
    pub fn is_visible(&self, caller: &Caller) -> bool {
        self.service.policy.exposure.shows(caller, self.spec().scope)
    }
}

impl std::fmt::Debug for PromptEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PromptEntry").field("prompt", &self.spec().name).finish_non_exhaustive()
    }
}
