use std::time::Duration;

use stoa_identity::resets::{self, Reset};
use stoa_identity::second_factors::{
    self, Enrollment, Method, RecoveryCodes, SecondFactorError, VerifyError,
};
use stoa_identity::{NewSession, SecondStep, SignedIn, sessions};
use stoa_testing::on_both;
use totp_rs::{Builder, Secret};

use crate::house::MIGRATIONS;
use crate::lodge::{Lodge, PASSWORD, succeed_at_once, visit};

/// The code that Bob's app shows now.
pub fn code(lodge: &Lodge, enrollment: &Enrollment) -> String {
    let secret = Secret::try_from_base32(&enrollment.secret).unwrap();
    let seconds = lodge.house.ambient.now().as_micros() / 1_000_000;
    let totp = Builder::new().with_secret(secret).build().unwrap();
    totp.generate(seconds.try_into().unwrap()).to_string()
}

/// Bob with an authenticator app.
async fn enrolled(lodge: &Lodge) -> (SignedIn, Enrollment, RecoveryCodes) {
    lodge.add_bob().await;
    let (_, who) = lodge.bob_signed_in().await;
    let (door, act) = (&lodge.door, || lodge.act("second factor"));
    let enrollment = second_factors::begin_totp(door, &act(), &who).await.unwrap();
    let code = code(lodge, &enrollment);
    let codes = second_factors::confirm_totp(door, &act(), &who, &code).await.unwrap();
    lodge.house.clock.advance(Duration::from_secs(30));
    (who, enrollment, codes)
}

/// The first step: right password, second factor awaited.
async fn first_step(lodge: &Lodge) -> NewSession {
    let waiting = lodge.sign_in("bob@example.com", PASSWORD).await.unwrap();
    assert!(waiting.needs_second_factor);
    waiting
}

fn verify(
    lodge: &Lodge,
    waiting: &NewSession,
    code: &str,
) -> impl Future<Output = Result<NewSession, VerifyError>> + Send + use<> {
    let (door, act, code) = (lodge.door.clone(), lodge.act("second step"), code.to_owned());
    let cookie = waiting.secret.clone();
    async move { second_factors::verify(&door, &act, cookie.expose(), &code, &visit()).await }
}

on_both! {
    async fn a_password_alone_is_good_for_nothing_and_with_a_code_for_everything(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let (bob, enrollment, _) = enrolled(&lodge).await;
        let waiting = first_step(&lodge).await;
        assert!(lodge.who(&waiting).await.is_none());
        let whose = sessions::awaiting_second_factor(&lodge.door, waiting.secret.expose()).await.unwrap();
        assert_eq!(whose.map(|it| (it.account, it.email)), Some((bob.account, bob.email.clone())));
        let session = verify(&lodge, &waiting, &code(&lodge, &enrollment)).await.unwrap();
        let who = lodge.who(&session).await.unwrap();
        assert_eq!(who.second_step, Some(SecondStep::Totp));
        assert_ne!(session.secret.expose(), waiting.secret.expose());
        assert!(sessions::awaiting_second_factor(&lodge.door, waiting.secret.expose()).await.unwrap().is_none());
        assert_eq!(sessions::list(&lodge.door, &who).await.unwrap().len(), 2);
    }
}

on_both! {
    async fn no_code_is_taken_twice(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let (_, enrollment, _) = enrolled(&lodge).await;
        let now = code(&lodge, &enrollment);
        verify(&lodge, &first_step(&lodge).await, &now).await.unwrap();
        let again = verify(&lodge, &first_step(&lodge).await, &now).await;
        assert!(matches!(again, Err(VerifyError::WrongCode)));
        lodge.house.clock.advance(Duration::from_secs(30));
        let waiting = first_step(&lodge).await;
        assert!(matches!(verify(&lodge, &waiting, &now).await, Err(VerifyError::WrongCode)), "one step later");
        verify(&lodge, &waiting, &code(&lodge, &enrollment)).await.unwrap();
    }
}

on_both! {
    async fn the_code_that_ended_the_enrolment_is_used_up_by_it(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let (_, who) = lodge.bob_signed_in().await;
        let enrollment = second_factors::begin_totp(&lodge.door, &lodge.act("enroll"), &who).await.unwrap();
        let now = code(&lodge, &enrollment);
        second_factors::confirm_totp(&lodge.door, &lodge.act("confirm"), &who, &now).await.unwrap();
        let refused = verify(&lodge, &first_step(&lodge).await, &now).await;
        assert!(matches!(refused, Err(VerifyError::WrongCode)));
    }
}

on_both! {
    async fn of_several_that_show_one_code_at_once_one_gets_in(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let (_, enrollment, codes) = enrolled(&lodge).await;
        for code in [code(&lodge, &enrollment), codes.expose()[0].clone()] {
            let mut attempts = Vec::new();
            for _ in 0..4 {
                attempts.push(verify(&lodge, &first_step(&lodge).await, &code));
            }
            assert_eq!(succeed_at_once(attempts).await, 1);
        }
        let waiting = first_step(&lodge).await;
        let attempts: Vec<_> = codes.expose()[1..5].iter().map(|code| verify(&lodge, &waiting, code)).collect();
        assert_eq!(succeed_at_once(attempts).await, 1, "one waiting session becomes one session");
    }
}

on_both! {
    async fn each_recovery_code_is_good_once_however_it_is_typed(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let (bob, _, codes) = enrolled(&lodge).await;
        assert_eq!(codes.expose().len(), 10);
        let typed = codes.expose()[0].to_uppercase().replace('-', " ");
        let session = verify(&lodge, &first_step(&lodge).await, &typed).await.unwrap();
        assert_eq!(lodge.who(&session).await.unwrap().second_step, Some(SecondStep::RecoveryCode));
        let again = verify(&lodge, &first_step(&lodge).await, &codes.expose()[0]).await;
        assert!(matches!(again, Err(VerifyError::WrongCode)));
        let status = second_factors::status(&lodge.door, bob.account).await.unwrap();
        assert_eq!((status.method, status.recovery_codes), (Some(Method::Totp), 9));
        let new = second_factors::renew_codes(&lodge.door, &lodge.act("renew"), &bob).await.unwrap();
        let old = verify(&lodge, &first_step(&lodge).await, &codes.expose()[1]).await;
        assert!(matches!(old, Err(VerifyError::WrongCode)));
        verify(&lodge, &first_step(&lodge).await, &new.expose()[1]).await.unwrap();
    }
}

on_both! {
    async fn who_guesses_codes_keeps_nobody_from_a_recovery_code(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let (_, enrollment, recovery) = enrolled(&lodge).await;
        for _ in 0..12 {
            let _refused = verify(&lodge, &first_step(&lodge).await, "000000").await;
        }
        let app = verify(&lodge, &first_step(&lodge).await, &code(&lodge, &enrollment)).await;
        assert!(matches!(app, Err(VerifyError::TooMany { .. })));
        verify(&lodge, &first_step(&lodge).await, &recovery.expose()[0]).await.unwrap();
    }
}

on_both! {
    async fn guessing_codes_is_slowed_down_across_sessions(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let (_, enrollment, _) = enrolled(&lodge).await;
        for _ in 0..8 {
            let refusal = verify(&lodge, &first_step(&lodge).await, "000000").await;
            assert!(matches!(refusal, Err(VerifyError::WrongCode)));
        }
        let refusal = verify(&lodge, &first_step(&lodge).await, &code(&lodge, &enrollment)).await;
        assert!(matches!(refusal, Err(VerifyError::TooMany { .. })));
        lodge.house.clock.advance(Duration::from_mins(15));
        verify(&lodge, &first_step(&lodge).await, &code(&lodge, &enrollment)).await.unwrap();
    }
}

on_both! {
    async fn a_session_waits_for_ten_minutes(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let (_, enrollment, _) = enrolled(&lodge).await;
        let waiting = first_step(&lodge).await;
        lodge.house.clock.advance(Duration::from_mins(10));
        let late = verify(&lodge, &waiting, &code(&lodge, &enrollment)).await;
        assert!(matches!(late, Err(VerifyError::NotWaiting)));
    }
}

on_both! {
    async fn the_secret_is_sealed_and_an_enrolment_that_is_not_confirmed_asks_for_nothing(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        lodge.add_bob().await;
        let (_, who) = lodge.bob_signed_in().await;
        let (door, act) = (&lodge.door, || lodge.act("second factor"));
        let first = second_factors::begin_totp(door, &act(), &who).await.unwrap();
        let second = second_factors::begin_totp(door, &act(), &who).await.unwrap();
        let sealed: Vec<u8> = stoa_store::on!(read lodge.house.db(), c => {
            sqlx::query_scalar("SELECT totp_secret FROM second_factor").fetch_one(c).await
        }).unwrap();
        let plain = Secret::try_from_base32(&second.secret).unwrap();
        assert!(!sealed.windows(20).any(|window| window == plain.as_ref()));
        assert!(!lodge.bob_signed_in().await.0.needs_second_factor);
        let old = second_factors::confirm_totp(door, &act(), &who, &code(&lodge, &first)).await;
        assert!(matches!(old, Err(SecondFactorError::WrongCode)));
        second_factors::confirm_totp(door, &act(), &who, &code(&lodge, &second)).await.unwrap();
        let third = second_factors::begin_totp(door, &act(), &who).await;
        assert!(matches!(third, Err(SecondFactorError::Exists)));
        assert!(second.url.starts_with("otpauth://totp/Stoa:bob%40example.com?secret="));
    }
}

on_both! {
    async fn an_old_sign_in_changes_nothing_about_the_second_factor(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let (bob, ..) = enrolled(&lodge).await;
        lodge.house.clock.advance(Duration::from_mins(16));
        let (door, act) = (&lodge.door, || lodge.act("second factor"));
        let removed = second_factors::remove(door, &act(), &bob).await;
        assert!(matches!(removed, Err(SecondFactorError::NotFresh(_))));
        let renewed = second_factors::renew_codes(door, &act(), &bob).await;
        assert!(matches!(renewed, Err(SecondFactorError::NotFresh(_))));
    }
}

on_both! {
    async fn a_removed_second_factor_is_not_asked_for_and_its_codes_are_gone(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let (bob, ..) = enrolled(&lodge).await;
        second_factors::remove(&lodge.door, &lodge.act("remove"), &bob).await.unwrap();
        assert!(!lodge.bob_signed_in().await.0.needs_second_factor);
        assert_eq!(lodge.count("recovery_code").await, 0);
    }
}

on_both! {
    async fn a_reset_asks_for_the_second_factor_unless_it_resets_everything(test) with MIGRATIONS; {
        let lodge = Lodge::on(test).await;
        let (bob, ..) = enrolled(&lodge).await;
        for (reset, waits) in [(Reset::Password, true), (Reset::Everything, false)] {
            let (db, ambient, act) = (lodge.house.db(), &lodge.house.ambient, lodge.act("reset"));
            let link = resets::issue(db, ambient, &act, &bob.email, reset).await.unwrap().unwrap();
            let (act, secret) = (lodge.act("reset"), link.secret.expose());
            let session = resets::redeem(&lodge.door, &act, secret, Some(PASSWORD), &visit()).await.unwrap();
            assert_eq!(session.needs_second_factor, waits);
        }
    }
}
