use std::borrow::Cow;

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use stoa_store::{Database, MIGRATIONS, Migrations, StoreError, migrations};
use stoa_testing::on_both;

use crate::support::number;

on_both! {
    async fn processes_that_start_together_apply_them_once(test) with &[]; {
        let lock = test.folder.path().join("lock");
        let opens = (0..4).map(|_| async {
            let db = Database::open(&test.url).await.unwrap();
            migrations::apply(&db, &[&MIGRATIONS], &lock).await.unwrap();
        });
        futures::future::join_all(opens).await;
        let applied = number(&test.db, "SELECT COUNT(*) FROM _migrations_store").await;
        assert_eq!(usize::try_from(applied), Ok(MIGRATIONS.sqlite.iter().count()));
    }
}

fn made(component: &'static str, sql: &'static str) -> Migrations {
    let migration = Migration::new(1, Cow::Borrowed("one"), MigrationType::Simple, sql.into_sql_str(), false);
    let migrator = || Migrator::with_migrations(vec![migration.clone()]);
    Migrations { component, sqlite: migrator(), postgres: migrator() }
}

on_both! {
    async fn each_component_keeps_its_own_list(test) with &[&MIGRATIONS]; {
        let lock = test.folder.path().join("lock");
        let other = made("rooms", "CREATE TABLE room (id BIGINT PRIMARY KEY)");
        migrations::apply(&test.db, &[&MIGRATIONS, &other], &lock).await.unwrap();
        assert_eq!(number(&test.db, "SELECT COUNT(*) FROM room").await, 0);
        assert_eq!(number(&test.db, "SELECT COUNT(*) FROM _migrations_rooms").await, 1);
    }
}

on_both! {
    async fn one_that_was_edited_since_is_refused(test) with &[]; {
        let lock = test.folder.path().join("lock");
        let before = made("rooms", "CREATE TABLE room (id BIGINT PRIMARY KEY)");
        let after = made("rooms", "CREATE TABLE room (id TEXT PRIMARY KEY)");
        migrations::apply(&test.db, &[&before], &lock).await.unwrap();
        let refused = migrations::apply(&test.db, &[&after], &lock).await;
        assert!(matches!(refused, Err(StoreError::Migration { component: "rooms", .. })));
    }
}
