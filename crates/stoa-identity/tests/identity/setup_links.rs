use std::time::Duration;

use stoa_identity::setup_links::{RedeemSetupError, SetupLinkError};
use stoa_identity::{
    AuthenticatedBy, Door, NotAPassword, OneTimeLink, Role, accounts, sessions, setup_links, workspaces,
};
use stoa_store::audit::{Act, Audit, Opening};
use stoa_testing::{TestDatabase, on_both};

use crate::house::{MIGRATIONS, email, person};
use crate::lodge::{PASSWORD, door, succeed_at_once, visit};

/// A house in which nobody lives.
struct Empty {
    door: Door,
    clock: std::sync::Arc<stoa_base::ManualClock>,
    audit: Audit,
    workspace: stoa_base::WorkspaceId,
    _test: TestDatabase,
}

impl Empty {
    async fn on(test: TestDatabase) -> Self {
        let (ambient, clock) = stoa_testing::manual_time();
        let workspace = workspaces::ensure_default(&test.db, &ambient).await.unwrap().id;
        let audit = Audit::start(test.db.clone(), ambient.clone());
        Self { door: door(test.db.clone(), ambient, &test), clock, audit, workspace, _test: test }
    }

    fn act(&self) -> Act {
        self.audit.open(Opening::local(self.workspace, "setup-link", serde_json::json!({})))
    }

    async fn issue(&self) -> Result<OneTimeLink, SetupLinkError> {
        setup_links::issue(&self.door.db, &self.door.ambient, &self.act()).await
    }

    fn redeem(
        &self,
        link: &OneTimeLink,
        password: &'static str,
    ) -> impl Future<Output = Result<stoa_identity::NewSession, RedeemSetupError>> + Send + use<> {
        let (door, act, secret) = (self.door.clone(), self.act(), link.secret.clone());
        async move {
            let owner = email("owner@example.com");
            setup_links::redeem(&door, &act, secret.expose(), owner, Some(password), &visit()).await
        }
    }
}

on_both! {
    async fn the_link_makes_the_owner_and_signs_them_in_once(test) with MIGRATIONS; {
        let house = Empty::on(test).await;
        let link = house.issue().await.unwrap();
        let session = house.redeem(&link, PASSWORD).await.unwrap();
        let who = sessions::current(&house.door, session.secret.expose()).await.unwrap().unwrap();
        assert_eq!((who.email, who.authenticated_by), (email("owner@example.com"), AuthenticatedBy::Setup));
        let roles: Vec<String> = stoa_store::on!(read house.door.db, c => {
            sqlx::query_scalar("SELECT role FROM membership").fetch_all(c).await
        }).unwrap();
        assert_eq!(roles, [Role::Owner.as_str()]);
        assert!(matches!(house.redeem(&link, PASSWORD).await, Err(RedeemSetupError::NotGood)));
        assert!(matches!(house.issue().await, Err(SetupLinkError::NotEmpty)));
    }
}

on_both! {
    async fn a_new_link_replaces_the_old_one_and_each_ends_after_a_day(test) with MIGRATIONS; {
        let house = Empty::on(test).await;
        let old = house.issue().await.unwrap();
        let new = house.issue().await.unwrap();
        assert!(matches!(house.redeem(&old, PASSWORD).await, Err(RedeemSetupError::NotGood)));
        house.clock.advance(Duration::from_hours(24));
        assert!(matches!(house.redeem(&new, PASSWORD).await, Err(RedeemSetupError::NotGood)));
    }
}

on_both! {
    async fn of_several_redeemed_at_once_exactly_one_is_good(test) with MIGRATIONS; {
        let house = Empty::on(test).await;
        let link = house.issue().await.unwrap();
        let attempts: Vec<_> = (0..6).map(|_| house.redeem(&link, PASSWORD)).collect();
        assert_eq!(succeed_at_once(attempts).await, 1);
    }
}

on_both! {
    async fn of_several_issued_at_once_one_is_left(test) with MIGRATIONS; {
        let house = Empty::on(test).await;
        let issue = || {
            let (door, act) = (house.door.clone(), house.act());
            async move { setup_links::issue(&door.db, &door.ambient, &act).await }
        };
        assert_eq!(succeed_at_once((0..6).map(|_| issue())).await, 6);
        let left: i64 = stoa_store::on!(read house.door.db, c => {
            sqlx::query_scalar("SELECT COUNT(*) FROM one_time_link").fetch_one(c).await
        }).unwrap();
        assert_eq!(left, 1);
    }
}

on_both! {
    async fn a_bad_password_leaves_the_link_good_and_an_account_makes_it_useless(test) with MIGRATIONS; {
        let house = Empty::on(test).await;
        let link = house.issue().await.unwrap();
        let refusal = house.redeem(&link, "short").await.unwrap_err();
        assert!(matches!(refusal, RedeemSetupError::Password(NotAPassword::TooShort)));
        let (db, ambient, act) = (&house.door.db, &house.door.ambient, house.act());
        accounts::add(db, ambient, &act, person("first@example.com")).await.unwrap();
        assert!(matches!(house.redeem(&link, PASSWORD).await, Err(RedeemSetupError::NotGood)));
    }
}
