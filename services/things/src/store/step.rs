//! How each analysis step of a content went.

use serde_json::{Value, json};
use sqlx::{FromRow, query, query_as};
use stoa_store::{Database, StoreError, Tx, on, queries};

queries! {
    /// The newest results of steps ($1: JSON list) replace those before.
    UPSERT = {
        sqlite: "INSERT INTO thing_step (thing_seq, step, status, duration_ms, engine, error)
            SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5 FROM json_each($1) WHERE true
            ON CONFLICT (thing_seq, step) DO UPDATE SET status = EXCLUDED.status,
                duration_ms = EXCLUDED.duration_ms, engine = EXCLUDED.engine, error = EXCLUDED.error",
        postgres: "INSERT INTO thing_step (thing_seq, step, status, duration_ms, engine, error)
            SELECT CAST(value->>0 AS BIGINT), value->>1, value->>2, CAST(value->>3 AS BIGINT), value->>4,
                value->>5
            FROM jsonb_array_elements(CAST($1 AS jsonb))
            ON CONFLICT (thing_seq, step) DO UPDATE SET status = EXCLUDED.status,
                duration_ms = EXCLUDED.duration_ms, engine = EXCLUDED.engine, error = EXCLUDED.error",
    };
    /// A content's steps, in the order they are taken.
    OF_THING = "SELECT step, status, duration_ms, engine, error FROM thing_step WHERE thing_seq = $1
        ORDER BY CASE step WHEN 'identify' THEN 0 WHEN 'text' THEN 1 ELSE 2 END, step";
}

/// The result of one analysis step.
#[derive(Clone, Debug, PartialEq, Eq, FromRow, serde::Serialize)]
pub struct Step {
    /// `identify`, `text`.
    pub step: String,
    /// `done`, `failed`, or `skipped` where the step does not apply to this kind of content.
    pub status: String,
    /// How long it took, in milliseconds.
    pub duration_ms: i64,
    /// What did it.
    pub engine: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
}

impl Step {
    /// Whether it need not be done again: it was done, or does not apply.
    #[must_use]
    pub fn is_well(&self) -> bool {
        self.status != "failed"
    }
}

/// Writes the results of steps, each with its thing.
pub(crate) async fn upsert(tx: &mut Tx, steps: &[(i64, &Step)]) -> Result<(), StoreError> {
    let list = steps.iter().map(|(seq, Step { step, status, duration_ms, engine, error })| {
        json!([seq, step, status, duration_ms, engine, error])
    });
    let (sql, list) = (tx.dialect().text(&UPSERT), list.collect::<Value>().to_string());
    on!(tx tx, c => query(sql).bind(&list).execute(c).await.map(|_| ()))?;
    Ok(())
}

pub(crate) async fn of_thing(db: &Database, seq: i64) -> Result<Vec<Step>, StoreError> {
    Ok(on!(read db, c => query_as(OF_THING).bind(seq).fetch_all(c).await)?)
}
