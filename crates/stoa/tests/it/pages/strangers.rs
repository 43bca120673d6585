//! What strangers send to the pages that are open to everybody: they fill no audit with it.

use http::Method;
use serde_json::json;
use stoa_testing::on_both;

use super::{EMAIL, add_person};
use crate::support::{App, MIGRATIONS, post};

async fn entries(app: &App) -> i64 {
    let sql = "SELECT COUNT(*) FROM audit_entry";
    stoa_store::on!(read app.house.db, c => sqlx::query_scalar(sql).fetch_one(c).await).unwrap()
}

on_both! {
    async fn what_nobody_could_have_done_is_not_noted(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let stranger = app.anonymous().with("origin", "http://localhost:8787");
        let before = entries(&app).await;
        let passkey = stranger.post("/sign-in/passkey/finish", &json!({ "credential": {} })).await;
        assert_eq!(passkey.status, 401);
        for (path, pairs) in [
            ("/sign-in/code", &[("code", "123456")][..]),
            ("/reset", &[("secret", "stoa_rst_guessed"), ("password", "a stoa at noon")]),
            ("/setup", &[("secret", "guessed"), ("email", EMAIL), ("password", "a stoa at noon")]),
            ("/invite/new", &[("email", EMAIL), ("password", "a stoa at noon")]),
        ] {
            let answer = post(&stranger, path, pairs).await;
            assert!([303, 400].contains(&answer.status.as_u16()), "{path}: {}", answer.status);
        }
        let back = stranger.send(Method::GET, "/sign-in/oidc/back?state=guessed&code=c", axum::body::Body::empty()).await;
        assert_eq!(back.status, 303);
        assert_eq!(entries(&app).await, before);
    }
}

on_both! {
    async fn of_tries_without_end_as_many_are_noted_as_are_looked_at(test) with MIGRATIONS; {
        let app = App::on(test).await;
        add_person(&app, EMAIL).await;
        let stranger = app.anonymous().with("origin", "http://localhost:8787");
        let before = entries(&app).await;
        let mut turned_away = 0;
        for _ in 0..15 {
            let answer = post(&stranger, "/sign-in", &[("email", EMAIL), ("password", "guessed it")]).await;
            turned_away += usize::from(answer.status == 429);
        }
        assert_eq!(turned_away, 5);
        assert_eq!(entries(&app).await, before + 10);
    }
}
