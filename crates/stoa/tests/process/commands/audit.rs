//! `stoa audit verify | export`.

use std::process::Stdio;

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, query};
use stoa_store::on;

use crate::support::Place;

/// Two acts, linked: a server links what it finds when it stops. Gives the checkpoint of the chain's end.
async fn chain(place: &Place) -> String {
    place.owner_token().await;
    assert!(place.serve().await.stop().await.success());
    let report = place.json(&["audit", "verify"]).await;
    let chain = &report["workspaces"][0];
    assert_eq!((&report["intact"], &chain["entries"]), (&json!(true), &json!(2)));
    let text = |key: &str| chain[key].as_str().unwrap().to_owned();
    format!("{}:{}:{}", text("workspace"), chain["head_position"], text("head_mac"))
}

/// What somebody with access to the database does.
async fn tamper(place: &Place, statement: &str) {
    let db = place.database().await;
    let mut tx = db.begin().await.unwrap();
    let statement = AssertSqlSafe(statement.to_owned());
    let done = on!(tx tx, c => query(statement).execute(c).await.map(|done| done.rows_affected())).unwrap();
    assert_eq!(done, 1);
    tx.commit().await.unwrap();
    db.close().await;
}

/// Verifies what must not be intact, and gives the problems of the report.
async fn problems(place: &Place, arguments: &[&str]) -> Value {
    let output = place.run(&[&["audit", "verify", "--json"], arguments].concat()).await;
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "stoa: the audit was changed or damaged; see above\n"
    );
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["intact"], false);
    report["workspaces"][0]["problems"].clone()
}

#[tokio::test]
async fn an_intact_audit_is_told_with_what_that_does_not_prove() {
    for place in Place::both().await {
        let checkpoint = chain(&place).await;
        let report = place.stoa(&["audit", "verify"]).await;
        assert!(report.contains(": intact, 2 linked entries"), "{report}");
        assert!(report.contains(&format!("checkpoint {checkpoint}")), "{report}");
        assert!(report.contains("does not prove"), "{report}");
    }
}

#[tokio::test]
async fn a_changed_entry_is_found() {
    for place in Place::both().await {
        chain(&place).await;
        tamper(&place, "UPDATE audit_entry SET arguments = '{}' WHERE chain_position = 1").await;
        assert_eq!(problems(&place, &[]).await, json!([{ "problem": "changed", "position": 1 }]));
        let report = place.run(&["audit", "verify"]).await;
        let report = String::from_utf8(report.stdout).unwrap();
        assert!(report.contains("NOT INTACT") && report.contains("entry 1 was changed"), "{report}");
    }
}

#[tokio::test]
async fn a_dropped_entry_is_found() {
    for place in Place::both().await {
        chain(&place).await;
        tamper(&place, "DELETE FROM audit_entry WHERE chain_position = 1").await;
        assert_eq!(problems(&place, &[]).await[0], json!({ "problem": "dropped", "from": 1, "to": 1 }));
    }
}

#[tokio::test]
async fn a_checkpoint_holds_or_does_not() {
    for place in Place::both().await {
        let checkpoint = chain(&place).await;
        place.stoa(&["audit", "verify", "--checkpoint", &checkpoint]).await;
        let (head, mac) = checkpoint.rsplit_once(':').unwrap();
        let (workspace, _) = head.split_once(':').unwrap();
        let other = format!("{head}:{}", "ab".repeat(mac.len() / 2));
        let found = problems(&place, &["--checkpoint", &other]).await;
        assert_eq!(found, json!([{ "problem": "differs", "witness": "given_checkpoint", "position": 2 }]));
        let later = format!("{workspace}:99:{mac}");
        let found = problems(&place, &["--checkpoint", &later]).await;
        assert_eq!(found, json!([{ "problem": "shortened", "witness": "given_checkpoint", "position": 99 }]));
        let complaint = place.refused(2, &["audit", "verify", "--checkpoint", "latest"]).await;
        assert!(complaint.contains("--checkpoint"), "{complaint}");
    }
}

#[tokio::test]
async fn only_a_checkpoint_finds_that_the_whole_database_was_put_back() {
    let place = Place::sqlite();
    chain(&place).await;
    let older = tempfile::tempdir().unwrap();
    let database = ["stoa.db", "stoa.db-wal"];
    for file in database.iter().filter(|file| place.data.path().join(file).exists()) {
        std::fs::copy(place.data.path().join(file), older.path().join(file)).unwrap();
    }
    place.stoa(&["account", "add", "other@example.com"]).await;
    assert!(place.serve().await.stop().await.success());
    let report = place.json(&["audit", "verify"]).await;
    let chain = &report["workspaces"][0];
    let mac = chain["head_mac"].as_str().unwrap();
    let checkpoint = format!("{}:{}:{mac}", chain["workspace"].as_str().unwrap(), chain["head_position"]);

    for file in ["stoa.db", "stoa.db-wal", "stoa.db-shm"] {
        let (now, then) = (place.data.path().join(file), older.path().join(file));
        if now.exists() {
            std::fs::remove_file(&now).unwrap();
        }
        if then.exists() {
            std::fs::copy(then, now).unwrap();
        }
    }
    place.stoa(&["audit", "verify"]).await;
    assert_eq!(problems(&place, &["--checkpoint", &checkpoint]).await[0]["problem"], "shortened");
}

#[tokio::test]
async fn an_export_holds_the_entries_of_its_workspace_in_order() {
    for place in Place::both().await {
        chain(&place).await;
        place.stoa(&["workspace", "add", "acme", "--owner", "owner@example.com"]).await;
        place.token(&["--mount", "things", "--workspace", "acme"]).await;
        let tools = |text: &str| -> Vec<String> {
            let entries = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
            entries.map(|entry| entry["tool"].as_str().unwrap().to_owned()).collect()
        };
        let exported = place.stoa(&["audit", "export"]).await;
        assert_eq!(tools(&exported), ["account add", "token add", "audit verify", "workspace add"]);
        assert_eq!(exported.lines().filter(|line| line.contains("\"channel\":\"cli\"")).count(), 4);
        let file = place.data.path().join("audit.jsonl");
        let to_file = ["audit", "export", "--workspace", "acme", "--out", file.to_str().unwrap()];
        assert_eq!(place.stoa(&to_file).await, "");
        assert_eq!(tools(&std::fs::read_to_string(&file).unwrap()), ["token add"]);
        let refusal = place.refused(1, &["audit", "export", "--workspace", "other"]).await;
        assert!(refusal.contains("there is no workspace other"), "{refusal}");
    }
}

#[tokio::test]
async fn a_reader_that_goes_away_is_no_failure() {
    let place = Place::sqlite();
    place.owner_token().await;
    let mut command = place.binary();
    command.args(["audit", "export"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().await.unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
}
