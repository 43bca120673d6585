//! What a selector means apart from its query: one SQL translation, used alone (newest first), for counting,
//! and on what the index found.

use std::collections::HashMap;

use sqlx::{query_as, query_scalar};
use stoa_base::WorkspaceId;
use stoa_store::{Database, StoreError, on, queries};

use super::{Question, Range};

/// The one translation. $1 tenant; $2 kind; $3 since; $4 before; $5 resource; $6, $7 keys from, up to without;
/// $8 reach.
macro_rules! chosen {
    ($resource_in_reach:literal, $($around:tt)*) => {
        chosen!(@join [$($around)*] concat!(
            "t.workspace_id = $1 AND t.gone_at IS NULL
            AND (CAST($2 AS TEXT) IS NULL OR t.kind = $2)
            AND (CAST($3 AS BIGINT) IS NULL OR t.catalogued_at >= $3)
            AND (CAST($4 AS BIGINT) IS NULL OR t.catalogued_at < $4)
            AND EXISTS (SELECT 1 FROM thing_reference r WHERE r.thing_seq = t.seq
                AND (CAST($6 AS TEXT) IS NULL OR (r.key >= $6 AND r.key < $7))
                AND ", $resource_in_reach, ")"
        ))
    };
    (@join [$before:literal _ $after:literal] $condition:expr) => {
        concat!($before, $condition, $after)
    };
}

/// The reference's resource is the one asked for and within the reach.
macro_rules! sqlite {
    ($($around:tt)*) => {
        chosen!("(CAST($5 AS BLOB) IS NULL OR r.resource_id = $5) AND (CAST($8 AS TEXT) IS NULL
            OR lower(hex(r.resource_id)) IN (SELECT value FROM json_each($8)))", $($around)*)
    };
}

/// Likewise.
macro_rules! postgres {
    ($($around:tt)*) => {
        chosen!("(CAST($5 AS UUID) IS NULL OR r.resource_id = $5) AND (CAST($8 AS TEXT) IS NULL
            OR replace(CAST(r.resource_id AS TEXT), '-', '')
                IN (SELECT jsonb_array_elements_text(CAST($8 AS jsonb))))", $($around)*)
    };
}

queries! {
    /// The newest of a range ($9 to $10), at most $11.
    NEWEST = {
        sqlite: sqlite!("SELECT t.seq FROM thing t WHERE t.seq >= $9 AND t.seq < $10 AND "
            _ " ORDER BY t.seq DESC LIMIT $11"),
        postgres: postgres!("SELECT t.seq FROM thing t WHERE t.seq >= $9 AND t.seq < $10 AND "
            _ " ORDER BY t.seq DESC LIMIT $11"),
    };
    /// How many, counting no further than $9.
    COUNT = {
        sqlite: sqlite!("SELECT COUNT(*) FROM (SELECT 1 FROM thing t WHERE " _ " LIMIT $9) counted"),
        postgres: postgres!("SELECT COUNT(*) FROM (SELECT 1 FROM thing t WHERE " _ " LIMIT $9) counted"),
    };
    /// Which of these ($9: JSON list of seqs), and how long their texts are.
    CHOSEN_OF = {
        sqlite: sqlite!("SELECT t.seq, COALESCE(t.text_length, 0) FROM thing t WHERE t.seq IN
            (SELECT value FROM json_each($9)) AND " _ ""),
        postgres: postgres!("SELECT t.seq, COALESCE(t.text_length, 0) FROM thing t WHERE t.seq IN
            (SELECT CAST(value AS BIGINT) FROM jsonb_array_elements_text(CAST($9 AS jsonb))) AND " _ ""),
    };
    /// The oldest and the newest thing of a tenant that somebody refers to.
    ENDS = "SELECT (SELECT MIN(seq) FROM thing WHERE workspace_id = $1 AND gone_at IS NULL),
        (SELECT MAX(seq) FROM thing WHERE workspace_id = $1 AND gone_at IS NULL)";
}

/// Binds what [`chosen!`] takes.
macro_rules! asked {
    ($query:expr, $question:expr) => {{
        let selector = $question.selector;
        let keys = selector.folder.as_ref().map(crate::model::Folder::range);
        let (first, end) = keys.map_or((None, None), |(first, end)| (Some(first), Some(end)));
        $query
            .bind($question.workspace.uuid())
            .bind(selector.kind.map(|kind| kind.as_str()))
            .bind(selector.since.map(stoa_base::Timestamp::as_micros))
            .bind(selector.before.map(stoa_base::Timestamp::as_micros))
            .bind(selector.resource_id.map(|id| id.uuid()))
            .bind(first)
            .bind(end)
            .bind($question.reach.as_json())
    }};
}

pub(super) async fn newest(
    db: &Database,
    question: &Question<'_>,
    range: Range,
    limit: i64,
) -> Result<Vec<i64>, StoreError> {
    let sql = db.dialect().text(&NEWEST);
    Ok(on!(read db, c => asked!(query_scalar(sql), question)
        .bind(range.low)
        .bind(range.high)
        .bind(limit)
        .fetch_all(c)
        .await)?)
}

pub(super) async fn count(db: &Database, question: &Question<'_>, limit: i64) -> Result<i64, StoreError> {
    let sql = db.dialect().text(&COUNT);
    Ok(on!(read db, c => asked!(query_scalar(sql), question).bind(limit).fetch_one(c).await)?)
}

/// Those of the found things that the rest of the selector means too, and that exist for the caller, ranked:
/// first by the places of the words, then by how much of the text they are.
pub(super) async fn chosen_of(
    db: &Database,
    question: &Question<'_>,
    found: HashMap<i64, i64>,
) -> Result<HashMap<i64, i64>, StoreError> {
    if found.is_empty() {
        return Ok(found);
    }
    let list = serde_json::json!(found.keys().collect::<Vec<_>>()).to_string();
    let sql = db.dialect().text(&CHOSEN_OF);
    let chosen: Vec<(i64, i64)> =
        on!(read db, c => asked!(query_as(sql), question).bind(&list).fetch_all(c).await)?;
    let ranked = chosen.into_iter().filter_map(|(seq, length)| {
        let places = found.get(&seq)?;
        Some((seq, places * BREVITIES + brevity(length)))
    });
    Ok(ranked.collect())
}

/// How many steps of brevity there are.
const BREVITIES: i64 = 16;

/// How short a text is: 15 below 1,000 characters, one less each time it is twice as long.
fn brevity(length: i64) -> i64 {
    let doublings = (length / 1_000).max(0).checked_add(1).map_or(63, i64::ilog2);
    (BREVITIES - 1 - i64::from(doublings)).max(0)
}

pub(super) async fn top(db: &Database, workspace: WorkspaceId) -> Result<i64, StoreError> {
    Ok(ends(db, workspace).await?.1.map_or(0, |newest| newest + 1))
}

/// The seq of the oldest thing.
pub(super) async fn bottom(db: &Database, workspace: WorkspaceId) -> Result<i64, StoreError> {
    Ok(ends(db, workspace).await?.0.unwrap_or(0))
}

async fn ends(db: &Database, workspace: WorkspaceId) -> Result<(Option<i64>, Option<i64>), StoreError> {
    Ok(on!(read db, c => query_as(ENDS).bind(workspace.uuid()).fetch_one(c).await)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_twice_as_long_says_a_little_less_of_each_word() {
        assert_eq!([0, 999, 1_000, 3_000, 7_000].map(brevity), [15, 15, 14, 13, 12]);
        assert_eq!([8_000_000_000, i64::MAX, -1].map(brevity), [0, 0, 15]);
    }
}
