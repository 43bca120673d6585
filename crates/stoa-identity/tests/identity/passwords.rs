use std::time::Duration;

use stoa_identity::passwords::ChangePasswordError;
use stoa_identity::{Account, NotAPassword, SignInError, Visit, accounts, passwords};
use stoa_testing::on_both;

use crate::house::{MIGRATIONS, email};
use crate::lodge::{Lodge, PASSWORD, from, visit};

const WRONG: &str = "wrong horse battery";

/// Visits from as many networks.
fn networks() -> impl Iterator<Item = Visit> {
    (1..=u8::MAX).map(|last| from([198, 51, 100, last].into()))
}

async fn hash(lodge: &Lodge) -> String {
    stoa_store::on!(read lodge.house.db(), c => {
        sqlx::query_scalar("SELECT password_hash FROM account WHERE password_hash IS NOT NULL").fetch_one(c).await
    }).unwrap()
}

async fn set_hash(lodge: &Lodge, hash: &str) {
    let mut tx = lodge.house.db().begin().await.unwrap();
    stoa_store::on!(tx tx, c => {
        sqlx::query("UPDATE account SET password_hash = $1 WHERE password_hash IS NOT NULL")
            .bind(hash).execute(c).await.map(|_| ())
    })
    .unwrap();
    tx.commit().await.unwrap();
}

async fn change(lodge: &Lodge, current: &str, new: &str) -> Result<(), ChangePasswordError> {
    let (_, who) = lodge.bob_signed_in().await;
    passwords::change(&lodge.door, &lodge.act("change password"), &who, current, new, &visit()).await
}

on_both! {
    async fn every_refusal_is_the_same(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let bob: Account = lodge.add_bob().await;
        let wrong = lodge.sign_in("bob@example.com", WRONG).await.unwrap_err();
        let too_long = lodge.sign_in("bob@example.com", &"a".repeat(5000)).await.unwrap_err();
        let unknown = lodge.sign_in("eve@example.com", PASSWORD).await.unwrap_err();
        let without = lodge.sign_in("ann@example.com", "").await.unwrap_err();
        let (db, ambient, act) = (lodge.house.db(), &lodge.house.ambient, lodge.act("account disable"));
        accounts::disable(db, ambient, &act, bob.id).await.unwrap();
        let disabled = lodge.sign_in("bob@example.com", PASSWORD).await.unwrap_err();
        for refusal in [wrong, too_long, unknown, without, disabled] {
            assert!(matches!(refusal, SignInError::Refused), "{refusal}");
        }
    }
}

on_both! {
    async fn guessing_is_slowed_down_per_address_whether_or_not_anybody_has_it(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        for address in ["bob@example.com", "nobody@example.com"] {
            for visit in networks().take(10) {
                for _ in 0..10 {
                    let refusal = lodge.sign_in_from(address, WRONG, &visit).await.unwrap_err();
                    assert!(matches!(refusal, SignInError::Refused), "{address}: {refusal}");
                }
            }
            let refusal = lodge.sign_in(address, PASSWORD).await.unwrap_err();
            assert!(matches!(refusal, SignInError::TooMany { after } if after == Duration::from_secs(9)));
        }
        // What is refused does not count: nobody is locked out for longer than one step.
        lodge.house.clock.advance(Duration::from_secs(9));
        lodge.bob_signed_in().await;
        for _ in 0..10 {
            assert!(matches!(lodge.sign_in("bob@example.com", WRONG).await, Err(SignInError::Refused)));
        }
    }
}

on_both! {
    async fn one_network_that_guesses_without_end_locks_nobody_out_elsewhere(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let attacker = networks().next().unwrap();
        for step in 0..20 {
            for _ in 0..10 {
                lodge.sign_in_from("bob@example.com", WRONG, &attacker).await.unwrap_err();
            }
            let more = lodge.sign_in_from("bob@example.com", PASSWORD, &attacker).await.unwrap_err();
            assert!(matches!(more, SignInError::TooMany { .. }), "{step}: {more}");
            lodge.house.clock.advance(Duration::from_secs(45));
        }
        lodge.sign_in("bob@example.com", PASSWORD).await.unwrap();
    }
}

on_both! {
    async fn where_a_person_is_signed_in_what_others_try_holds_nobody_up(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        lodge.bob_signed_in().await;
        for visit in networks().take(10) {
            for _ in 0..10 {
                lodge.sign_in_from("bob@example.com", WRONG, &visit).await.unwrap_err();
            }
        }
        let elsewhere = from([203, 0, 113, 1].into());
        let refusal = lodge.sign_in_from("bob@example.com", PASSWORD, &elsewhere).await.unwrap_err();
        assert!(matches!(refusal, SignInError::TooMany { .. }));
        lodge.bob_signed_in().await;
    }
}

on_both! {
    async fn spraying_many_addresses_is_slowed_down_per_network(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let network = |host: u16| from(std::net::Ipv6Addr::new(0x2001, 0xdb8, 1, 2, 0, 0, 0, host).into());
        for number in 0..50 {
            let address = format!("person{number}@example.com");
            let refusal = lodge.sign_in_from(&address, WRONG, &network(number)).await.unwrap_err();
            assert!(matches!(refusal, SignInError::Refused), "{number}: {refusal}");
        }
        let refusal = lodge.sign_in_from("bob@example.com", PASSWORD, &network(99)).await.unwrap_err();
        assert!(matches!(refusal, SignInError::TooMany { .. }), "{refusal}");
        lodge.bob_signed_in().await;
    }
}

on_both! {
    async fn attempts_made_at_once_are_counted_each(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let mut running = tokio::task::JoinSet::new();
        for visit in std::iter::repeat_n(networks().next().unwrap(), 16) {
            let (door, act) = (lodge.door.clone(), lodge.act("sign in"));
            running.spawn(async move {
                passwords::sign_in(&door, &act, &email("bob@example.com"), WRONG, &visit).await
            });
        }
        let outcomes = running.join_all().await;
        let compared = outcomes.iter().filter(|it| matches!(it, Err(SignInError::Refused))).count();
        assert_eq!(compared, 10);
    }
}

on_both! {
    async fn a_password_hashed_with_less_is_hashed_anew(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let old = "$argon2id$v=19$m=8192,t=1,p=1$YWJjZGVmZ2hpamtsbW5vcA$";
        set_hash(&lodge, &weak_hash()).await;
        assert!(hash(&lodge).await.starts_with(old.split("$YWJj").next().unwrap()));
        lodge.bob_signed_in().await;
        assert!(hash(&lodge).await.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        lodge.bob_signed_in().await;
    }
}

/// The password, hashed with less memory and one pass.
fn weak_hash() -> String {
    use argon2::password_hash::PasswordHasher;
    let params = argon2::Params::new(8192, 1, 1, None).unwrap();
    let argon2 = argon2::Argon2::new(argon2::Algorithm::Argon2id, argon2::Version::V0x13, params);
    argon2.hash_password_with_salt(PASSWORD.as_bytes(), b"abcdefghijklmnop").unwrap().to_string()
}

on_both! {
    async fn a_changed_password_ends_every_other_session(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let (other, _) = lodge.bob_signed_in().await;
        let (mine, who) = lodge.bob_signed_in().await;
        let act = lodge.act("change password");
        let new = "a stoa at noon";
        passwords::change(&lodge.door, &act, &who, PASSWORD, new, &visit()).await.unwrap();
        assert!(lodge.who(&mine).await.is_some() && lodge.who(&other).await.is_none());
        assert!(matches!(lodge.sign_in("bob@example.com", PASSWORD).await, Err(SignInError::Refused)));
        lodge.sign_in("bob@example.com", new).await.unwrap();
    }
}

on_both! {
    async fn a_password_is_changed_only_by_who_knows_it_and_into_a_good_one(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let refusal = change(&lodge, WRONG, "a stoa at noon").await.unwrap_err();
        assert!(matches!(refusal, ChangePasswordError::WrongPassword));
        let refusal = change(&lodge, PASSWORD, "password1234").await.unwrap_err();
        assert!(matches!(refusal, ChangePasswordError::Password(NotAPassword::Common)));
        let refusal = change(&lodge, PASSWORD, "bob@example.com").await.unwrap_err();
        assert!(matches!(refusal, ChangePasswordError::Password(NotAPassword::IsTheAddress)));
        lodge.bob_signed_in().await;
    }
}
