//! The extracted text of a content, in parts, so that reading on from anywhere reads little.

use serde_json::{Value, json};
use sqlx::{query, query_as, query_scalar};
use stoa_store::{Database, StoreError, Tx, on, queries};

/// Characters in one part: what `get_thing` answers at once.
pub const PART_CHARS: usize = 8_000;

queries! {
    /// Parts ($1: JSON list).
    INSERT = {
        sqlite: "INSERT INTO thing_text (thing_seq, part, body)
            SELECT value->>0, value->>1, value->>2 FROM json_each($1)",
        postgres: "INSERT INTO thing_text (thing_seq, part, body)
            SELECT CAST(value->>0 AS BIGINT), CAST(value->>1 AS BIGINT), value->>2
            FROM jsonb_array_elements(CAST($1 AS jsonb))",
    };
    /// All parts of a thing.
    DELETE = "DELETE FROM thing_text WHERE thing_seq = $1";
    /// Parts from $2 to $3, in order.
    PARTS = "SELECT body FROM thing_text WHERE thing_seq = $1 AND part >= $2 AND part <= $3 ORDER BY part";
    /// The first part of many things.
    BEGINNINGS = {
        sqlite: "SELECT thing_seq, body FROM thing_text
            WHERE part = 0 AND thing_seq IN (SELECT value FROM json_each($1))",
        postgres: "SELECT thing_seq, body FROM thing_text WHERE part = 0
            AND thing_seq IN (SELECT CAST(value AS BIGINT) FROM jsonb_array_elements_text(CAST($1 AS jsonb)))",
    };
}

/// How many bytes of text one statement takes, but for the last part.
const STATEMENT_BYTES: usize = 1 << 20;

/// Writes the texts of things that have none yet.
pub(crate) async fn insert(tx: &mut Tx, texts: &[(i64, &str)]) -> Result<(), StoreError> {
    let (mut list, mut bytes) = (Vec::new(), 0);
    for (seq, text) in texts {
        for (number, part) in (0_i64..).zip(parts_of(text)) {
            list.push(json!([seq, number, part]));
            bytes += part.len();
            if bytes >= STATEMENT_BYTES {
                insert_parts(tx, std::mem::take(&mut list)).await?;
                bytes = 0;
            }
        }
    }
    insert_parts(tx, list).await
}

async fn insert_parts(tx: &mut Tx, parts: Vec<Value>) -> Result<(), StoreError> {
    if parts.is_empty() {
        return Ok(());
    }
    let (sql, list) = (tx.dialect().text(&INSERT), Value::from(parts).to_string());
    on!(tx tx, c => query(sql).bind(&list).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// The text cut into parts, none of them empty.
fn parts_of(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.char_indices().nth(PART_CHARS).map_or(rest.len(), |(at, _)| at);
        let (part, after) = rest.split_at(end);
        rest = after;
        (!part.is_empty()).then_some(part)
    })
}

/// Removes the text of a thing.
pub(crate) async fn delete(tx: &mut Tx, seq: i64) -> Result<(), StoreError> {
    on!(tx tx, c => query(DELETE).bind(seq).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// Up to `limit` characters from character `offset` on.
pub(crate) async fn read(db: &Database, seq: i64, offset: usize, limit: usize) -> Result<String, StoreError> {
    let part = |character: usize| i64::try_from(character / PART_CHARS).unwrap_or(i64::MAX);
    let bodies = parts(db, seq, part(offset), part(offset + limit)).await?;
    Ok(bodies.chars().skip(offset % PART_CHARS).take(limit).collect())
}

/// The parts `first` to `last` (counted from 0), joined.
pub(crate) async fn parts(db: &Database, seq: i64, first: i64, last: i64) -> Result<String, StoreError> {
    let bodies: Vec<String> = on!(read db, c => query_scalar(PARTS)
        .bind(seq)
        .bind(first)
        .bind(last)
        .fetch_all(c)
        .await)?;
    Ok(bodies.concat())
}

/// The first part of each of these things that has text: (thing seq, text).
pub(crate) async fn beginnings(db: &Database, seqs: &[i64]) -> Result<Vec<(i64, String)>, StoreError> {
    let list = serde_json::json!(seqs).to_string();
    let sql = db.dialect().text(&BEGINNINGS);
    Ok(on!(read db, c => query_as(sql).bind(&list).fetch_all(c).await)?)
}
