//! `stoa account add | reset | disable | enable`.

use sqlx::{query_as, query_scalar};
use stoa_identity::{Password, PasswordHash};
use stoa_store::on;

use crate::support::Place;

const HASH: &str = "SELECT password_hash FROM account WHERE email = 'ann@example.com'";
const ROLES: &str = "SELECT a.email, w.name, m.role FROM membership m
    JOIN account a ON a.id = m.account_id JOIN workspace w ON w.id = m.workspace_id";

async fn hash(place: &Place) -> Option<String> {
    let db = place.database().await;
    let hash = on!(read db, c => query_scalar(HASH).fetch_one(c).await).unwrap();
    db.close().await;
    hash
}

#[tokio::test]
async fn an_address_has_one_account_however_it_is_written() {
    for place in Place::both().await {
        let printed = place.stoa(&["account", "add", "Ann@Example.com"]).await;
        assert_eq!(printed, "added the account ann@example.com");
        let refusal = place.refused(1, &["account", "add", "ann@EXAMPLE.com"]).await;
        assert_eq!(refusal, "stoa: there is an account ann@example.com already");
        assert_eq!(hash(&place).await, None, "no password was asked for");
    }
}

#[tokio::test]
async fn the_password_is_the_first_line_of_standard_input() {
    for place in Place::both().await {
        let add = ["account", "add", "ann@example.com", "--password-stdin"];
        let added = place.run_with_input(&add, "correct horse battery\r\nsomething else\n").await;
        assert!(added.status.success());
        let hash = PasswordHash::stored(hash(&place).await.unwrap());
        assert!(hash.matches(Password::typed("correct horse battery").unwrap()).await.unwrap());
    }
}

#[tokio::test]
async fn a_short_password_or_none_adds_nobody() {
    let place = Place::sqlite();
    for input in ["short\n", "", "\ncorrect horse battery\n"] {
        let refused =
            place.run_with_input(&["account", "add", "ann@example.com", "--password-stdin"], input).await;
        assert_eq!(refused.status.code(), Some(1), "{input:?}");
        assert!(refused.stdout.is_empty());
        assert_eq!(String::from_utf8_lossy(&refused.stderr), "stoa: a password has at least 12 characters\n");
    }
    place.stoa(&["account", "add", "ann@example.com"]).await;
}

#[tokio::test]
async fn what_is_no_address_is_a_usage_error() {
    let place = Place::sqlite();
    for wrong in ["ann", "ann@", "a b@example.com", ""] {
        let complaint = place.refused(2, &["account", "add", wrong]).await;
        assert!(complaint.contains("expected an email address such as ann@example.com"), "{complaint}");
    }
    assert!(!place.data.path().join("stoa.db").exists(), "nothing was opened");
}

#[tokio::test]
async fn the_first_account_alone_owns_the_workspace_default() {
    for place in Place::both().await {
        place.stoa(&["account", "add", "first@example.com"]).await;
        place.stoa(&["account", "add", "second@example.com"]).await;
        let db = place.database().await;
        let roles: Vec<(String, String, String)> =
            on!(read db, c => query_as(ROLES).fetch_all(c).await).unwrap();
        db.close().await;
        assert_eq!(roles, [("first@example.com".into(), "default".into(), "owner".into())]);
    }
}

#[tokio::test]
async fn a_reset_prints_a_link_alone_that_no_log_and_no_audit_has() {
    for place in Place::both().await {
        place.stoa(&["account", "add", "ann@example.com"]).await;
        let printed = place.stoa(&["account", "reset", "Ann@example.com"]).await;
        let (page, secret) = printed.split_once('#').unwrap();
        assert_eq!(page, "http://localhost:8787/reset");
        assert!(secret.starts_with("stoa_rst_") && !secret.contains(char::is_whitespace), "{secret}");
        let audit = place.stoa(&["audit", "export"]).await;
        assert!(audit.contains("account reset") && !audit.contains(secret));
        let refusal = place.refused(1, &["account", "reset", "bob@example.com"]).await;
        assert!(refusal.starts_with("stoa: there is no account bob@example.com"), "{refusal}");
    }
}

#[tokio::test]
async fn a_disabled_person_s_token_ends_at_once_for_good_beside_a_server_too() {
    for place in Place::both().await {
        place.stoa(&["account", "add", "owner@example.com"]).await;
        let token = place.token(&["--mount", "things"]).await;
        let server = place.serve().await;
        let client = server.client(&token);
        assert_eq!(client.status().await, 200);
        let disable = ["account", "disable", "owner@example.com"];
        assert_eq!(place.stoa(&disable).await, "disabled owner@example.com");
        let refused = async {
            while client.status().await != 401 {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(10), refused).await.expect("refused soon");
        assert_eq!(place.stoa(&disable).await, "was disabled before: owner@example.com");
        let reset = place.refused(1, &["account", "reset", "owner@example.com"]).await;
        assert!(reset.contains("the account owner@example.com is disabled"), "{reset}");
        let enable = ["account", "enable", "owner@example.com"];
        assert_eq!(place.stoa(&enable).await, "enabled owner@example.com");
        assert_eq!(place.stoa(&enable).await, "was not disabled: owner@example.com");
        assert_eq!(client.status().await, 401, "what ended stays ended");
        assert!(server.stop().await.success());
    }
}
