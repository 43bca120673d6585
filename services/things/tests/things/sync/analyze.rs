//! Analyzing a thing again.

use serde_json::json;
use sqlx::query;
use stoa_runs::{NewRun, RunRow, RunStatus};
use stoa_store::on;
use stoa_testing::on_both;
use things::model::ThingId;

use super::snapshot::snapshot;
use crate::house::{House, MIGRATIONS};

async fn analyze(house: &House, thing: ThingId, force: bool) -> RunRow {
    let run = NewRun {
        workspace: house.workspace,
        service: things::NAME,
        kind: "analyze",
        target: Some(thing.uuid()),
        live_key: None,
        payload: json!({ "thing_id": thing, "force": force }),
        starter: None,
        account: None,
    };
    house.run(&run).await
}

async fn write(house: &House, sql: &'static str) {
    let mut tx = house.test.db.begin().await.unwrap();
    on!(tx tx, c => query(sql).execute(c).await.map(|_| ())).unwrap();
    tx.commit().await.unwrap();
}

on_both! {
    async fn without_force_only_what_is_missing_or_failed_is_done_again(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("a.html", "<title>Title</title>words and words");
        folder.sync().await;
        let thing = folder.thing("a.html").await.unwrap();
        let before = snapshot(&house.test.db).await;
        let run = analyze(&house, thing, false).await;
        assert_eq!((run.status, run.progress.bytes), (RunStatus::Done, 0));
        write(&house, "UPDATE thing_step SET status = 'failed', error = 'x' WHERE step = 'text'").await;
        write(&house, "DELETE FROM thing_text").await;
        write(&house, "UPDATE thing SET title = 'other'").await;
        let run = analyze(&house, thing, false).await;
        assert_eq!((run.status, run.progress.bytes), (RunStatus::Done, 35));
        assert_eq!(snapshot(&house.test.db).await, before);
        let run = analyze(&house, thing, true).await;
        assert_eq!((run.status, run.progress.bytes), (RunStatus::Done, 35));
        assert_eq!(snapshot(&house.test.db).await, before);
    }
}

on_both! {
    async fn changed_bytes_are_not_analyzed_as_the_old_thing(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("a", "one");
        folder.write("b", "one");
        folder.sync().await;
        let thing = folder.thing("a").await.unwrap();
        folder.write("a", "two");
        assert_eq!(analyze(&house, thing, true).await.status, RunStatus::Done);
        folder.write("b", "two");
        let run = analyze(&house, thing, true).await;
        assert_eq!((run.status, run.error.as_deref()), (RunStatus::Failed, Some("its bytes changed; sync docs")));
        folder.remove("a");
        folder.remove("b");
        let run = analyze(&house, thing, true).await;
        assert_eq!(run.error.as_deref(), Some("docs: b: it is gone"));
    }
}
