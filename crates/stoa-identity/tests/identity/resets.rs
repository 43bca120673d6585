use std::time::Duration;

use stoa_identity::resets::{self, RedeemResetError, Reset};
use stoa_identity::{NewSession, OneTimeLink, SignInError, accounts};
use stoa_testing::on_both;

use crate::house::{MIGRATIONS, email};
use crate::lodge::{Lodge, PASSWORD, succeed_at_once, visit};

const NEW: &str = "a stoa at noon";

async fn issue(lodge: &Lodge, address: &str) -> Option<OneTimeLink> {
    issue_for(lodge, address, Reset::Password).await
}

async fn issue_for(lodge: &Lodge, address: &str, reset: Reset) -> Option<OneTimeLink> {
    let (db, ambient, act) = (lodge.house.db(), &lodge.house.ambient, lodge.act("account reset"));
    resets::issue(db, ambient, &act, &email(address), reset).await.unwrap()
}

fn redeem(
    lodge: &Lodge,
    link: &OneTimeLink,
    password: Option<&'static str>,
) -> impl Future<Output = Result<NewSession, RedeemResetError>> + Send + use<> {
    let (door, act, secret) = (lodge.door.clone(), lodge.act("reset"), link.secret.clone());
    async move { resets::redeem(&door, &act, secret.expose(), password, &visit()).await }
}

on_both! {
    async fn a_reset_gives_a_new_password_and_ends_every_session(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let (old, _) = lodge.bob_signed_in().await;
        let link = issue(&lodge, "Bob@example.com").await.unwrap();
        let whose = resets::whose(&lodge.door, link.secret.expose()).await.unwrap();
        assert_eq!(whose, Some(email("bob@example.com")));
        let new = redeem(&lodge, &link, Some(NEW)).await.unwrap();
        assert!(lodge.who(&old).await.is_none() && lodge.who(&new).await.is_some());
        assert!(matches!(lodge.sign_in("bob@example.com", PASSWORD).await, Err(SignInError::Refused)));
        lodge.sign_in("bob@example.com", NEW).await.unwrap();
        assert!(matches!(redeem(&lodge, &link, Some(NEW)).await, Err(RedeemResetError::NotGood)));
        assert_eq!(resets::whose(&lodge.door, link.secret.expose()).await.unwrap(), None);
    }
}

on_both! {
    async fn a_reset_without_a_password_leaves_none(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let link = issue(&lodge, "bob@example.com").await.unwrap();
        let session = redeem(&lodge, &link, None).await.unwrap();
        assert!(lodge.who(&session).await.is_some());
        assert!(lodge.sign_in("bob@example.com", PASSWORD).await.is_err());
    }
}

on_both! {
    async fn what_anybody_may_have_mailed_leaves_the_operators_link_good(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let operators = issue_for(&lodge, "bob@example.com", Reset::Everything).await.unwrap();
        let mailed = issue(&lodge, "bob@example.com").await.unwrap();
        redeem(&lodge, &operators, Some(NEW)).await.unwrap();
        // With one of them the others are over.
        assert!(matches!(redeem(&lodge, &mailed, Some(NEW)).await, Err(RedeemResetError::NotGood)));
    }
}

on_both! {
    async fn of_several_redeemed_at_once_exactly_one_is_good(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let link = issue(&lodge, "bob@example.com").await.unwrap();
        let attempts: Vec<_> = (0..6).map(|_| redeem(&lodge, &link, Some(NEW))).collect();
        assert_eq!(succeed_at_once(attempts).await, 1);
    }
}

on_both! {
    async fn a_link_ends_after_an_hour_with_the_next_one_and_with_its_account(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let bob = lodge.add_bob().await;
        let replaced = issue(&lodge, "bob@example.com").await.unwrap();
        let expired = issue(&lodge, "bob@example.com").await.unwrap();
        assert!(matches!(redeem(&lodge, &replaced, None).await, Err(RedeemResetError::NotGood)));
        lodge.house.clock.advance(Duration::from_hours(1));
        assert!(matches!(redeem(&lodge, &expired, None).await, Err(RedeemResetError::NotGood)));
        let ended = issue(&lodge, "bob@example.com").await.unwrap();
        let (db, ambient, act) = (lodge.house.db(), &lodge.house.ambient, lodge.act("account disable"));
        accounts::disable(db, ambient, &act, bob.id).await.unwrap();
        assert!(matches!(redeem(&lodge, &ended, None).await, Err(RedeemResetError::NotGood)));
        assert!(issue(&lodge, "bob@example.com").await.is_none());
        assert!(issue(&lodge, "nobody@example.com").await.is_none());
    }
}
