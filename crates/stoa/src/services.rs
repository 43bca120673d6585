//! The services that this build has: the one place that names them.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use stoa_base::cursor::CursorKey;
use stoa_base::{Ambient, WorkspaceId};
use stoa_identity::{Authenticator, Door, OAuth, OAuthSettings};
use stoa_mcp::{Endpoint, EndpointConfig, FloodLimits, Foundations, ScopeInfo};
use stoa_runs::Work;
use stoa_site::{ALL, Network, OwnHost, Site};
use stoa_store::secret::Purpose;
use stoa_store::{Database, Migrations, StoreError};
use stoa_web::{Web, WebConfig};
use things::Things;
use tokio_util::sync::CancellationToken;

use crate::backup::due;
use crate::budgets::Budgets;
use crate::client_documents;
use crate::config::{Config, HostMount};
use crate::failure::Failure;
use crate::house::House;
use crate::mail;
use crate::provider;
use crate::tenancy::{Tenancy, sweep};

/// The tables of every component, in the order in which they are made.
pub const MIGRATIONS: &[&Migrations] = &[
    &stoa_store::MIGRATIONS,
    &stoa_identity::MIGRATIONS,
    &stoa_runs::MIGRATIONS,
    &stoa_mcp::MIGRATIONS,
    &things::MIGRATIONS,
];

/// Tables that [`rebuild_where_due`] makes anew from others.
pub const DERIVED: &[&str] = things::DERIVED;

/// How many seconds' worth of requests may come at once.
const BURST: NonZeroU32 = NonZeroU32::MIN.saturating_add(1);

/// A mount, as far as commands need to know it.
#[derive(Clone, Copy, Debug)]
pub struct Mount {
    /// Its name: a service's, or `all`.
    pub name: &'static str,
    /// What its endpoint calls itself.
    pub server_name: &'static str,
    /// What there is, for people.
    pub title: &'static str,
    /// The scopes of its tools.
    pub scopes: &'static [ScopeInfo],
}

/// The services.
const SERVICES: &[Mount] = &[Mount {
    name: things::NAME,
    server_name: things::SERVER_NAME,
    title: things::TITLE,
    scopes: things::SCOPES,
}];

impl Mount {
    /// Its path under the public URL; empty for all services.
    #[must_use]
    pub fn path(&self) -> String {
        if self.name == ALL { String::new() } else { format!("/{}", self.name) }
    }

    /// The scopes that a token may have there.
    pub fn scopes(&self) -> impl Iterator<Item = &'static str> {
        let services = SERVICES.iter().filter(|service| self.name == ALL || self.name == service.name);
        services.flat_map(|service| service.scopes).map(|scope| scope.name)
    }
}

/// Every mount of a workspace: all services together, then each.
pub fn mounts() -> impl Iterator<Item = Mount> {
    let all = Mount { name: ALL, server_name: "stoa", title: "All services", scopes: &[] };
    std::iter::once(all).chain(SERVICES.iter().copied())
}

/// The mount with this name.
///
/// # Errors
/// [`Failure::MissingMount`] for one that this build lacks.
pub fn mount(name: &str) -> Result<Mount, Failure> {
    mounts().find(|mount| mount.name == name).ok_or_else(|| Failure::MissingMount {
        name: name.to_owned(),
        known: mounts().map(|mount| mount.name).collect::<Vec<_>>().join(", "),
    })
}

/// The service things on this house.
#[must_use]
pub fn things(house: &House) -> Things {
    let cursors = CursorKey::new(house.key.sub_key(Purpose::Cursor));
    let connectors = things::connector::Connectors::new(house.ambient.clone(), house.config.data.clone());
    let settings = things::Settings {
        run_budget: house.config.things.run_budget,
        storage: house.config.data.join("storage"),
        search: things::Effort::default(),
        connectable: things::connector::Bounds { folder_roots: house.config.things.folder_roots.clone() },
    };
    let documents = Arc::new(house.documents.clone());
    Things::new(house.db.clone(), house.ambient.clone(), cursors, connectors, documents, settings)
}

/// What runs can do.
#[must_use]
pub fn works(things: &Things) -> Vec<Arc<dyn Work>> {
    things::runs::works(things)
}

/// Gives a new workspace what it starts with in each service.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn prepare(things: &Things, workspace: WorkspaceId) -> Result<(), StoreError> {
    things::operations::prepare_workspace::prepare_workspace(things, workspace).await
}

/// Makes anew what is derived from other tables, where a restore has left that to be done.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn rebuild_where_due(house: &House) -> Result<(), StoreError> {
    if due::is_due(&house.db).await? {
        things::rebuild(&house.db, &house.ambient).await?;
        due::clear(&house.db).await?;
    }
    Ok(())
}

/// Deletes what is out of date in every component.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn clean_up(db: &Database, ambient: &Ambient) -> Result<(), StoreError> {
    // Before it is forgotten which were deleted.
    sweep::sweep_deleted(db).await?;
    stoa_identity::prune(db, ambient).await?;
    stoa_runs::prune(db, ambient).await?;
    things::runs::prune(db, ambient).await
}

/// The services of a server, put together.
#[derive(Clone)]
pub struct Services {
    /// The MCP endpoint of every mount.
    pub endpoint: Endpoint,
    /// The work of the background.
    pub works: Vec<Arc<dyn Work>>,
    /// The pages, and the authorization server of every mount.
    pub web: Web,
    /// The service things.
    pub things: Things,
}

impl Services {
    /// Puts them together for this node.
    ///
    /// # Errors
    /// [`Failure`] names the setting that can't be used.
    pub async fn assemble(house: &House, node: &str) -> Result<Self, Failure> {
        let things = things(house);
        prepare(&things, house.default).await?;
        let foundations = Foundations {
            db: house.db.clone(),
            ambient: house.ambient.clone(),
            authenticator: Authenticator::new(house.db.clone(), house.ambient.clone()),
            audit: house.audit.clone(),
            cursors: CursorKey::new(house.key.sub_key(Purpose::Cursor)),
            request_states: CursorKey::new(house.key.sub_key(Purpose::RequestState)),
        };
        let services = vec![things::service(&things, house.config.things.mcp_limit)];
        let endpoint = Endpoint::assemble(endpoint_config(&house.config, node)?, services, foundations)?;
        Ok(Self { endpoint, works: works(&things), web: pages(house, &things)?, things })
    }

    /// What each service does by itself while the server runs, until `stop`.
    pub async fn watch(self, node: String, stop: CancellationToken) {
        things::watch::run(self.things, node, stop).await;
    }
}

/// The pages of this house and of every service.
fn pages(house: &House, things: &Things) -> Result<Web, Failure> {
    let config = &house.config;
    let (db, ambient, audit) = (house.db.clone(), house.ambient.clone(), house.audit.clone());
    let door = Door {
        oidc: provider::policy(config),
        ..Door::new(db.clone(), ambient.clone(), house.key.clone(), &config.public_url())
    };
    let provider = provider::of(config, &ambient)?;
    let settings = OAuthSettings {
        refresh_grace: Duration::from_secs(config.oauth.refresh_grace.into()),
        ..OAuthSettings::default()
    };
    let key = house.key.sub_key(Purpose::Refresh);
    let oauth =
        OAuth::new(db.clone(), ambient.clone(), audit.clone(), key, client_documents::of(config)?, settings);
    let budgets = Arc::new(Budgets { db, ambient, configured: config.things.run_budget });
    let web = WebConfig {
        site: site(config)?,
        trusted_proxies: trusted_proxies(config)?,
        oauth_per_second: config.flood.oauth_per_second,
    };
    let tenancy = Arc::new(Tenancy::new(house, things));
    let mailer = mail::of(config, &house.ambient)?;
    let foundations = stoa_web::Foundations {
        default: house.default,
        audit,
        door,
        oauth,
        provider,
        budgets,
        tenancy,
        mailer,
    };
    Web::new(web, vec![things::pages::face(things, config.things.mcp_limit)], foundations)
        .map_err(Failure::Site)
}

fn site(config: &Config) -> Result<Site, Failure> {
    Ok(Site { public_url: config.public_url(), own_hosts: own_hosts(config)? })
}

fn trusted_proxies(config: &Config) -> Result<Vec<Network>, Failure> {
    let read = |text: &String| text.parse().map_err(|error| Failure::Proxy(text.clone(), error));
    config.trusted_proxies.iter().map(read).collect()
}

fn endpoint_config(config: &Config, node: &str) -> Result<EndpointConfig, Failure> {
    let site = site(config)?;
    let per_second = config.flood.per_second;
    Ok(EndpointConfig {
        trusted_proxies: trusted_proxies(config)?,
        flood: FloodLimits { per_second, burst: per_second.saturating_mul(BURST), ..FloodLimits::default() },
        ..EndpointConfig::new(site, node.to_owned())
    })
}

fn own_hosts(config: &Config) -> Result<Vec<OwnHost>, Failure> {
    let own = |(host, mount): (&String, &HostMount)| {
        let workspace = mount.workspace.parse().map_err(|error| Failure::Host(host.clone(), error))?;
        Ok(OwnHost { host: host.clone(), workspace, service: mount.service.clone() })
    };
    config.hosts.iter().map(own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_this_build_lacks_is_refused_by_name() {
        let refusal = mount("rooms").unwrap_err().to_string();
        assert_eq!(refusal, "this build has no mount rooms; it has: all, things");
    }

    #[test]
    fn the_mount_of_all_has_the_scopes_of_each() {
        let all: Vec<_> = mount(ALL).unwrap().scopes().collect();
        assert!(!all.is_empty());
        assert!(mounts().all(|mount| mount.scopes().all(|scope| all.contains(&scope))));
    }
}
