//! A real house: configuration, database, key, audit, services, router. Time stands still.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use serde_json::json;
use stoa::config::{Config, Environment, Flags};
use stoa::house::House;
use stoa::services::Services;
use stoa_base::{ManualClock, WorkspaceId};
use stoa_identity::accounts::NewAccount;
use stoa_identity::tokens::NewToken;
use stoa_identity::{Grant, MountId, Reach, accounts, tokens, workspaces};
use stoa_runs::RunId;
use stoa_store::DatabaseUrl;
use stoa_testing::{TestDatabase, manual_time};
use things::model::ResourceId;
use things::operations::add_resource::{AddResource, add_resource};
use tokio_util::sync::CancellationToken;

use super::{Anonymous, Bearer};

/// A variable of the environment, as an operator would set it.
pub type Setting<'a> = (&'a str, &'a str);

/// The owner of every workspace of these tests.
const OWNER: &str = "owner@example.com";

/// A Stoa that no network reaches.
pub struct App {
    pub house: House,
    pub services: Services,
    pub clock: Arc<ManualClock>,
    pub test: TestDatabase,
    router: Router,
}

impl App {
    /// A house on the test's database, with an owner.
    pub async fn on(test: TestDatabase) -> Self {
        Self::with(test, &[]).await
    }

    /// The same, with settings.
    pub async fn with(test: TestDatabase, settings: &[Setting<'_>]) -> Self {
        let (ambient, clock) = manual_time();
        let house = House::open(&configuration(&test, settings), &ambient).await.unwrap();
        let services = Services::assemble(&house, "test").await.unwrap();
        let router =
            stoa_mcp::router(services.endpoint.clone()).merge(stoa_web::router(services.web.clone()));
        let app = Self { house, services, clock, test, router };
        app.add_owner().await;
        app
    }

    async fn add_owner(&self) {
        let owner = NewAccount { email: OWNER.parse().unwrap(), password: None };
        let act = self.house.act(self.house.default, "account add", json!({}));
        accounts::add(&self.house.db, &self.house.ambient, &act, owner).await.unwrap();
    }

    /// Another tenant, named `other`, with the same owner.
    pub async fn other_workspace(&self) -> WorkspaceId {
        let act = self.house.act(self.house.default, "workspace add", json!({}));
        let (db, ambient) = (&self.house.db, &self.house.ambient);
        let added =
            workspaces::add(db, ambient, &act, "other".parse().unwrap(), &OWNER.parse().unwrap()).await;
        added.unwrap().id
    }

    /// A folder resource of a workspace with these files (name, text), synced.
    pub async fn folder(&self, workspace: WorkspaceId, name: &str, files: &[(&str, &str)]) -> ResourceId {
        let path = self.test.folder.path().join(format!("{workspace} {name}"));
        std::fs::create_dir(&path).unwrap();
        for (file, text) in files {
            std::fs::write(path.join(file), text).unwrap();
        }
        let act = self.house.act(workspace, "things add", json!({}));
        let asked = AddResource {
            workspace,
            connector: "folder".to_owned(),
            name: name.to_owned(),
            settings: [("path".to_owned(), path.to_str().unwrap().to_owned())].into(),
        };
        let id = add_resource(&self.services.things, &act, &asked).await.unwrap();
        let bearer = self.token(workspace).await;
        let path = if workspace == self.house.default { "/things/mcp" } else { "/w/other/things/mcp" };
        let queued = bearer.caller().call_at(path, "sync_resource", json!({ "resource_id": id })).await;
        let queued = queued.structured();
        self.work(workspace, queued["run_id"].as_str().unwrap().parse().unwrap()).await;
        id
    }

    /// Does a run to its end.
    pub async fn work(&self, workspace: WorkspaceId, run: RunId) {
        let (db, ambient) = (&self.house.db, &self.house.ambient);
        let stop = CancellationToken::new();
        let works = self.services.works.clone();
        stoa_runs::work_one(db, ambient, works, workspace, run, stop).await.unwrap();
    }

    /// A caller without a token.
    pub fn anonymous(&self) -> Anonymous {
        Anonymous::new(self.router.clone())
    }

    /// A token for everything that things does in this workspace.
    pub async fn token(&self, workspace: WorkspaceId) -> Bearer {
        self.token_at(workspace, "things", things::SCOPES.iter().map(|scope| scope.name)).await
    }

    /// A token for these scopes at a mount.
    pub async fn token_at(
        &self,
        workspace: WorkspaceId,
        service: &str,
        scopes: impl IntoIterator<Item = &str>,
    ) -> Bearer {
        self.token_for(workspace, service, scopes, None, None).await
    }

    /// A token with everything said.
    pub async fn token_for(
        &self,
        workspace: WorkspaceId,
        service: &str,
        scopes: impl IntoIterator<Item = &str>,
        run_budget: Option<u32>,
        expires_in: Option<Duration>,
    ) -> Bearer {
        let scopes = scopes.into_iter().map(str::to_owned).collect();
        let wanted = NewToken {
            email: OWNER.parse().unwrap(),
            mount: MountId::new(workspace, service),
            grant: Grant { scopes, reach: Reach::Everything, run_budget },
            expires_in,
            label: "test".to_owned(),
        };
        let act = self.house.act(workspace, "token add", json!({}));
        let added = tokens::add(&self.house.db, &self.house.ambient, &act, wanted).await.unwrap();
        self.anonymous().with_token(added.secret.expose())
    }

    /// Revokes a token.
    pub async fn revoke(&self, bearer: &Bearer) {
        let records = tokens::list(&self.house.db, self.house.default).await.unwrap();
        let newest = records.into_iter().max_by_key(|record| record.created_at).unwrap();
        let place = tokens::find(&self.house.db, newest.id.uuid()).await.unwrap().unwrap();
        let act = self.house.act(self.house.default, "token revoke", json!({}));
        assert!(tokens::revoke(&self.house.db, &self.house.ambient, &act, &place).await.unwrap());
        assert_eq!(bearer.status_at("/things/mcp").await, 401);
    }
}

fn configuration(test: &TestDatabase, settings: &[Setting<'_>]) -> Config {
    let flags = Flags {
        data: Some(test.folder.path().join("data")),
        database_url: Some(url(&test.url)),
        ..Flags::default()
    };
    let variables = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Config::load(&flags, &Environment::of(variables)).unwrap()
}

fn url(url: &DatabaseUrl) -> String {
    match url {
        DatabaseUrl::Sqlite(path) => format!("sqlite:{}", PathBuf::from(path).display()),
        DatabaseUrl::Postgres(url) => url.clone(),
    }
}
