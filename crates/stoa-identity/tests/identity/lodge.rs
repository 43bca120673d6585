//! The house with its door: people with passwords, browsers, and what they hold.

use std::net::IpAddr;
use std::sync::Arc;

use stoa_base::Ambient;
use stoa_identity::accounts::NewAccount;
use stoa_identity::{
    Account, Caller, Door, MountId, NewSession, Password, Role, Scopes, SignInError, SignedIn, Visit,
    accounts, members, passwords, sessions,
};
use stoa_store::Database;
use stoa_store::audit::Act;
use stoa_store::secret::SecretKey;
use stoa_testing::TestDatabase;

use crate::house::{House, email};

pub const PASSWORD: &str = "correct horse battery";
pub const PUBLIC_URL: &str = "https://stoa.example.com";

pub struct Lodge {
    pub house: House,
    pub door: Door,
}

impl Lodge {
    pub async fn on(test: TestDatabase) -> Self {
        let house = House::on(test).await;
        let door = door(house.db().clone(), house.ambient.clone(), &house.test);
        Self { house, door }
    }

    pub fn act(&self, tool: &str) -> Act {
        self.house.act(tool)
    }

    /// A member of `default` with a password.
    pub async fn add_bob(&self) -> Account {
        let new = NewAccount { email: email("bob@example.com"), password: Password::typed(PASSWORD) };
        let (db, ambient) = (self.house.db(), &self.house.ambient);
        let bob = accounts::add(db, ambient, &self.act("account add"), new).await.unwrap();
        let (act, workspace) = (self.act("member add"), self.house.workspace.id);
        members::add(db, ambient, &act, workspace, bob.id, Role::Member).await.unwrap();
        bob
    }

    pub async fn sign_in(&self, address: &str, password: &str) -> Result<NewSession, SignInError> {
        self.sign_in_from(address, password, &visit()).await
    }

    pub async fn sign_in_from(
        &self,
        address: &str,
        password: &str,
        visit: &Visit,
    ) -> Result<NewSession, SignInError> {
        passwords::sign_in(&self.door, &self.act("sign in"), &email(address), password, visit).await
    }

    /// Bob, signed in with his password.
    pub async fn bob_signed_in(&self) -> (NewSession, SignedIn) {
        let session = self.sign_in("bob@example.com", PASSWORD).await.unwrap();
        let who = self.who(&session).await.unwrap();
        (session, who)
    }

    pub async fn who(&self, session: &NewSession) -> Option<SignedIn> {
        sessions::current(&self.door, session.secret.expose()).await.unwrap()
    }

    /// The person as a caller of the things of the workspace `default`.
    pub async fn caller(&self, who: &SignedIn) -> Option<Arc<Caller>> {
        let mount = MountId::new(self.house.workspace.id, "things");
        sessions::caller(&self.door, who, mount, &Scopes::default()).await.unwrap()
    }

    pub async fn count(&self, table: &'static str) -> i64 {
        let text = sqlx::AssertSqlSafe(format!("SELECT COUNT(*) FROM {table}"));
        stoa_store::on!(read self.house.db(), c => sqlx::query_scalar(text).fetch_one(c).await).unwrap()
    }
}

pub fn door(db: Database, ambient: Ambient, test: &TestDatabase) -> Door {
    let key = SecretKey::load_or_create(&test.folder.path().join("secret.key"), &ambient).unwrap();
    Door::new(db, ambient, Arc::new(key), PUBLIC_URL)
}

/// From a browser at home.
pub fn visit() -> Visit {
    from("192.0.2.7".parse().unwrap())
}

pub fn from(address: IpAddr) -> Visit {
    Visit {
        address: Some(address),
        class: stoa_store::audit::AddressClass::Public,
        user_agent: Some("Firefox\n\u{1b}[2J".to_owned()),
        trace_id: None,
    }
}

/// Runs them all at once and says how many succeeded.
pub async fn succeed_at_once<T: Send + 'static, E: Send + 'static>(
    attempts: impl IntoIterator<Item = impl Future<Output = Result<T, E>> + Send + 'static>,
) -> usize {
    let mut running = tokio::task::JoinSet::new();
    for attempt in attempts {
        running.spawn(async move { attempt.await.is_ok() });
    }
    running.join_all().await.into_iter().filter(|succeeded| *succeeded).count()
}
