//! A house to test in: the workspace `default` owned by Ann, a clock that stands, one authenticator.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use stoa_base::{Ambient, ManualClock, WorkspaceId};
use stoa_identity::accounts::NewAccount;
use stoa_identity::tokens::{AddedToken, NewToken};
use stoa_identity::{
    Account, Authenticator, Caller, Email, Grant, MountId, Reach, Rejected, Workspace, accounts, tokens,
    workspaces,
};
use stoa_store::audit::{Act, Audit, Opening};
use stoa_store::{Database, Migrations};
use stoa_testing::TestDatabase;

pub const MIGRATIONS: &[&Migrations] = &[&stoa_store::MIGRATIONS, &stoa_identity::MIGRATIONS];

pub struct House {
    pub test: TestDatabase,
    pub ambient: Ambient,
    pub clock: Arc<ManualClock>,
    pub audit: Audit,
    pub authenticator: Authenticator,
    pub workspace: Workspace,
    pub ann: Account,
}

impl House {
    pub async fn on(test: TestDatabase) -> Self {
        let (ambient, clock) = stoa_testing::manual_time();
        let db = &test.db;
        let audit = Audit::start(db.clone(), ambient.clone());
        let workspace = workspaces::ensure_default(db, &ambient).await.unwrap();
        let act = audit.open(opening(workspace.id, "account add"));
        let ann = accounts::add(db, &ambient, &act, person("ann@example.com")).await.unwrap();
        let authenticator = Authenticator::new(db.clone(), ambient.clone());
        Self { test, ambient, clock, audit, authenticator, workspace, ann }
    }

    pub fn db(&self) -> &Database {
        &self.test.db
    }

    /// An act of the command line in the workspace `default`.
    pub fn act(&self, tool: &str) -> Act {
        self.audit.open(opening(self.workspace.id, tool))
    }

    pub async fn add_account(&self, email: &str) -> Account {
        let act = self.act("account add");
        accounts::add(self.db(), &self.ambient, &act, person(email)).await.unwrap()
    }

    /// The mount of things in the workspace `default`.
    pub fn things(&self) -> MountId {
        MountId::new(self.workspace.id, "things")
    }

    pub fn new_token(&self, expires_in: Option<Duration>) -> NewToken {
        let scopes = "things:read things:run".parse().unwrap();
        NewToken {
            email: self.ann.email.clone(),
            mount: self.things(),
            grant: Grant { scopes, reach: Reach::Everything, run_budget: Some(7) },
            expires_in,
            label: "laptop".to_owned(),
        }
    }

    /// A token of Ann's for things.
    pub async fn add_token(&self, expires_in: Option<Duration>) -> AddedToken {
        self.add_this_token(self.new_token(expires_in)).await
    }

    pub async fn add_this_token(&self, new: NewToken) -> AddedToken {
        let act = self.audit.open(opening(new.mount.workspace, "token add"));
        tokens::add(self.db(), &self.ambient, &act, new).await.unwrap()
    }

    /// Shows the token at the mount of things.
    pub async fn show(&self, token: &AddedToken) -> Result<Arc<Caller>, Rejected> {
        self.show_at(token, &self.things()).await
    }

    pub async fn show_at(&self, token: &AddedToken, mount: &MountId) -> Result<Arc<Caller>, Rejected> {
        self.authenticator.authenticate(token.secret.expose(), mount).await.unwrap()
    }
}

pub fn email(text: &str) -> Email {
    text.parse().unwrap()
}

pub fn person(text: &str) -> NewAccount {
    NewAccount { email: email(text), password: None }
}

fn opening(workspace: WorkspaceId, tool: &str) -> Opening {
    Opening::local(workspace, tool, json!({}))
}
