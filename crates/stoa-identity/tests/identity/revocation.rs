use std::sync::Arc;
use std::time::Duration;

use stoa_identity::tokens::AddedToken;
use stoa_identity::{Rejected, TokenPlace, tokens};
use stoa_store::{Database, wake};
use stoa_testing::on_both;
use tokio_util::sync::CancellationToken;

use crate::house::{House, MIGRATIONS};

async fn revoke(house: &House, db: &Database, token: &AddedToken) -> bool {
    let place = TokenPlace { workspace: house.workspace.id, installation: token.installation };
    tokens::revoke(db, &house.ambient, &house.act("token revoke"), &place).await.unwrap()
}

on_both! {
    async fn a_revoked_token_is_refused_from_the_next_request_on(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (token, other) = (house.add_token(None).await, house.add_token(None).await);
        house.show(&token).await.unwrap();
        assert!(revoke(&house, house.db(), &token).await);
        assert_eq!(house.show(&token).await, Err(Rejected::Revoked));
        assert!(!revoke(&house, house.db(), &token).await, "a second time ends nothing");
        house.show(&other).await.unwrap();
    }
}

on_both! {
    async fn within_a_second_a_token_is_looked_up_once(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let token = house.add_token(None).await;
        let first = house.show(&token).await.unwrap();
        house.clock.advance(Duration::from_millis(999));
        assert!(Arc::ptr_eq(&first, &house.show(&token).await.unwrap()));
        house.clock.advance(Duration::from_millis(1));
        assert!(!Arc::ptr_eq(&first, &house.show(&token).await.unwrap()));
    }
}

on_both! {
    async fn a_revocation_elsewhere_whose_ring_is_lost_holds_after_a_second(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let token = house.add_token(None).await;
        house.show(&token).await.unwrap();
        // Another node; nobody carries its rings here.
        let elsewhere = Database::open(&house.test.url).await.unwrap();
        revoke(&house, &elsewhere, &token).await;
        house.clock.advance(Duration::from_millis(999));
        house.show(&token).await.unwrap();
        house.clock.advance(Duration::from_millis(1));
        assert_eq!(house.show(&token).await, Err(Rejected::Revoked));
    }
}

on_both! {
    async fn a_revocation_elsewhere_is_heard_while_the_clock_stands(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let elsewhere = Database::open(&house.test.url).await.unwrap();
        let stop = CancellationToken::new();
        for node in [house.db(), &elsewhere] {
            tokio::spawn(wake::carry(node.clone(), stop.clone()));
        }
        let token = house.add_token(None).await;
        house.show(&token).await.unwrap();
        revoke(&house, &elsewhere, &token).await;
        let heard = async {
            while house.show(&token).await.is_ok() {
                // A ring is a hint; what is tested is that one that comes is heard. Ring until it does.
                revoke(&house, &elsewhere, &token).await;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), heard).await.expect("the ring is heard");
        stop.cancel();
    }
}
