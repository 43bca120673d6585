use std::time::Duration;

use stoa_base::WorkspaceId;
use stoa_store::audit::chain::{self, ChainKey, ChainReport, Checkpoint, Problem, Witness};
use stoa_store::{Database, Dialect, Lease, MIGRATIONS, on};
use stoa_testing::{TestDatabase, manual_time, on_both, postgres};
use tokio_util::sync::CancellationToken;

use crate::support::{entries, execute, fill, number, until, workspace};

fn key() -> ChainKey {
    ChainKey::new([7; 32])
}

/// A chain of ten entries.
async fn chain_of_ten(test: &TestDatabase) -> WorkspaceId {
    let workspace = workspace();
    fill(&test.db, workspace, 10).await;
    assert_eq!(chain::link(&test.db, &key()).await.unwrap(), 10);
    workspace
}

async fn report(db: &Database, given: Option<&Checkpoint>) -> ChainReport {
    let mut report = chain::verify(db, &key(), None, given).await.unwrap();
    assert_eq!(report.workspaces.len(), 1);
    assert_eq!(report.is_intact(), report.workspaces[0].problems.is_empty());
    report.workspaces.remove(0)
}

async fn problems(db: &Database) -> Vec<Problem> {
    report(db, None).await.problems
}

/// The checkpoint that the log would show now.
async fn checkpoint(db: &Database) -> Checkpoint {
    let report = report(db, None).await;
    format!("{}:{}:{}", report.workspace, report.head_position, report.head_mac).parse().unwrap()
}

on_both! {
    async fn an_untouched_chain_is_intact(test) with &[&MIGRATIONS]; {
        let workspace = chain_of_ten(&test).await;
        fill(&test.db, workspace, 3).await;
        let report = report(&test.db, Some(&checkpoint(&test.db).await)).await;
        assert_eq!(report.problems, []);
        assert_eq!((report.entries, report.head_position, report.unchained), (10, 10, 3));
        assert_eq!(chain::link(&test.db, &key()).await.unwrap(), 3);
        assert_eq!(chain::link(&test.db, &key()).await.unwrap(), 0);
        assert_eq!(problems(&test.db).await, []);
    }
}

on_both! {
    async fn each_workspace_has_a_chain_of_its_own(test) with &[&MIGRATIONS]; {
        let (first, second) = (chain_of_ten(&test).await, chain_of_ten(&test).await);
        execute(&test.db, "UPDATE audit_entry SET tool = 'x' WHERE seq = 1").await;
        let report = chain::verify(&test.db, &key(), None, None).await.unwrap();
        assert!(!report.is_intact());
        assert_eq!(report.workspaces.iter().map(|chain| chain.problem_count).sum::<u64>(), 1);
        assert!(chain::verify(&test.db, &key(), Some(second), None).await.unwrap().is_intact());
        assert!(!chain::verify(&test.db, &key(), Some(first), None).await.unwrap().is_intact());
    }
}

on_both! {
    async fn a_change_of_any_field_is_found(test) with &[&MIGRATIONS]; {
        chain_of_ten(&test).await;
        let text = "'changed'";
        let id = match test.db.dialect() {
            Dialect::Sqlite => "x'0192f3a1b2c37def8a0123456789abcd'",
            Dialect::Postgres => "'0192f3a1-b2c3-7def-8a01-23456789abcd'",
        };
        let columns = [
            ("id", id), ("at", "at + 1"), ("channel", text), ("tool", text), ("status", text), ("code", text),
            ("scope", text), ("arguments", text), ("duration_us", "duration_us + 1"), ("installation_id", id),
            ("account_id", "NULL"), ("credential", text), ("client", text), ("address_class", text),
            ("trace_id", text),
        ];
        execute(&test.db, "CREATE TABLE before AS SELECT * FROM audit_entry WHERE chain_position = 4").await;
        for (column, value) in columns {
            execute(&test.db, format!("UPDATE audit_entry SET {column} = {value} WHERE chain_position = 4")).await;
            assert_eq!(problems(&test.db).await, [Problem::Changed { position: 4 }], "{column}");
            let back = format!("UPDATE audit_entry SET {column} = (SELECT {column} FROM before)
                WHERE chain_position = 4");
            execute(&test.db, back).await;
        }
        assert_eq!(problems(&test.db).await, []);
    }
}

on_both! {
    async fn a_dropped_entry_is_found(test) with &[&MIGRATIONS]; {
        chain_of_ten(&test).await;
        execute(&test.db, "DELETE FROM audit_entry WHERE chain_position IN (1, 5, 6)").await;
        let expected = [Problem::Dropped { from: 1, to: 1 }, Problem::Dropped { from: 5, to: 6 }];
        assert_eq!(problems(&test.db).await, expected);
    }
}

on_both! {
    async fn closing_the_gap_does_not_hide_it(test) with &[&MIGRATIONS]; {
        chain_of_ten(&test).await;
        execute(&test.db, "DELETE FROM audit_entry WHERE chain_position = 10").await;
        execute(&test.db, "UPDATE audit_entry SET chain_position = 10 WHERE chain_position = 9").await;
        execute(&test.db, "UPDATE audit_entry SET chain_position = 9 WHERE chain_position = 8").await;
        execute(&test.db, "UPDATE audit_entry SET chain_position = 8 WHERE chain_position = 7").await;
        execute(&test.db, "DELETE FROM audit_entry WHERE chain_position = 6").await;
        execute(&test.db, "UPDATE audit_entry SET chain_position = 6 WHERE chain_position = 5").await;
        assert!(!problems(&test.db).await.is_empty());
    }
}

on_both! {
    async fn swapped_entries_are_found(test) with &[&MIGRATIONS]; {
        chain_of_ten(&test).await;
        for (from, to) in [(3, 99), (4, 3), (99, 4)] {
            execute(&test.db, format!("UPDATE audit_entry SET chain_position = {to} WHERE chain_position = {from}"))
                .await;
        }
        assert!(problems(&test.db).await.contains(&Problem::Changed { position: 3 }));
    }
}

on_both! {
    async fn a_dropped_tail_is_found_by_the_end(test) with &[&MIGRATIONS]; {
        chain_of_ten(&test).await;
        execute(&test.db, "DELETE FROM audit_entry WHERE chain_position > 7").await;
        let expected = [Problem::Shortened { witness: Witness::End, position: 10 }];
        assert_eq!(problems(&test.db).await, expected);
    }
}

on_both! {
    async fn an_end_moved_back_without_the_key_is_found(test) with &[&MIGRATIONS]; {
        chain_of_ten(&test).await;
        let given = checkpoint(&test.db).await;
        execute(&test.db, "DELETE FROM audit_entry WHERE chain_position > 7").await;
        execute(&test.db, "UPDATE audit_chain SET position = 7,
            mac = (SELECT chain_mac FROM audit_entry WHERE chain_position = 7)").await;
        assert_eq!(problems(&test.db).await, [Problem::EndForged]);
        let shortened = Problem::Shortened { witness: Witness::GivenCheckpoint, position: 10 };
        assert_eq!(report(&test.db, Some(&given)).await.problems, [shortened, Problem::EndForged]);
    }
}

on_both! {
    async fn a_dropped_end_is_found(test) with &[&MIGRATIONS]; {
        chain_of_ten(&test).await;
        execute(&test.db, "DELETE FROM audit_chain").await;
        assert_eq!(problems(&test.db).await, [Problem::EndMissing]);
    }
}

on_both! {
    async fn an_older_copy_of_everything_is_found_by_a_checkpoint_only(test) with &[&MIGRATIONS]; {
        let workspace = chain_of_ten(&test).await;
        execute(&test.db, "CREATE TABLE older AS SELECT * FROM audit_chain").await;
        fill(&test.db, workspace, 2).await;
        chain::link(&test.db, &key()).await.unwrap();
        let given = checkpoint(&test.db).await;
        execute(&test.db, "DELETE FROM audit_entry WHERE chain_position > 10").await;
        execute(&test.db, "DELETE FROM audit_chain").await;
        execute(&test.db, "INSERT INTO audit_chain SELECT * FROM older").await;
        assert_eq!(problems(&test.db).await, []);
        let shortened = Problem::Shortened { witness: Witness::GivenCheckpoint, position: 12 };
        assert_eq!(report(&test.db, Some(&given)).await.problems, [shortened]);
    }
}

on_both! {
    async fn a_workspace_emptied_altogether_is_found_by_a_checkpoint(test) with &[&MIGRATIONS]; {
        chain_of_ten(&test).await;
        let given = checkpoint(&test.db).await;
        execute(&test.db, "DELETE FROM audit_entry").await;
        execute(&test.db, "DELETE FROM audit_chain").await;
        let shortened = Problem::Shortened { witness: Witness::GivenCheckpoint, position: 10 };
        assert_eq!(report(&test.db, Some(&given)).await.problems, [shortened]);
    }
}

on_both! {
    async fn another_history_is_found_by_a_checkpoint(test) with &[&MIGRATIONS]; {
        chain_of_ten(&test).await;
        let mut given = checkpoint(&test.db).await;
        given.position = 9;
        let differs = Problem::Differs { witness: Witness::GivenCheckpoint, position: 9 };
        assert_eq!(report(&test.db, Some(&given)).await.problems, [differs]);
    }
}

on_both! {
    async fn with_another_key_nothing_is_intact(test) with &[&MIGRATIONS]; {
        chain_of_ten(&test).await;
        let report = chain::verify(&test.db, &ChainKey::new([8; 32]), None, None).await.unwrap();
        assert_eq!(report.workspaces[0].problem_count, 11);
    }
}

on_both! {
    async fn two_chainers_never_link_an_entry_twice(test) with &[&MIGRATIONS]; {
        let workspace = workspace();
        fill(&test.db, workspace, 1200).await;
        let other = Database::open(&test.url).await.unwrap();
        let (key, more) = (key(), fill(&test.db, workspace, 300));
        let (first, second, ()) = tokio::join!(chain::link(&test.db, &key), chain::link(&other, &key), more);
        let third = chain::link(&test.db, &key).await.unwrap();
        assert_eq!(first.unwrap() + second.unwrap() + third, 1500);
        let report = report(&test.db, None).await;
        assert_eq!((report.entries, report.head_position, report.problems), (1500, 1500, vec![]));
    }
}

#[tokio::test]
async fn an_entry_committed_late_is_linked_late() {
    let test = postgres(&[&MIGRATIONS]).await;
    let workspace = chain_of_ten(&test).await;
    let mut late = test.db.begin().await.unwrap();
    let insert = "INSERT INTO audit_entry (id, workspace_id, at, channel, tool, status, arguments, duration_us,
            credential, address_class)
        SELECT gen_random_uuid(), workspace_id, at, channel, 'late', status, arguments, duration_us, credential,
            address_class FROM audit_entry WHERE chain_position = 1";
    on!(tx late, c => sqlx::query(insert).execute(c).await.map(|_| ())).unwrap();
    fill(&test.db, workspace, 1).await;
    assert_eq!(chain::link(&test.db, &key()).await.unwrap(), 1);
    late.commit().await.unwrap();
    assert_eq!(chain::link(&test.db, &key()).await.unwrap(), 1);
    let exported = entries(&test.db, workspace).await.unwrap();
    assert_eq!((exported[11]["tool"].as_str(), exported[11]["position"].as_i64()), (Some("late"), Some(12)));
    assert_eq!(problems(&test.db).await, []);
}

on_both! {
    async fn an_export_is_the_chain_in_order_and_then_the_rest(test) with &[&MIGRATIONS]; {
        let workspace = chain_of_ten(&test).await;
        fill(&test.db, workspace, 2).await;
        let exported = entries(&test.db, workspace).await.unwrap();
        let positions: Vec<Option<i64>> = exported.iter().map(|entry| entry["position"].as_i64()).collect();
        let expected: Vec<Option<i64>> = (1..=10).map(Some).chain([None, None]).collect();
        assert_eq!(positions, expected);
        let head = report(&test.db, None).await.head_mac;
        assert_eq!(exported[9]["mac"].as_str(), Some(head.as_str()));
        assert!(entries(&test.db, crate::support::workspace()).await.unwrap().is_empty());
    }
}

on_both! {
    async fn the_chainer_links_what_comes_and_leaves_a_checkpoint(test) with &[&MIGRATIONS]; {
        let (ambient, _clock) = manual_time();
        let stop = CancellationToken::new();
        let node = "a".to_owned();
        let running =
            tokio::spawn(chain::run(test.db.clone(), ambient.clone(), key(), node, stop.clone()));
        let workspace = workspace();
        fill(&test.db, workspace, 5).await;
        let linked = "SELECT COUNT(*) FROM audit_entry WHERE chain_position IS NOT NULL";
        until("the links", async || number(&test.db, linked).await == 5).await;
        let rival = Lease::new("audit-chainer", "b", Duration::from_secs(1));
        assert_eq!(rival.hold(&test.db, &ambient).await.unwrap(), None);
        fill(&test.db, workspace, 5).await;
        stop.cancel();
        running.await.unwrap();
        let left = "SELECT checkpoint_position FROM audit_chain";
        assert_eq!((number(&test.db, linked).await, number(&test.db, left).await), (10, 10));
        assert!(rival.hold(&test.db, &ambient).await.unwrap().is_some());
        execute(&test.db, "DELETE FROM audit_entry WHERE chain_position > 7").await;
        let by_checkpoint = Problem::Shortened { witness: Witness::StoredCheckpoint, position: 10 };
        assert!(problems(&test.db).await.contains(&by_checkpoint));
    }
}

on_both! {
    async fn verify_beside_a_busy_chainer_finds_nothing(test) with &[&MIGRATIONS]; {
        let workspace = chain_of_ten(&test).await;
        let busy = async {
            for _ in 0..10 {
                fill(&test.db, workspace, 30).await;
                chain::link(&test.db, &key()).await.unwrap();
            }
        };
        let verifying = async {
            for _ in 0..30 {
                assert_eq!(problems(&test.db).await, []);
            }
        };
        tokio::join!(busy, verifying);
    }
}
