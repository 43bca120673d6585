//! Feeding the full-text index. Both databases get the same tokens, cut by [`crate::text::tokens`]; what
//! differs between FTS5 and tsvector stays in this file and in [`super::search`].

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sqlx::query;
use stoa_base::WorkspaceId;
use stoa_store::{Dialect, StoreError, Tx, on, queries};

use crate::model::ResourceId;

/// How many numbers a thing's units may take: a unit's id is `seq * UNITS_PER_THING + number`.
pub const UNITS_PER_THING: i64 = 1 << 24;
/// The first number of a reference's unit; those below are of the content's text.
pub const FIRST_REFERENCE_UNIT: i64 = 1 << 16;

queries! {
    /// One unit's row.
    INSERT_ROW = {
        sqlite: "INSERT INTO thing_unit (id, workspace_id, resource_id) VALUES ($1, $2, $3)",
        postgres: "INSERT INTO thing_unit (id, workspace_id, resource_id, words)
            VALUES ($1, $2, $3, CAST(CAST($4 AS TEXT) AS tsvector))",
    };
    /// SQLite: one unit's words.
    INSERT_WORDS = {
        sqlite: "INSERT INTO thing_index (rowid, title, path, chief, body) VALUES ($1, $2, $3, $4, $5)",
        postgres: "SELECT 1",
    };
    /// Units with ids from $1 up to, without, $2.
    DELETE_ROWS = "DELETE FROM thing_unit WHERE id >= $1 AND id < $2";
    /// SQLite: their words.
    DELETE_WORDS = {
        sqlite: "DELETE FROM thing_index
            WHERE rowid IN (SELECT id FROM thing_unit WHERE id >= $1 AND id < $2)",
        postgres: "SELECT 1",
    };
}

/// What the index learns of one unit: tokens separated by single blanks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// Of the text's own title, or of the file name.
    pub title: String,
    /// Of the locator key.
    pub path: String,
    /// That say most about the text.
    pub chief: String,
    /// Of the text.
    pub body: String,
}

/// The id of unit `number` of the thing `seq`.
#[must_use]
pub const fn unit_id(seq: i64, number: i64) -> i64 {
    seq * UNITS_PER_THING + number
}

/// Adds one unit.
pub(crate) async fn insert(
    tx: &mut Tx,
    workspace: WorkspaceId,
    resource: Option<ResourceId>,
    id: i64,
    words: &Words,
) -> Result<(), StoreError> {
    let resource = resource.map(|id| id.uuid());
    let dialect = tx.dialect();
    let vector = (dialect == Dialect::Postgres).then(|| vector(words));
    on!(tx tx, c => {
        let row = query(dialect.text(&INSERT_ROW)).bind(id).bind(workspace.uuid()).bind(resource);
        let row = match vector {
            Some(vector) => row.bind(vector),
            None => row,
        };
        row.execute(c).await.map(|_| ())
    })?;
    if dialect == Dialect::Sqlite {
        on!(tx tx, c => query(INSERT_WORDS.sqlite)
            .bind(id)
            .bind(&words.title)
            .bind(&words.path)
            .bind(&words.chief)
            .bind(&words.body)
            .execute(c)
            .await
            .map(|_| ()))?;
    }
    Ok(())
}

/// Removes the units with ids from `first` up to, without, `end`.
pub(crate) async fn delete(tx: &mut Tx, first: i64, end: i64) -> Result<(), StoreError> {
    if tx.dialect() == Dialect::Sqlite {
        on!(tx tx, c => query(DELETE_WORDS.sqlite).bind(first).bind(end).execute(c).await.map(|_| ()))?;
    }
    on!(tx tx, c => query(DELETE_ROWS).bind(first).bind(end).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// The tsvector literal: each token with its positions and weights. Between the columns lies a gap, so that
/// no phrase reaches from one into the next.
fn vector(words: &Words) -> String {
    let mut positions: BTreeMap<&str, String> = BTreeMap::new();
    let mut position = 0;
    for (column, weight) in [(&words.title, 'A'), (&words.path, 'B'), (&words.chief, 'C'), (&words.body, 'D')]
    {
        for token in column.split_ascii_whitespace() {
            position += 1;
            let places = positions.entry(token).or_default();
            let comma = if places.is_empty() { "" } else { "," };
            // Writing to a String can't fail.
            let _ = write!(places, "{comma}{position}{weight}");
        }
        position += 100;
    }
    let mut literal = String::new();
    for (token, places) in positions {
        let _ = write!(literal, "'{token}':{places} ");
    }
    literal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_keeps_positions_and_weights_and_a_gap_between_columns() {
        let words = Words { title: "a b".into(), path: "b".into(), chief: String::new(), body: "b c".into() };
        assert_eq!(vector(&words), "'a':1A 'b':2A,103B,304D 'c':305D ");
    }
}
