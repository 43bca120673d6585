//! Learning from refusals: whatever is wrong with a code or a refresh token, the answer is the same to the byte.

use std::time::Duration;

use serde_json::json;
use stoa_testing::on_both;

use crate::oauth::{CALLBACK, Stage, register_as};
use crate::support::{Answer, MIGRATIONS, post};

fn assert_same(answers: &[(&str, Answer)]) {
    let (_, first) = &answers[0];
    assert_eq!((first.status.as_u16(), &first.body["error"]), (400, &json!("invalid_grant")));
    for (why, answer) in answers {
        assert_eq!(
            (answer.status, &answer.raw, &answer.headers),
            (first.status, &first.raw, &first.headers),
            "{why}"
        );
    }
}

on_both! {
    async fn every_bad_code_and_every_bad_refresh_token_gets_the_same_bytes(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        let metadata = json!({ "client_name": "Other", "redirect_uris": [CALLBACK] });
        let other = register_as(&stage.app, "/things", &metadata).await;
        let at_all = register_as(&stage.app, "", &metadata).await;
        let other = [("client_id", other.as_str())];
        let mut answers = vec![
            ("unknown code", stage.redeem("/things", "stoa_oac_nonsense", &[]).await),
            ("no code", stage.redeem("/things", "'; drop table", &[]).await),
        ];
        let code = stage.code().await;
        let wrong = "another-verifier-another-verifier-another-v";
        answers.push(("wrong verifier", stage.redeem("/things", &code, &[("code_verifier", wrong)]).await));
        answers.push(("short verifier", stage.redeem("/things", &code, &[("code_verifier", "x")]).await));
        answers.push(("another client's code", stage.redeem("/things", &code, &other).await));
        let elsewhere = [("redirect_uri", "http://127.0.0.1:4711/other")];
        answers.push(("another redirect", stage.redeem("/things", &code, &elsewhere).await));
        answers.push(("another mount's code", stage.redeem("", &code, &[("client_id", at_all.as_str())]).await));
        // None of that spent it.
        let given = stage.redeem("/things", &code, &[]).await.body;
        let (access, refresh) = (given["access_token"].as_str().unwrap(), given["refresh_token"].as_str().unwrap());
        answers.push(("a refresh token as a code", stage.redeem("/things", refresh, &[]).await));
        answers.push(("an access token", stage.renew(&given, &[("refresh_token", access)]).await));
        answers.push(("an unknown refresh token", stage.renew(&given, &[("refresh_token", "stoa_ort_x")]).await));
        answers.push(("another client's refresh token", stage.renew(&given, &other).await));
        let there = [("grant_type", "refresh_token"), ("client_id", at_all.as_str()), ("refresh_token", refresh)];
        answers.push(("another mount's", post(&stage.app.anonymous(), "/oauth/token", &there).await));
        answers.push(("a code used again", stage.redeem("/things", &code, &[]).await));
        answers.push(("a refresh token that was revoked with it", stage.renew(&given, &[]).await));
        let late = stage.code().await;
        let stolen = stage.given().await;
        assert_eq!(stage.renew(&stolen, &[]).await.status, 200);
        stage.app.clock.advance(Duration::from_secs(61));
        answers.push(("a code too late", stage.redeem("/things", &late, &[]).await));
        answers.push(("a refresh token used again", stage.renew(&stolen, &[]).await));
        let old = stage.given().await;
        stage.app.clock.advance(Duration::from_hours(24 * 31));
        answers.push(("a refresh token too late", stage.renew(&old, &[]).await));
        assert_same(&answers);
    }
}
