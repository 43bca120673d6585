use std::time::Duration;

use stoa_base::{Ambient, WorkspaceId};
use stoa_identity::{Caller, MountId, Reach, Rejected, Role, SecretToken, installations};
use stoa_store::audit::Credential;
use stoa_testing::{START, on_both};

use crate::house::{House, MIGRATIONS};

on_both! {
    async fn a_token_is_its_caller_with_grant_and_role(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let token = house.add_token(None).await;
        let caller = house.show(&token).await.unwrap();
        let expected = Caller {
            workspace: house.workspace.id,
            account: house.ann.id,
            role: Role::Owner,
            installation: token.installation,
            label: "laptop".to_owned(),
            client: None,
            mount: house.things(),
            scopes: "things:read things:run".parse().unwrap(),
            reach: Reach::Everything,
            run_budget: Some(7),
            credential: Credential::Personal,
        };
        assert_eq!(*caller, expected);
    }
}

on_both! {
    async fn a_bounded_grant_stays_bounded(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let mut new = house.new_token(None);
        new.grant.reach = Reach::Only([house.ann.id.uuid()].into());
        new.grant.run_budget = None;
        let caller = house.show(&house.add_this_token(new).await).await.unwrap();
        assert!(caller.reach.includes(house.ann.id.uuid()));
        assert!(!caller.reach.includes(house.workspace.id.uuid()));
        assert_eq!(caller.run_budget, None);
    }
}

on_both! {
    async fn no_token_and_what_is_none_are_malformed(test) with MIGRATIONS; {
        let house = House::on(test).await;
        // With the database gone, an answer can't have come from it.
        house.db().close().await;
        for text in ["", "secret", "stoa_pat_", "stoa_pat_0000000000000000000000000000000000000000000000000"] {
            let shown = house.authenticator.authenticate(text, &house.things()).await.unwrap();
            assert_eq!(shown, Err(Rejected::Malformed), "{text:?}");
        }
    }
}

on_both! {
    async fn a_token_nobody_has_is_unknown(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let stray = SecretToken::personal(&Ambient::system());
        let shown = house.authenticator.authenticate(stray.expose(), &house.things()).await.unwrap();
        assert_eq!(shown, Err(Rejected::Unknown));
    }
}

on_both! {
    async fn a_token_is_good_until_its_expiry_also_while_held(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let token = house.add_token(Some(Duration::from_millis(500))).await;
        house.clock.advance(Duration::from_millis(499));
        house.show(&token).await.unwrap();
        house.clock.advance(Duration::from_millis(1));
        assert_eq!(house.show(&token).await, Err(Rejected::Expired));
        house.clock.advance(Duration::from_secs(10));
        assert_eq!(house.show(&token).await, Err(Rejected::Expired));
    }
}

on_both! {
    async fn a_token_is_good_at_its_mount_only(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let token = house.add_token(None).await;
        let others = [
            MountId::new(house.workspace.id, "all"),
            MountId::new(house.workspace.id, "rooms"),
            MountId::new(WorkspaceId::new(&house.ambient), "things"),
        ];
        // Before it is held and after.
        for _ in 0..2 {
            for mount in &others {
                assert_eq!(house.show_at(&token, mount).await, Err(Rejected::OtherMount));
            }
            house.show(&token).await.unwrap();
        }
    }
}

on_both! {
    async fn the_last_use_is_known_to_the_minute(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let token = house.add_token(None).await;
        assert_eq!(last_use(&house).await, None);
        house.show(&token).await.unwrap();
        used_at(&house, START).await;
        house.clock.advance(Duration::from_secs(59));
        house.show(&token).await.unwrap();
        let minute = START.plus(Duration::from_mins(1));
        house.clock.advance(Duration::from_secs(1));
        house.show(&token).await.unwrap();
        used_at(&house, minute).await;
    }
}

async fn last_use(house: &House) -> Option<stoa_base::Timestamp> {
    installations::list(house.db(), house.workspace.id).await.unwrap()[0].last_used_at
}

/// Waits until the last use is written, and sees that it is this one.
async fn used_at(house: &House, at: stoa_base::Timestamp) {
    let before = at.minus(Duration::from_mins(1));
    let written = async {
        while last_use(house).await.is_none_or(|last| last == before) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), written).await.expect("the use is written");
    assert_eq!(last_use(house).await, Some(at));
}
