//! What pages and routes work with.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use stoa_base::{Ambient, WorkspaceId};
use stoa_identity::{Door, Lifetimes, MountId, MountProfile, OAuth, Scopes, SecretToken};
use stoa_site::buckets::Buckets;
use stoa_site::{ALL, Hosts, Mount, MountTable, Network, Site, SiteError};
use stoa_store::audit::Audit;
use stoa_store::{Database, StoreError};
use tokio_util::task::TaskTracker;

use crate::budgets::RunBudgets;
use crate::cookies::Cookies;
use crate::language::Language;
use crate::mailer::Mailer;
use crate::provider::Provider;
use crate::reach::Places;
use crate::route::Route;
use crate::tenancy::Tenancy;
use crate::texts;

/// How many seconds' worth of requests to an authorization server may come at once.
const BURST: NonZeroU32 = NonZeroU32::MIN.saturating_add(4);
/// How much may wait to be done after its answer.
const ERRANDS: usize = 256;

/// A service, as people meet it.
#[derive(Clone, Debug)]
pub struct Face {
    /// Its name in paths and mounts.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it is for, in a sentence, in each language.
    pub about: fn(Language) -> &'static str,
    /// What its tools ask for.
    pub scopes: &'static [ScopeFace],
    /// What one of its tools, or an act of its pages and commands, does, in each language. `None`: it is not its own.
    pub says: fn(Language, &str) -> Option<&'static str>,
    /// How long its tokens are good.
    pub lifetimes: Lifetimes,
    /// What an agent may have of it, as it is configured.
    pub quotas: Vec<Quota>,
    /// What it has to which a grant can be kept.
    pub places: Arc<dyn Places>,
    /// Its pages, under the base of its mount. The first one is at `/`.
    pub pages: Vec<Route>,
}

/// How much an agent may have of something.
#[derive(Clone, Copy, Debug)]
pub struct Quota {
    /// Of what, in which time, in each language.
    pub says: fn(Language) -> &'static str,
    /// How much.
    pub amount: u32,
}

/// A scope, as a person reads it who is asked for it.
#[derive(Clone, Copy, Debug)]
pub struct ScopeFace {
    /// `things:read`.
    pub name: &'static str,
    /// What it allows, in each language.
    pub allows: fn(Language) -> &'static str,
    /// The tools that it opens.
    pub tools: &'static [&'static str],
    /// Whether its box starts unticked: what can do harm is ticked by a person.
    pub starts_unticked: bool,
    /// Whether its box can't be unticked.
    pub is_required: bool,
}

/// What an operator sets.
#[derive(Clone, Debug)]
pub struct WebConfig {
    /// Where the outside world finds this.
    pub site: Site,
    /// Whose `X-Forwarded-For` counts.
    pub trusted_proxies: Vec<Network>,
    /// How many requests a second the authorization servers take from one address. Five times as many may come at
    /// once.
    pub oauth_per_second: NonZeroU32,
}

/// What the pages stand on.
#[derive(Clone)]
pub struct Foundations {
    /// The workspace `default`: also where acts are noted that concern the whole house.
    pub default: WorkspaceId,
    /// Where acts are noted.
    pub audit: Audit,
    /// How people sign in; with it the database, and time and chance.
    pub door: Door,
    /// The authorization server.
    pub oauth: OAuth,
    /// Where people may sign in elsewhere.
    pub provider: Option<Arc<dyn Provider>>,
    /// Who counts the runs of agents.
    pub budgets: Arc<dyn RunBudgets>,
    /// Who knows all that a workspace has.
    pub tenancy: Arc<dyn Tenancy>,
    /// Who carries letters; `None`: nobody, as where no mail server is configured.
    pub mailer: Option<Arc<dyn Mailer>>,
}

/// Everything that a page or a route needs. Cheap to clone.
#[derive(Clone)]
pub struct Web(Arc<Shared>);

struct Shared {
    foundations: Foundations,
    faces: Vec<Face>,
    mounts: MountTable,
    hosts: Hosts,
    cookies: Cookies,
    /// Of addresses that ask the authorization servers.
    flood: Buckets<IpAddr>,
    /// Of those whose client's metadata document may have to be read: one in a second, ten at once.
    document_flood: Buckets<IpAddr>,
    /// What is done after its answer.
    errands: TaskTracker,
    config: WebConfig,
}

impl Web {
    /// Puts the pages together.
    ///
    /// # Errors
    /// [`SiteError`] where a configured URL can't be used.
    pub fn new(config: WebConfig, faces: Vec<Face>, foundations: Foundations) -> Result<Self, SiteError> {
        let names: Vec<&'static str> = faces.iter().map(|face| face.name).collect();
        let (mounts, hosts) = (MountTable::new(&config.site, &names)?, Hosts::new(&config.site)?);
        let cookies = Cookies { is_secure: config.site.public_url.starts_with("https://") };
        let (rate, ambient) = (config.oauth_per_second, foundations.door.ambient.clone());
        let flood = Buckets::new(rate, rate.saturating_mul(BURST), ambient.clone());
        let document_flood = Buckets::new(NonZeroU32::MIN, NonZeroU32::MIN.saturating_add(9), ambient);
        let errands = TaskTracker::new();
        Ok(Self(Arc::new(Shared {
            foundations,
            faces,
            mounts,
            hosts,
            cookies,
            flood,
            document_flood,
            errands,
            config,
        })))
    }

    /// Does something after the answer, so that its time tells nothing; nothing happens where too much waits already.
    pub(crate) fn later(&self, errand: impl Future<Output = ()> + Send + 'static) {
        if self.0.errands.len() < ERRANDS {
            self.0.errands.spawn(errand);
        } else {
            tracing::warn!(waiting = ERRANDS, "too much is to be done after its answer: this is not");
        }
    }

    /// Waits until everything is done that was put off until after its answer.
    pub async fn settled(&self) {
        self.0.errands.close();
        self.0.errands.wait().await;
        self.0.errands.reopen();
    }

    pub(crate) fn db(&self) -> &Database {
        &self.door().db
    }

    pub(crate) fn ambient(&self) -> &Ambient {
        &self.door().ambient
    }

    pub(crate) fn default(&self) -> WorkspaceId {
        self.0.foundations.default
    }

    pub(crate) fn audit(&self) -> &Audit {
        &self.0.foundations.audit
    }

    pub(crate) fn door(&self) -> &Door {
        &self.0.foundations.door
    }

    pub(crate) fn provider(&self) -> Option<&dyn Provider> {
        self.0.foundations.provider.as_deref()
    }

    pub(crate) fn oauth(&self) -> &OAuth {
        &self.0.foundations.oauth
    }

    pub(crate) fn budgets(&self) -> &dyn RunBudgets {
        &*self.0.foundations.budgets
    }

    pub(crate) fn tenancy(&self) -> &dyn Tenancy {
        &*self.0.foundations.tenancy
    }

    pub(crate) fn mailer(&self) -> Option<&Arc<dyn Mailer>> {
        self.0.foundations.mailer.as_ref()
    }

    /// The address of a page that is opened with a secret. It stands behind `#`, which browsers send to no server.
    pub(crate) fn link(&self, page: &str, secret: &SecretToken) -> String {
        format!("{}/{page}#{}", self.public_url(), secret.expose())
    }

    /// Where the outside world finds this, without a final slash.
    pub(crate) fn public_url(&self) -> &str {
        self.0.config.site.public_url.trim_end_matches('/')
    }

    pub(crate) fn hosts(&self) -> &Hosts {
        &self.0.hosts
    }

    pub(crate) fn mounts(&self) -> &MountTable {
        &self.0.mounts
    }

    pub(crate) fn cookies(&self) -> Cookies {
        self.0.cookies
    }

    pub(crate) fn flood(&self) -> &Buckets<IpAddr> {
        &self.0.flood
    }

    pub(crate) fn document_flood(&self) -> &Buckets<IpAddr> {
        &self.0.document_flood
    }

    pub(crate) fn trusted_proxies(&self) -> &[Network] {
        &self.0.config.trusted_proxies
    }

    /// The services of this build.
    pub(crate) fn faces(&self) -> &[Face] {
        &self.0.faces
    }

    /// What a tool or an act does, in words. `None`: nobody knows.
    pub(crate) fn says(&self, language: Language, act: &str) -> Option<&'static str> {
        let house = texts::acts::says(language, act);
        house.or_else(|| self.faces().iter().find_map(|face| (face.says)(language, act)))
    }

    /// Every scope of every service: what a person may ask for on their own pages.
    pub(crate) fn scopes(&self) -> Scopes {
        self.scopes_at(ALL)
    }

    /// Every scope of the services that a mount shows.
    pub(crate) fn scopes_at(&self, service: &str) -> Scopes {
        self.faces_at(service).flat_map(|face| face.scopes).map(|scope| scope.name).collect()
    }

    /// The services that a mount shows.
    pub(crate) fn faces_at(&self, service: &str) -> impl Iterator<Item = &Face> {
        self.faces().iter().filter(move |face| service == ALL || face.name == service)
    }

    /// The mount of a service, or of all, under the base of a workspace's pages.
    pub(crate) fn mount_at(&self, base: &str, service: &str) -> Option<Arc<Mount>> {
        if service == ALL {
            return self.mounts().find_public(base);
        }
        self.mounts().find_public(&format!("{base}/{service}"))
    }

    /// The mount as its authorization server sees it. `None`: there is no such workspace, which nobody is told.
    pub(crate) async fn profile(&self, mount: &Mount) -> Result<Option<MountProfile>, StoreError> {
        let workspace = stoa_identity::workspaces::by_name(self.db(), &mount.workspace).await?;
        let scopes = |wanted: fn(&ScopeFace) -> bool| -> Scopes {
            let all = self.faces_at(mount.service).flat_map(|face| face.scopes);
            all.filter(|scope| wanted(scope)).map(|scope| scope.name).collect()
        };
        Ok(workspace.map(|workspace| MountProfile {
            mount: MountId::new(workspace.id, mount.service),
            issuer: mount.issuer(),
            resource: mount.mcp_url(),
            scopes: scopes(|_| true),
            default_scopes: scopes(|_| true),
            required_scopes: scopes(|scope| scope.is_required),
            lifetimes: self.lifetimes(mount.service),
        }))
    }

    /// Tokens of several services are good as long as those of the one that trusts them least.
    fn lifetimes(&self, service: &str) -> Lifetimes {
        let all = self.faces_at(service).map(|face| face.lifetimes);
        let shorter = |one: Lifetimes, other: Lifetimes| Lifetimes {
            access: one.access.min(other.access),
            refresh: one.refresh.min(other.refresh),
        };
        all.reduce(shorter).unwrap_or(Lifetimes { access: Duration::ZERO, refresh: Duration::ZERO })
    }
}
