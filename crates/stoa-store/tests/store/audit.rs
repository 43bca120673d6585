use std::time::Duration;

use serde_json::json;
use stoa_base::Ambient;
use stoa_store::audit::{Audit, Status};
use stoa_store::{Database, MIGRATIONS, StoreError, on};
use stoa_testing::{manual_time, on_both};

use crate::support::{entries, execute, number, opening, until, workspace};

const WRITE: &str = "INSERT INTO lease (name, owner, until) VALUES ('a', 'b', 1)";
const WRITES: &str = "SELECT COUNT(*) FROM lease";
const ENTRIES: &str = "SELECT COUNT(*) FROM audit_entry";

/// A write, not committed yet.
async fn written(db: &Database) -> stoa_store::Tx {
    let mut tx = db.begin().await.unwrap();
    on!(tx tx, c => sqlx::query(WRITE).execute(c).await.map(|_| ())).unwrap();
    tx
}

on_both! {
    async fn an_entry_says_what_was_called(test) with &[&MIGRATIONS]; {
        let (ambient, clock) = manual_time();
        let audit = Audit::start(test.db.clone(), ambient.clone());
        let (workspace, opened) = (workspace(), ambient.now());
        let call = opening(workspace);
        let act = audit.open(call.clone());
        clock.advance(Duration::from_micros(1500));
        act.close(Status::Error, Some("Resource::Failed")).await.unwrap();
        audit.stop().await;
        let mut entry = entries(&test.db, workspace).await.unwrap().remove(0);
        assert!(entry["id"].is_string());
        entry["id"].take();
        assert_eq!(entry, json!({
            "position": null, "mac": null, "id": null, "workspace": workspace, "at": opened,
            "channel": "mcp", "tool": "search_things", "status": "error", "code": "Resource::Failed",
            "scope": "things:read", "arguments": {"query": "invoice"}, "duration_us": 1500,
            "installation": call.installation, "account": call.account, "credential": "personal",
            "client": "claude-code 2.0", "address": "loopback",
            "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
        }));
    }
}

on_both! {
    async fn a_write_and_its_entry_come_together(test) with &[&MIGRATIONS]; {
        let audit = Audit::start(test.db.clone(), Ambient::system());
        let workspace = workspace();
        let act = audit.open(opening(workspace));
        act.commit(written(&test.db).await).await.unwrap();
        act.close(Status::Ok, None).await.unwrap();
        let found = entries(&test.db, workspace).await.unwrap();
        assert_eq!((found.len(), found[0]["status"].as_str()), (1, Some("ok")));
        audit.stop().await;
        drop(act);
        assert_eq!((number(&test.db, ENTRIES).await, number(&test.db, WRITES).await), (1, 1));
    }
}

on_both! {
    async fn a_write_rolled_back_takes_no_entry_with_it(test) with &[&MIGRATIONS]; {
        let audit = Audit::start(test.db.clone(), Ambient::system());
        let act = audit.open(opening(workspace()));
        drop(written(&test.db).await);
        assert_eq!((number(&test.db, ENTRIES).await, number(&test.db, WRITES).await), (0, 0));
        act.close(Status::Error, Some("failed")).await.unwrap();
        audit.stop().await;
        assert_eq!(number(&test.db, "SELECT COUNT(*) FROM audit_entry WHERE status = 'error'").await, 1);
    }
}

on_both! {
    async fn no_write_without_its_entry(test) with &[&MIGRATIONS]; {
        let audit = Audit::start(test.db.clone(), Ambient::system());
        let workspace = workspace();
        let act = audit.open(opening(workspace));
        let mut tx = written(&test.db).await;
        on!(tx tx, c => sqlx::query("DROP TABLE audit_entry").execute(c).await.map(|_| ())).unwrap();
        act.commit(tx).await.unwrap_err();
        assert_eq!((number(&test.db, ENTRIES).await, number(&test.db, WRITES).await), (0, 0));
        act.commit(written(&test.db).await).await.unwrap();
        assert_eq!(entries(&test.db, workspace).await.unwrap().len(), 1);
    }
}

on_both! {
    async fn the_second_transaction_of_an_act_brings_no_second_entry(test) with &[&MIGRATIONS]; {
        let audit = Audit::start(test.db.clone(), Ambient::system());
        let act = audit.open(opening(workspace()));
        act.commit(test.db.begin().await.unwrap()).await.unwrap();
        act.clone().commit(written(&test.db).await).await.unwrap();
        assert_eq!((number(&test.db, ENTRIES).await, number(&test.db, WRITES).await), (1, 1));
    }
}

on_both! {
    async fn a_denial_is_durable_before_its_answer(test) with &[&MIGRATIONS]; {
        let other = Database::open(&test.url).await.unwrap();
        let audit = Audit::start(test.db.clone(), Ambient::system());
        for count in 1..=5 {
            audit.open(opening(workspace())).close(Status::Denied, Some("Grant::Denied")).await.unwrap();
            assert_eq!(number(&other, ENTRIES).await, count);
        }
    }
}

on_both! {
    async fn denials_at_once_are_all_durable(test) with &[&MIGRATIONS]; {
        let audit = Audit::start(test.db.clone(), Ambient::system());
        let denials = (0..300).map(|_| {
            let act = audit.open(opening(workspace()));
            async move { act.close(Status::Denied, None).await }
        });
        let closed = futures::future::join_all(denials).await;
        assert!(closed.iter().all(Result::is_ok));
        assert_eq!(number(&test.db, ENTRIES).await, 300);
    }
}

on_both! {
    async fn reads_arrive_by_themselves(test) with &[&MIGRATIONS]; {
        let audit = Audit::start(test.db.clone(), Ambient::system());
        for _ in 0..300 {
            audit.open(opening(workspace())).close(Status::Ok, None).await.unwrap();
        }
        until("the reads", async || number(&test.db, ENTRIES).await == 300).await;
    }
}

on_both! {
    async fn an_act_that_nobody_ended_is_noted(test) with &[&MIGRATIONS]; {
        let audit = Audit::start(test.db.clone(), Ambient::system());
        let workspace = workspace();
        drop(audit.open(opening(workspace)));
        audit.stop().await;
        let entry = entries(&test.db, workspace).await.unwrap().remove(0);
        assert_eq!((&entry["status"], &entry["code"]), (&json!("error"), &json!("abandoned")));
    }
}

on_both! {
    async fn what_is_closed_after_the_stop_is_written_all_the_same(test) with &[&MIGRATIONS]; {
        let audit = Audit::start(test.db.clone(), Ambient::system());
        let acts = [audit.open(opening(workspace())), audit.open(opening(workspace()))];
        let forgotten = audit.open(opening(workspace()));
        tokio::join!(audit.stop(), audit.stop());
        acts[0].close(Status::Denied, None).await.unwrap();
        acts[1].close(Status::Ok, None).await.unwrap();
        assert_eq!(number(&test.db, ENTRIES).await, 2);
        drop(forgotten);
        until("the forgotten one", async || number(&test.db, ENTRIES).await == 3).await;
    }
}

on_both! {
    async fn while_the_database_fails_denials_say_so_and_reads_wait(test) with &[&MIGRATIONS]; {
        let audit = Audit::start(test.db.clone(), Ambient::system());
        execute(&test.db, "ALTER TABLE audit_entry RENAME TO gone").await;
        audit.open(opening(workspace())).close(Status::Ok, None).await.unwrap();
        let denied = audit.open(opening(workspace())).close(Status::Denied, None).await;
        assert!(matches!(denied, Err(StoreError::Audit(_))));
        execute(&test.db, "ALTER TABLE gone RENAME TO audit_entry").await;
        until("both entries", async || number(&test.db, ENTRIES).await == 2).await;
        audit.stop().await;
        assert_eq!(number(&test.db, ENTRIES).await, 2);
    }
}

on_both! {
    async fn whatever_a_caller_sends_can_be_written(test) with &[&MIGRATIONS]; {
        let audit = Audit::start(test.db.clone(), Ambient::system());
        let mut nested = json!("deep");
        for _ in 0..100 { nested = json!([nested]) }
        let texts = ["", "\0", "a\0b", "\\u0000", "123", "null", "{}", "\u{202e}\u{feff}\u{10ffff}", "'\";--"];
        let arguments = [
            json!(null), json!({"a\0": "b\0", "n": [1e308, -0.0, u64::MAX, i64::MIN, 5e-324]}), nested,
            json!({"long": "x".repeat(100_000)}), json!("\u{1}\u{7f}\\"), json!({"": {"": ""}}),
        ];
        let workspace = workspace();
        for text in texts.map(str::to_owned).into_iter().chain(["é".repeat(5000)]) {
            let mut call = opening(workspace);
            (call.tool, call.scope, call.client) = (text.clone(), Some(text.clone()), Some(text.clone()));
            call.trace_id = Some(text.clone());
            audit.open(call).close(Status::Denied, Some(&text)).await.unwrap();
        }
        for arguments in arguments.clone() {
            audit.open(stoa_store::audit::Opening { arguments, ..opening(workspace) })
                .close(Status::Denied, None).await.unwrap();
        }
        let found = entries(&test.db, workspace).await.unwrap();
        assert_eq!(found.len(), texts.len() + 1 + arguments.len());
        let tools: Vec<&str> = found.iter().filter_map(|entry| entry["tool"].as_str()).collect();
        assert_eq!(tools[..5], ["", "\u{fffd}", "a\u{fffd}b", "\\u0000", "123"]);
        assert_eq!(tools[texts.len()].chars().count(), 200);
        assert_eq!(found[texts.len() + 4]["arguments"], json!({"elided": true, "length": 100_011}));
    }
}
