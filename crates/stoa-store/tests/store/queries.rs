use sqlx::{Executor, SqlSafeStr};
use stoa_store::{Dialect, MIGRATIONS, QUERIES, on};
use stoa_testing::on_both;

on_both! {
    async fn every_declared_query_is_prepared(test) with &[&MIGRATIONS]; {
        for query in QUERIES.iter().copied().flatten() {
            let text = test.db.dialect().text(&query.text).into_sql_str();
            let prepared = on!(read test.db, c => c.prepare(text).await.map(|_| ()));
            assert!(prepared.is_ok(), "{}: {prepared:?}", query.name);
        }
    }
}

on_both! {
    async fn the_database_answers(test) with &[]; {
        test.db.ping().await.unwrap();
        assert_eq!(test.db.dialect() == Dialect::Sqlite, test.folder.path().join("stoa.db").exists());
    }
}
