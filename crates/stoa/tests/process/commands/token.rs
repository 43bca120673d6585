//! `stoa token add | list | revoke`.

use std::time::Duration;

use serde_json::{Value, json};
use stoa_base::Timestamp;

use crate::support::Place;

/// An id that nothing has.
const NOBODY: &str = "00000000-0000-7000-8000-000000000000";
const ADD: [&str; 4] = ["token", "add", "--account", "owner@example.com"];

async fn listed(place: &Place) -> Value {
    place.json(&["token", "list"]).await["tokens"].clone()
}

fn instant(value: &Value) -> Timestamp {
    serde_json::from_value(value.clone()).unwrap()
}

#[tokio::test]
async fn the_token_stands_alone_on_standard_output_and_opens_its_mount() {
    for place in Place::both().await {
        place.stoa(&["account", "add", "owner@example.com"]).await;
        let added = place.run(&[&ADD[..], &["--mount", "things"]].concat()).await;
        assert!(added.status.success());
        assert_eq!(String::from_utf8_lossy(&added.stderr), "");
        let printed = String::from_utf8(added.stdout).unwrap();
        let token = printed.strip_suffix('\n').unwrap();
        assert!(token.starts_with("stoa_pat_") && !token.contains(char::is_whitespace), "{token}");
        let server = place.serve().await;
        assert_eq!(server.client(token).status().await, 200);
        assert!(server.stop().await.success());
    }
}

#[tokio::test]
async fn a_token_has_every_scope_of_its_mount_in_default_unless_told_otherwise() {
    for place in Place::both().await {
        place.stoa(&["account", "add", "owner@example.com"]).await;
        place.token(&["--mount", "things"]).await;
        let token = &listed(&place).await[0];
        assert_eq!(token["workspace"], "default");
        assert_eq!(token["email"], "owner@example.com");
        assert_eq!(token["expires_at"], Value::Null);
        let installation = &token["installation"];
        assert_eq!(installation["mount"]["service"], "things");
        assert_eq!(
            installation["grant"]["scopes"],
            json!(["resources:command", "resources:read", "things:read", "things:write"])
        );
        assert_eq!(installation["grant"]["run_budget"], Value::Null);
    }
}

#[tokio::test]
async fn scopes_budget_and_end_are_as_asked_for() {
    for place in Place::both().await {
        place.stoa(&["account", "add", "owner@example.com"]).await;
        let asked = ["--mount", "all", "--scopes", "things:read resources:read", "--run-budget", "7"];
        place.token(&[&asked[..], &["--expires", "30d"]].concat()).await;
        let token = &listed(&place).await[0];
        let grant = &token["installation"]["grant"];
        assert_eq!(grant["scopes"], json!(["resources:read", "things:read"]));
        assert_eq!(grant["run_budget"], 7);
        let life = instant(&token["expires_at"]).since(instant(&token["created_at"]));
        assert_eq!(life, Duration::from_hours(30 * 24));
    }
}

#[tokio::test]
async fn what_there_is_not_is_refused_by_name_and_makes_no_token() {
    let place = Place::sqlite();
    place.stoa(&["account", "add", "owner@example.com"]).await;
    for (arguments, refusal) in [
        (&["--mount", "rooms"][..], "this build has no mount rooms; it has: all, things"),
        (&["--mount", "things", "--workspace", "acme"], "there is no workspace acme"),
        (&["--mount", "things", "--scopes", "things:read things:fly"], "no scope things:fly; it has: "),
        (&["--mount", "all", "--scopes", "rooms:manage"], "no scope rooms:manage; it has: "),
    ] {
        let complaint = place.refused(1, &[&ADD[..], arguments].concat()).await;
        assert!(complaint.contains(refusal), "{complaint}");
    }
    let complaint =
        place.refused(1, &["token", "add", "--account", "no@example.com", "--mount", "all"]).await;
    assert_eq!(complaint, "stoa: there is no account no@example.com");
    assert_eq!(listed(&place).await, json!([]));
}

#[tokio::test]
async fn what_is_no_span_no_number_and_no_scope_is_a_usage_error() {
    let place = Place::sqlite();
    for wrong in [["--expires", "1y"], ["--expires", "0d"], ["--run-budget", "many"], ["--scopes", "a  b"]] {
        let complaint = place.refused(2, &[&ADD[..], &["--mount", "all"], &wrong].concat()).await;
        assert!(complaint.contains(wrong[0]), "{complaint}");
    }
    let complaint = place.refused(2, &ADD).await;
    assert!(complaint.contains("--mount"), "{complaint}");
}

#[tokio::test]
async fn a_workspace_lists_its_own_tokens() {
    let place = Place::sqlite();
    assert!(place.stoa(&["token", "list"]).await.starts_with("no tokens yet: stoa token add"));
    place.stoa(&["account", "add", "owner@example.com"]).await;
    place.stoa(&["workspace", "add", "acme", "--owner", "owner@example.com"]).await;
    place.token(&["--mount", "things", "--workspace", "acme"]).await;
    assert_eq!(listed(&place).await, json!([]));
    let table = place.stoa(&["token", "list", "--workspace", "acme"]).await;
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.len(), 2);
    assert!(rows[0].starts_with("ID"));
    assert!(rows[1].contains("owner@example.com") && rows[1].ends_with("never"), "{table}");
}

#[tokio::test]
async fn a_token_is_revoked_once() {
    for place in Place::both().await {
        place.stoa(&["account", "add", "owner@example.com"]).await;
        let secret = place.token(&["--mount", "things"]).await;
        let id = listed(&place).await[0]["id"].as_str().unwrap().to_owned();
        assert_eq!(place.stoa(&["token", "revoke", &id]).await, format!("revoked {id}"));
        let again = place.json(&["token", "revoke", &id]).await;
        assert_eq!(again, json!({ "id": id, "revoked": false }));
        assert_ne!(listed(&place).await[0]["revoked_at"], Value::Null);
        let server = place.serve().await;
        assert_eq!(server.client(&secret).status().await, 401);
        assert!(server.stop().await.success());
    }
}

#[tokio::test]
async fn an_unknown_token_is_refused_and_what_is_no_id_is_a_usage_error() {
    for place in Place::both().await {
        let refusal = place.refused(1, &["token", "revoke", NOBODY]).await;
        assert_eq!(refusal, format!("stoa: there is no token {NOBODY}: `stoa token list` shows them"));
        assert!(place.refused(2, &["token", "revoke", "first"]).await.contains("not an id"));
    }
}
