//! The endpoint's state: everything that requests share.

use std::sync::Arc;
use std::time::Duration;

use stoa_base::Ambient;
use stoa_base::cursor::CursorKey;
use stoa_identity::Authenticator;
use stoa_site::{Hosts, MountTable, Network, Site, SiteError};
use stoa_store::audit::Audit;
use stoa_store::{Database, Dialect, StoreError};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::Service;
use crate::flood::{Flood, FloodLimits};
use crate::limit::CallCounts;
use crate::listen::OpenStreams;
use crate::listing::{ClashingName, Listings};
use crate::reconcile::reconcile;
use crate::workspaces::Workspaces;

/// How often nodes tell each other their counts.
const RECONCILE_EVERY: Duration = Duration::from_secs(1);
/// How many of those pass between two sweeps of what is over.
const SWEEP_AFTER: u32 = 60;

/// How the endpoint is set up.
#[derive(Clone, Debug)]
pub struct EndpointConfig {
    /// Where it is found.
    pub site: Site,
    /// Whose `X-Forwarded-For` counts.
    pub trusted_proxies: Vec<Network>,
    /// The flood limits.
    pub flood: FloodLimits,
    /// This node's name among several on one database.
    pub node: String,
    /// After how long a call turns from one JSON answer into a stream, for clients that accept one.
    pub stream_after: Duration,
    /// How often a stream shows that it is alive.
    pub keep_alive: Duration,
}

impl EndpointConfig {
    /// The usual setting: a stream after 5 s, alive each 15 s, no proxies.
    #[must_use]
    pub fn new(site: Site, node: String) -> Self {
        Self {
            site,
            trusted_proxies: Vec::new(),
            flood: FloodLimits::default(),
            node,
            stream_after: Duration::from_secs(5),
            keep_alive: Duration::from_secs(15),
        }
    }
}

/// What the endpoint stands on.
#[derive(Clone, Debug)]
pub struct Foundations {
    /// The database.
    pub db: Database,
    /// Time and chance.
    pub ambient: Ambient,
    /// Who is who.
    pub authenticator: Authenticator,
    /// Where calls are noted.
    pub audit: Audit,
    /// What page cursors of the endpoint's own lists are sealed with.
    pub cursors: CursorKey,
    /// What is sealed with it goes from one round of a request to the next.
    pub request_states: CursorKey,
}

/// The services and the configuration don't fit together.
#[derive(Debug, thiserror::Error)]
pub enum AssemblyError {
    /// A configured URL can't be used.
    #[error(transparent)]
    Site(#[from] SiteError),
    /// Two tools or two prompts have the same name.
    #[error(transparent)]
    ClashingName(#[from] ClashingName),
}

/// The MCP endpoint of every mount. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Endpoint(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    config: EndpointConfig,
    foundations: Foundations,
    mounts: MountTable,
    hosts: Hosts,
    listings: Listings,
    service_names: Vec<&'static str>,
    workspaces: Workspaces,
    flood: Flood,
    counts: CallCounts,
    streams: OpenStreams,
    stopping: CancellationToken,
    running: TaskTracker,
}

impl Endpoint {
    /// Puts the services together.
    ///
    /// # Errors
    /// [`AssemblyError`] where they, or the configuration, can't be.
    pub fn assemble(
        config: EndpointConfig,
        services: Vec<Service>,
        foundations: Foundations,
    ) -> Result<Self, AssemblyError> {
        let service_names: Vec<_> = services.iter().map(|service| service.name).collect();
        let ambient = foundations.ambient.clone();
        Ok(Self(Arc::new(Inner {
            mounts: MountTable::new(&config.site, &service_names)?,
            hosts: Hosts::new(&config.site)?,
            listings: Listings::new(services)?,
            service_names,
            workspaces: Workspaces::new(foundations.db.clone(), foundations.ambient.clone()),
            flood: Flood::new(config.flood, &ambient),
            counts: CallCounts::new(ambient),
            streams: OpenStreams::default(),
            stopping: CancellationToken::new(),
            running: TaskTracker::new(),
            config,
            foundations,
        })))
    }

    /// Keeps the limits: tells other nodes what was counted, forgets what is over. Runs until the endpoint is
    /// drained.
    pub async fn tend(&self) {
        for round in 1_u32.. {
            tokio::select! {
                () = self.0.stopping.cancelled() => return,
                () = tokio::time::sleep(RECONCILE_EVERY) => (),
            }
            if let Err(error) = self.reconcile().await {
                tracing::warn!(%error, "the call limits of the nodes could not be reconciled");
            }
            if round % SWEEP_AFTER == 0 {
                self.0.counts.sweep();
            }
        }
    }

    async fn reconcile(&self) -> Result<(), StoreError> {
        let Foundations { db, ambient, .. } = &self.0.foundations;
        // A database in a file has one node.
        if db.dialect() == Dialect::Sqlite {
            return Ok(());
        }
        reconcile(db, &self.0.config.node, &self.0.service_names, &self.0.counts, ambient.now()).await
    }

    /// The graceful stop: from now on new requests get 503, waits end, and this returns when the last running
    /// call is done.
    pub async fn drain(&self) {
        self.0.stopping.cancel();
        self.0.running.close();
        self.0.running.wait().await;
    }

    /// The mounts: what else lives under them derives its URLs from here.
    #[must_use]
    pub fn mounts(&self) -> &MountTable {
        &self.0.mounts
    }

    pub(crate) fn config(&self) -> &EndpointConfig {
        &self.0.config
    }

    pub(crate) fn hosts(&self) -> &Hosts {
        &self.0.hosts
    }

    pub(crate) fn listings(&self) -> &Listings {
        &self.0.listings
    }

    pub(crate) fn service_names(&self) -> &[&'static str] {
        &self.0.service_names
    }

    pub(crate) fn workspaces(&self) -> &Workspaces {
        &self.0.workspaces
    }

    pub(crate) fn flood(&self) -> &Flood {
        &self.0.flood
    }

    pub(crate) fn counts(&self) -> &CallCounts {
        &self.0.counts
    }

    pub(crate) fn db(&self) -> &Database {
        &self.0.foundations.db
    }

    pub(crate) fn ambient(&self) -> &Ambient {
        &self.0.foundations.ambient
    }

    pub(crate) fn authenticator(&self) -> &Authenticator {
        &self.0.foundations.authenticator
    }

    pub(crate) fn audit(&self) -> &Audit {
        &self.0.foundations.audit
    }

    pub(crate) fn cursors(&self) -> &CursorKey {
        &self.0.foundations.cursors
    }

    pub(crate) fn request_states(&self) -> &CursorKey {
        &self.0.foundations.request_states
    }

    pub(crate) fn streams(&self) -> &OpenStreams {
        &self.0.streams
    }

    pub(crate) fn stopping(&self) -> &CancellationToken {
        &self.0.stopping
    }

    pub(crate) fn running(&self) -> &TaskTracker {
        &self.0.running
    }
}
