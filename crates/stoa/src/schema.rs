//! Which migrations the database has, and which this build needs.

use std::collections::BTreeMap;

use sqlx::AssertSqlSafe;
use stoa_store::{Database, Dialect, Migrations, StoreError, on};

/// The last migration of each component that this build brings.
#[must_use]
pub fn built(components: &[&Migrations], dialect: Dialect) -> BTreeMap<String, i64> {
    let last = |migrations: &Migrations| {
        let migrator = match dialect {
            Dialect::Sqlite => &migrations.sqlite,
            Dialect::Postgres => &migrations.postgres,
        };
        migrator.iter().map(|migration| migration.version).max().unwrap_or(0)
    };
    components.iter().map(|migrations| (migrations.component.to_owned(), last(migrations))).collect()
}

/// The last migration of each component that the database has.
///
/// # Errors
/// [`StoreError::Database`] when the database does not answer, or knows nothing of a component.
pub async fn applied(db: &Database, components: &[&Migrations]) -> Result<BTreeMap<String, i64>, StoreError> {
    let mut last = BTreeMap::new();
    for migrations in components {
        let text = format!(
            "SELECT COALESCE(MAX(version), 0) FROM _migrations_{} WHERE success",
            migrations.component
        );
        let version = on!(read db, c => sqlx::query_scalar(AssertSqlSafe(text)).fetch_one(c).await)?;
        last.insert(migrations.component.to_owned(), version);
    }
    Ok(last)
}
