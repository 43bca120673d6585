//! The tables of whichever database there is, and the statements that dump and load one.

use sqlx::AssertSqlSafe;
use stoa_store::{Dialect, on};

use super::BackupError;
use super::snapshot::Connection;

/// One table and the columns that hold data of their own.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns, in order.
    columns: Vec<Column>,
}

#[derive(Clone, Debug)]
struct Column {
    name: String,
    kind: Kind,
    /// Whether the database numbers it (PostgreSQL only: SQLite finds the next number by itself).
    numbered: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bytes,
    Uuid,
    Flag,
    Integer,
    Real,
    Text,
    Json,
}

/// Tables that every process makes anew.
const MADE_ANEW: &[&str] = &["wake", "lease", "rate_count"];
/// Tables of what is good for a short while only: sessions, links, ceremonies, attempts. A backup that brought them
/// back would bring back what was ended or used since.
const SHORT_LIVED: &[&str] = &["session", "one_time_link", "ceremony", "sign_in_attempt"];
/// What the names of the migrations' own lists begin with.
const MIGRATION_LISTS: &str = "_migrations_";

/// The names of the ordinary tables: no views, no virtual tables nor what they store.
const NAMES: stoa_store::PerDialect = stoa_store::PerDialect {
    sqlite: "SELECT name FROM pragma_table_list
        WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name",
    postgres: "SELECT CAST(relname AS TEXT) FROM pg_class
        WHERE relkind = 'r' AND relnamespace = CAST(current_schema() AS regnamespace) ORDER BY relname",
};

/// The columns of a table that are not computed from others: name, type, whether it is numbered.
const COLUMNS: stoa_store::PerDialect = stoa_store::PerDialect {
    sqlite: "SELECT name, type, FALSE FROM pragma_table_xinfo($1) WHERE hidden = 0 ORDER BY cid",
    postgres: "SELECT CAST(attname AS TEXT), format_type(atttypid, atttypmod), attidentity <> ''
        FROM pg_attribute
        WHERE attrelid = CAST(CAST($1 AS TEXT) AS regclass) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
        ORDER BY attnum",
};

/// The tables whose rows make up a backup. `derived` are those that services make anew after a restore.
///
/// # Errors
/// [`BackupError::UnknownType`] for a column that a backup can't hold.
pub async fn all(connection: &mut Connection, derived: &[&str]) -> Result<Vec<Table>, BackupError> {
    let text = connection.dialect().text(&NAMES);
    let names: Vec<String> = on!(tx connection, c => sqlx::query_scalar(text).fetch_all(c).await)?;
    let kept = names.into_iter().filter(|name| {
        !name.starts_with(MIGRATION_LISTS)
            && !MADE_ANEW.contains(&name.as_str())
            && !SHORT_LIVED.contains(&name.as_str())
            && !derived.contains(&name.as_str())
    });
    let mut tables = Vec::new();
    for name in kept {
        tables.push(one(connection, name).await?);
    }
    Ok(tables)
}

async fn one(connection: &mut Connection, name: String) -> Result<Table, BackupError> {
    let text = connection.dialect().text(&COLUMNS);
    let rows: Vec<(String, String, bool)> =
        on!(tx connection, c => sqlx::query_as(text).bind(&name).fetch_all(c).await)?;
    let columns = rows.into_iter().map(|(column, kind, numbered)| match Kind::of(&kind) {
        Some(kind) => Ok(Column { name: column, kind, numbered }),
        None => Err(BackupError::UnknownType { table: name.clone(), column, kind }),
    });
    Ok(Table { columns: columns.collect::<Result<_, _>>()?, name })
}

impl Kind {
    /// From the type's name in either database.
    fn of(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "blob" | "bytea" => Self::Bytes,
            "uuid" => Self::Uuid,
            "boolean" => Self::Flag,
            "integer" | "bigint" | "smallint" => Self::Integer,
            "real" | "double precision" => Self::Real,
            "text" => Self::Text,
            "jsonb" => Self::Json,
            _ => return None,
        })
    }

    /// The column as a value that JSON can hold.
    fn read(self, dialect: Dialect, column: &str) -> String {
        match (dialect, self) {
            (Dialect::Sqlite, Self::Bytes) => {
                format!("CASE WHEN {column} IS NULL THEN NULL ELSE lower(hex({column})) END")
            }
            (Dialect::Postgres, Self::Bytes) => format!("encode({column}, 'hex')"),
            (Dialect::Postgres, Self::Uuid) => format!("encode(uuid_send({column}), 'hex')"),
            (Dialect::Postgres, Self::Flag) => format!("CAST({column} AS INTEGER)"),
            (Dialect::Postgres, Self::Json) => format!("CAST({column} AS TEXT)"),
            _ => column.to_owned(),
        }
    }

    /// The column's value from `text`, an expression of what JSON held.
    fn write(self, dialect: Dialect, text: &str) -> String {
        match (dialect, self) {
            (Dialect::Sqlite, Self::Bytes) => format!("unhex({text})"),
            (Dialect::Sqlite, _) | (Dialect::Postgres, Self::Text) => text.to_owned(),
            (Dialect::Postgres, Self::Bytes) => format!("decode({text}, 'hex')"),
            (Dialect::Postgres, Self::Uuid) => format!("CAST({text} AS UUID)"),
            (Dialect::Postgres, Self::Flag) => format!("CAST(CAST({text} AS INTEGER) AS BOOLEAN)"),
            (Dialect::Postgres, Self::Integer) => format!("CAST({text} AS BIGINT)"),
            (Dialect::Postgres, Self::Real) => format!("CAST({text} AS DOUBLE PRECISION)"),
            (Dialect::Postgres, Self::Json) => format!("CAST({text} AS JSONB)"),
        }
    }
}

impl Table {
    /// Gives each row as one JSON object.
    #[must_use]
    pub fn dump(&self, dialect: Dialect) -> AssertSqlSafe<String> {
        let pairs = self.columns.iter().map(|column| {
            format!("{}, {}", literal(&column.name), column.kind.read(dialect, &quoted(&column.name)))
        });
        let pairs = pairs.collect::<Vec<_>>().join(", ");
        let object = match dialect {
            Dialect::Sqlite => format!("json_object({pairs})"),
            Dialect::Postgres => format!("CAST(json_build_object({pairs}) AS TEXT)"),
        };
        AssertSqlSafe(format!("SELECT {object} FROM {}", quoted(&self.name)))
    }

    /// The same table without these columns.
    #[must_use]
    pub fn without(&self, columns: &[&str]) -> Self {
        let kept = self.columns.iter().filter(|column| !columns.contains(&column.name.as_str()));
        Self { name: self.name.clone(), columns: kept.cloned().collect() }
    }

    /// Like [`Self::dump`], of the rows that `condition` says.
    #[must_use]
    pub fn dump_where(&self, dialect: Dialect, condition: &str) -> AssertSqlSafe<String> {
        let AssertSqlSafe(all) = self.dump(dialect);
        AssertSqlSafe(format!("{all} WHERE {condition}"))
    }

    /// Adds the rows of `$1`, a JSON array of such objects.
    #[must_use]
    pub fn load(&self, dialect: Dialect) -> AssertSqlSafe<String> {
        let names = self.columns.iter().map(|column| quoted(&column.name)).collect::<Vec<_>>().join(", ");
        let values = self
            .columns
            .iter()
            .map(|column| column.kind.write(dialect, &format!("(item.value ->> {})", literal(&column.name))));
        let values = values.collect::<Vec<_>>().join(", ");
        let (numbers, items) = match dialect {
            Dialect::Sqlite => ("", "json_each($1) AS item"),
            Dialect::Postgres => {
                ("OVERRIDING SYSTEM VALUE", "json_array_elements(CAST($1 AS JSON)) AS item (value)")
            }
        };
        let table = quoted(&self.name);
        AssertSqlSafe(format!("INSERT INTO {table} ({names}) {numbers} SELECT {values} FROM {items}"))
    }

    /// Whether there is a row.
    #[must_use]
    pub fn has_rows(&self) -> AssertSqlSafe<String> {
        AssertSqlSafe(format!("SELECT EXISTS (SELECT 1 FROM {})", quoted(&self.name)))
    }

    /// Removes every row.
    #[must_use]
    pub fn empty(&self) -> AssertSqlSafe<String> {
        AssertSqlSafe(format!("DELETE FROM {}", quoted(&self.name)))
    }

    /// PostgreSQL: lets the numbered columns go on after the highest number there is.
    #[must_use]
    pub fn number_on(&self) -> Vec<AssertSqlSafe<String>> {
        let numbered = self.columns.iter().filter(|column| column.numbered);
        let statements = numbered.map(|column| {
            let (table, name) = (quoted(&self.name), quoted(&column.name));
            let sequence = format!("pg_get_serial_sequence({}, {})", literal(&table), literal(&column.name));
            AssertSqlSafe(format!(
                "SELECT setval({sequence}, COALESCE(MAX({name}), 0) + 1, FALSE) FROM {table}"
            ))
        });
        statements.collect()
    }
}

/// Removes every row of the tables that no backup holds but whose rows point at those of others.
pub fn empty_short_lived() -> impl Iterator<Item = AssertSqlSafe<String>> {
    SHORT_LIVED.iter().map(|name| AssertSqlSafe(format!("DELETE FROM {}", quoted(name))))
}

/// A name as SQL takes it whatever it holds.
#[must_use]
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
