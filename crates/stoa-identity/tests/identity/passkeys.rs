use std::time::Duration;

use serde_json::{Value, json};
use stoa_identity::passkeys::{self, Challenge, RegisterError, RemovePasskeyError};
use stoa_identity::second_factors::{self, SecondFactorError};
use stoa_identity::{AuthenticatedBy, NewSession, PasskeyRecord, SignInError, SignedIn, accounts};
use stoa_testing::{PasskeyBrowser, on_both};

use crate::house::{MIGRATIONS, email};
use crate::lodge::{Lodge, PASSWORD, PUBLIC_URL, succeed_at_once, visit};

async fn create(browser: &mut PasskeyBrowser, challenge: &Challenge) -> Value {
    browser.create(PUBLIC_URL, &challenge.options).await
}

async fn get(browser: &mut PasskeyBrowser, challenge: &Challenge) -> Value {
    browser.get(PUBLIC_URL, &challenge.options).await.unwrap()
}

async fn register(lodge: &Lodge, who: &SignedIn, browser: &mut PasskeyBrowser) -> PasskeyRecord {
    let (door, act) = (&lodge.door, || lodge.act("passkey add"));
    let challenge = passkeys::start_registration(door, &act(), who).await.unwrap();
    let response = create(browser, &challenge).await;
    let secret = challenge.secret.expose();
    passkeys::finish_registration(door, &act(), who, secret, &response, "laptop\n").await.unwrap()
}

/// Bob with a passkey in this browser.
async fn bob_with_passkey(lodge: &Lodge) -> (SignedIn, PasskeyBrowser, PasskeyRecord) {
    lodge.add_bob().await;
    let (_, who) = lodge.bob_signed_in().await;
    let mut browser = PasskeyBrowser::default();
    let passkey = register(lodge, &who, &mut browser).await;
    (who, browser, passkey)
}

async fn start(lodge: &Lodge, address: Option<&str>) -> Challenge {
    let address = address.map(email);
    passkeys::start_sign_in(&lodge.door, address.as_ref(), &visit()).await.unwrap()
}

fn finish(
    lodge: &Lodge,
    challenge: &Challenge,
    response: &Value,
) -> impl Future<Output = Result<NewSession, SignInError>> + Send + use<> {
    let (door, act, response) = (lodge.door.clone(), lodge.act("sign in"), response.clone());
    let secret = challenge.secret.clone();
    async move { passkeys::finish_sign_in(&door, &act, secret.expose(), &response, &visit()).await }
}

fn allowed(challenge: &Challenge) -> Vec<Value> {
    challenge.options["publicKey"]["allowCredentials"].as_array().cloned().unwrap_or_default()
}

on_both! {
    async fn a_passkey_signs_in_without_an_address_and_with_one(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let (bob, mut browser, passkey) = bob_with_passkey(&lodge).await;
        assert_eq!(passkey.name, "laptop");
        for address in [None, Some("bob@example.com")] {
            let challenge = start(&lodge, address).await;
            assert_eq!(allowed(&challenge).len(), usize::from(address.is_some()));
            let response = get(&mut browser, &challenge).await;
            let session = finish(&lodge, &challenge, &response).await.unwrap();
            let who = lodge.who(&session).await.unwrap();
            assert_eq!((who.account, who.authenticated_by), (bob.account, AuthenticatedBy::Passkey));
        }
        let listed = passkeys::list(&lodge.door, &bob).await.unwrap();
        assert_eq!(listed[0].last_used_at, Some(lodge.house.ambient.now()));
    }
}

on_both! {
    async fn a_ceremony_is_good_once_for_five_minutes_and_in_its_own_browser(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let (_, mut browser, _) = bob_with_passkey(&lodge).await;
        let challenge = start(&lodge, None).await;
        let response = get(&mut browser, &challenge).await;
        let other = start(&lodge, None).await;
        assert!(matches!(finish(&lodge, &other, &response).await, Err(SignInError::Refused)), "another browser");
        finish(&lodge, &challenge, &response).await.unwrap();
        assert!(matches!(finish(&lodge, &challenge, &response).await, Err(SignInError::NotWaiting)), "a replay");
        let late = start(&lodge, None).await;
        let response = get(&mut browser, &late).await;
        lodge.house.clock.advance(Duration::from_mins(5));
        assert!(matches!(finish(&lodge, &late, &response).await, Err(SignInError::NotWaiting)));
    }
}

on_both! {
    async fn of_several_that_end_one_ceremony_at_once_one_gets_in(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let (_, mut browser, _) = bob_with_passkey(&lodge).await;
        let challenge = start(&lodge, None).await;
        let response = get(&mut browser, &challenge).await;
        let attempts: Vec<_> = (0..6).map(|_| finish(&lodge, &challenge, &response)).collect();
        assert_eq!(succeed_at_once(attempts).await, 1);
    }
}

on_both! {
    async fn an_address_without_passkeys_and_one_that_nobody_has_look_like_any_other(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        bob_with_passkey(&lodge).await;
        let shape = |challenge: &Challenge| {
            let id = allowed(challenge)[0]["id"].as_str().unwrap().len();
            let keys: Vec<String> =
                challenge.options["publicKey"].as_object().unwrap().keys().cloned().collect();
            (allowed(challenge).len(), id > 20, keys)
        };
        let known = shape(&start(&lodge, Some("bob@example.com")).await);
        for address in ["ann@example.com", "nobody@example.com"] {
            let (one, two) = (start(&lodge, Some(address)).await, start(&lodge, Some(address)).await);
            assert_eq!(shape(&one), known);
            assert_eq!(allowed(&one), allowed(&two), "the same each time");
        }
    }
}

on_both! {
    async fn what_another_site_asked_for_is_worth_nothing_here(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let (_, mut browser, _) = bob_with_passkey(&lodge).await;
        let challenge = start(&lodge, None).await;
        // A browser would not even ask; one that is made to answers for a subdomain that is not ours.
        if let Some(response) = browser.get("https://evil.stoa.example.com", &challenge.options).await {
            assert!(matches!(finish(&lodge, &challenge, &response).await, Err(SignInError::Refused)));
        }
        assert!(browser.get("https://evil.example.net", &challenge.options).await.is_none());
    }
}

on_both! {
    async fn a_passkey_that_is_unknown_changed_removed_or_of_a_disabled_person_is_refused_alike(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let (bob, mut browser, passkey) = bob_with_passkey(&lodge).await;
        let refused = async |response: &Value, challenge: &Challenge| {
            matches!(finish(&lodge, challenge, response).await, Err(SignInError::Refused))
        };
        let challenge = start(&lodge, None).await;
        let mut changed = get(&mut browser, &challenge).await;
        changed["response"]["signature"] = json!("MEUCIQDabc");
        assert!(refused(&changed, &challenge).await);
        let challenge = start(&lodge, None).await;
        assert!(refused(&json!({ "id": "x" }), &challenge).await);
        let challenge = start(&lodge, None).await;
        let response = get(&mut browser, &challenge).await;
        passkeys::remove(&lodge.door, &lodge.act("remove"), &bob, passkey.id).await.unwrap();
        assert!(refused(&response, &challenge).await);
        register(&lodge, &bob, &mut browser).await;
        let challenge = start(&lodge, None).await;
        let response = get(&mut browser, &challenge).await;
        let (db, ambient, act) = (lodge.house.db(), &lodge.house.ambient, lodge.act("account disable"));
        accounts::disable(db, ambient, &act, bob.account).await.unwrap();
        assert!(refused(&response, &challenge).await);
    }
}

on_both! {
    async fn a_registration_is_its_person_s_its_browser_s_and_good_once(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let (bob, mut browser, _) = bob_with_passkey(&lodge).await;
        let mut stranger = bob.clone();
        stranger.account = lodge.house.ann.id;
        let (door, act) = (&lodge.door, || lodge.act("passkey add"));
        let add = async |who: &SignedIn, challenge: &Challenge, response: &Value| {
            let secret = challenge.secret.expose();
            passkeys::finish_registration(door, &act(), who, secret, response, "key").await
        };
        let challenge = passkeys::start_registration(door, &act(), &bob).await.unwrap();
        let response = create(&mut PasskeyBrowser::default(), &challenge).await;
        let stolen = add(&stranger, &challenge, &response).await;
        assert!(matches!(stolen, Err(RegisterError::NotWaiting)));
        let again = add(&bob, &challenge, &response).await;
        assert!(matches!(again, Err(RegisterError::NotWaiting)), "used up whatever came of it");
        let challenge = passkeys::start_registration(door, &act(), &bob).await.unwrap();
        let old = add(&bob, &challenge, &response).await;
        assert!(matches!(old, Err(RegisterError::Refused)), "the answer to another challenge");
        let sign_in = start(&lodge, None).await;
        let response = get(&mut browser, &sign_in).await;
        let other = add(&bob, &sign_in, &response).await;
        assert!(matches!(other, Err(RegisterError::NotWaiting)), "another ceremony");
        lodge.house.clock.advance(Duration::from_mins(16));
        let stale = passkeys::start_registration(door, &act(), &bob).await;
        assert!(matches!(stale, Err(RegisterError::NotFresh(_))));
    }
}

on_both! {
    async fn passkeys_are_renamed_and_removed_but_not_the_last_way_to_sign_in(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let (bob, mut browser, first) = bob_with_passkey(&lodge).await;
        let (door, act) = (&lodge.door, || lodge.act("passkey"));
        assert!(passkeys::rename(door, &act(), &bob, first.id, "phone").await.unwrap());
        assert_eq!(passkeys::list(door, &bob).await.unwrap()[0].name, "phone");
        let mut stranger = bob.clone();
        stranger.account = lodge.house.ann.id;
        assert!(!passkeys::rename(door, &act(), &stranger, first.id, "mine").await.unwrap());
        let foreign = passkeys::remove(door, &act(), &stranger, first.id).await;
        assert!(matches!(foreign, Err(RemovePasskeyError::Missing)));
        forget_password(&lodge).await;
        let last = passkeys::remove(door, &act(), &bob, first.id).await;
        assert!(matches!(last, Err(RemovePasskeyError::LastWay)));
        let challenge = start(&lodge, None).await;
        let response = get(&mut browser, &challenge).await;
        finish(&lodge, &challenge, &response).await.unwrap();
    }
}

async fn forget_password(lodge: &Lodge) {
    let mut tx = lodge.house.db().begin().await.unwrap();
    stoa_store::on!(tx tx, c => {
        sqlx::query("UPDATE account SET password_hash = NULL").execute(c).await.map(|_| ())
    })
    .unwrap();
    tx.commit().await.unwrap();
}

on_both! {
    async fn of_two_last_passkeys_removed_at_once_one_stays(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let (bob, _, first) = bob_with_passkey(&lodge).await;
        let second = register(&lodge, &bob, &mut PasskeyBrowser::default()).await;
        forget_password(&lodge).await;
        let attempts: Vec<_> = [first.id, second.id].into_iter().map(|id| {
            let (door, act, bob) = (lodge.door.clone(), lodge.act("remove"), bob.clone());
            async move { passkeys::remove(&door, &act, &bob, id).await }
        }).collect();
        assert_eq!(succeed_at_once(attempts).await, 1);
        assert_eq!(passkeys::list(&lodge.door, &bob).await.unwrap().len(), 1);
    }
}

on_both! {
    async fn as_a_second_factor_a_passkey_makes_the_password_alone_worthless(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let (bob, mut browser, passkey) = bob_with_passkey(&lodge).await;
        let (door, act) = (&lodge.door, || lodge.act("second factor"));
        second_factors::use_passkeys(door, &act(), &bob).await.unwrap();
        let twice = second_factors::use_passkeys(door, &act(), &bob).await;
        assert!(matches!(twice, Err(SecondFactorError::Exists)));
        assert!(lodge.sign_in("bob@example.com", PASSWORD).await.unwrap().needs_second_factor);
        let challenge = start(&lodge, Some("bob@example.com")).await;
        let response = get(&mut browser, &challenge).await;
        assert!(!finish(&lodge, &challenge, &response).await.unwrap().needs_second_factor);
        let last = passkeys::remove(door, &act(), &bob, passkey.id).await;
        assert!(matches!(last, Err(RemovePasskeyError::SecondFactor)));
        second_factors::remove(door, &act(), &bob).await.unwrap();
        passkeys::remove(door, &act(), &bob, passkey.id).await.unwrap();
        let none = second_factors::use_passkeys(door, &act(), &bob).await;
        assert!(matches!(none, Err(SecondFactorError::NoPasskey)));
    }
}

on_both! {
    async fn ceremonies_are_limited_per_network_so_that_their_table_stays_small(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        for _ in 0..100 {
            start(&lodge, None).await;
        }
        let refusal = passkeys::start_sign_in(&lodge.door, None, &visit()).await.unwrap_err();
        assert!(matches!(refusal, SignInError::TooMany { .. }));
        assert_eq!(lodge.count("ceremony").await, 100);
    }
}
