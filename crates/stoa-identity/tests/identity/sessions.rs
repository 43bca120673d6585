use std::time::Duration;

use stoa_identity::{AuthenticatedBy, accounts, sessions};
use stoa_testing::on_both;

use crate::house::MIGRATIONS;
use crate::lodge::{Lodge, PASSWORD};

const DAY: Duration = Duration::from_hours(24);

on_both! {
    async fn a_session_says_who_is_signed_in_and_how(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let bob = lodge.add_bob().await;
        let (session, who) = lodge.bob_signed_in().await;
        assert!(!session.needs_second_factor);
        assert_eq!((who.account, &who.email), (bob.id, &bob.email));
        assert_eq!((who.authenticated_by, who.second_step), (AuthenticatedBy::Password, None));
        let listed = sessions::list(&lodge.door, &who).await.unwrap();
        assert_eq!(listed.len(), 1);
        assert_eq!((listed[0].id, listed[0].address.as_str()), (who.session, "192.0.2.7"));
        assert!(!listed[0].user_agent.contains(['\n', '\u{1b}']), "{:?}", listed[0].user_agent);
    }
}

on_both! {
    async fn every_sign_in_has_a_cookie_of_its_own_and_the_secret_is_stored_nowhere(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let (first, _) = lodge.bob_signed_in().await;
        let (second, _) = lodge.bob_signed_in().await;
        assert_ne!(first.id, second.id);
        assert_ne!(first.secret.expose(), second.secret.expose());
        let hashes: Vec<Vec<u8>> = stoa_store::on!(read lodge.house.db(), c => {
            sqlx::query_scalar("SELECT hash FROM session ORDER BY id").fetch_all(c).await
        }).unwrap();
        let ours = [first.secret.hash(), second.secret.hash()];
        assert!(ours.iter().all(|hash| hashes.iter().any(|stored| stored == hash.as_bytes())));
    }
}

on_both! {
    async fn a_session_ends_when_idle_and_at_its_end_however_much_it_is_used(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let (idle, _) = lodge.bob_signed_in().await;
        let (used, _) = lodge.bob_signed_in().await;
        for _ in 0..5 {
            lodge.house.clock.advance(Duration::from_hours(143));
            assert!(lodge.who(&used).await.is_some());
        }
        assert!(lodge.who(&idle).await.is_none(), "unused for a week");
        lodge.house.clock.advance(DAY);
        assert!(lodge.who(&used).await.is_none(), "30 days are over");
    }
}

on_both! {
    async fn the_last_use_is_written_at_most_once_a_minute(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let (session, who) = lodge.bob_signed_in().await;
        let seen = async || sessions::list(&lodge.door, &who).await.unwrap()[0].last_seen_at;
        let first = seen().await;
        lodge.house.clock.advance(Duration::from_secs(59));
        lodge.who(&session).await.unwrap();
        assert_eq!(seen().await, first);
        lodge.house.clock.advance(Duration::from_secs(1));
        lodge.who(&session).await.unwrap();
        assert_eq!(seen().await, first.plus(Duration::from_mins(1)));
    }
}

on_both! {
    async fn an_ended_session_is_refused_at_once_and_nobody_ends_another_s(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let (one, who) = lodge.bob_signed_in().await;
        let (two, _) = lodge.bob_signed_in().await;
        let (three, _) = lodge.bob_signed_in().await;
        let mut stranger = who.clone();
        stranger.account = lodge.house.ann.id;
        let (door, act) = (&lodge.door, || lodge.act("end session"));
        assert!(!sessions::end(door, &act(), &stranger, two.id).await.unwrap());
        assert!(lodge.who(&two).await.is_some());
        assert!(sessions::end(door, &act(), &who, two.id).await.unwrap());
        assert!(lodge.who(&two).await.is_none());
        assert_eq!(sessions::end_others(door, &act(), &who).await.unwrap(), 1);
        assert!(lodge.who(&three).await.is_none() && lodge.who(&one).await.is_some());
        assert_eq!(sessions::end_all(door, &act(), &who).await.unwrap(), 1);
        assert!(lodge.who(&one).await.is_none());
    }
}

on_both! {
    async fn what_is_no_cookie_of_a_session_signs_nobody_in(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let (session, _) = lodge.bob_signed_in().await;
        let cookie = session.secret.expose();
        let token = lodge.house.add_token(None).await;
        for wrong in ["", "stoa_ses_", &cookie[..cookie.len() - 1], token.secret.expose()] {
            assert!(sessions::current(&lodge.door, wrong).await.unwrap().is_none(), "{wrong}");
        }
    }
}

on_both! {
    async fn disabling_ends_sessions_for_good_and_enabling_lets_in_again(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let bob = lodge.add_bob().await;
        let (session, _) = lodge.bob_signed_in().await;
        let (db, ambient) = (lodge.house.db(), &lodge.house.ambient);
        accounts::disable(db, ambient, &lodge.act("account disable"), bob.id).await.unwrap();
        assert!(lodge.who(&session).await.is_none());
        assert!(lodge.sign_in("bob@example.com", PASSWORD).await.is_err());
        assert!(accounts::enable(db, &lodge.act("account enable"), bob.id).await.unwrap());
        assert!(!accounts::enable(db, &lodge.act("account enable"), bob.id).await.unwrap());
        assert!(lodge.who(&session).await.is_none(), "what ended stays ended");
        lodge.bob_signed_in().await;
    }
}

on_both! {
    async fn a_person_calls_with_the_role_they_have_now(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let bob = lodge.add_bob().await;
        let (_, who) = lodge.bob_signed_in().await;
        let caller = lodge.caller(&who).await.unwrap();
        assert_eq!((caller.account, caller.role), (bob.id, stoa_identity::Role::Member));
        let (db, ambient, act) = (lodge.house.db(), &lodge.house.ambient, lodge.act("member remove"));
        let workspace = lodge.house.workspace.id;
        stoa_identity::members::remove(db, ambient, &act, workspace, bob.id).await.unwrap();
        assert!(lodge.caller(&who).await.is_none());
    }
}
