use sqlx::{Executor, SqlStr};
use stoa_testing::on_both;

use crate::house::MIGRATIONS;

on_both! {
    async fn every_query_is_one_that_the_database_takes(test) with MIGRATIONS; {
        for declared in stoa_identity::QUERIES.iter().copied().flatten() {
            let text = test.db.dialect().text(&declared.text);
            let prepared = stoa_store::on!(read test.db, c => {
                c.prepare(SqlStr::from_static(text)).await.map(|_| ())
            });
            assert!(prepared.is_ok(), "{}: {prepared:?}", declared.name);
        }
    }
}
