//! Where one atom is found: the only file that speaks FTS5's and tsquery's languages.

use std::collections::HashMap;

use sqlx::query_as;
use stoa_store::{Database, Dialect, StoreError, on, queries};

use super::super::index::UNITS_PER_THING;
use super::{Question, Range};
use crate::model::Atom;

queries! {
    /// The best place of an atom in each thing of a range. $1 to $4: the atom in the title, in the path, among
    /// the chief words, anywhere; $5, $6: units from, up to without; $7: tenant; $8: reach.
    PLACES = {
        sqlite: "SELECT hit.unit / 16777216, MAX(hit.place) FROM (
                SELECT rowid AS unit, 8 AS place FROM thing_index
                    WHERE thing_index MATCH $1 AND rowid >= $5 AND rowid < $6
                UNION ALL SELECT rowid, 4 FROM thing_index
                    WHERE thing_index MATCH $2 AND rowid >= $5 AND rowid < $6
                UNION ALL SELECT rowid, 2 FROM thing_index
                    WHERE thing_index MATCH $3 AND rowid >= $5 AND rowid < $6
                UNION ALL SELECT rowid, 1 FROM thing_index
                    WHERE thing_index MATCH $4 AND rowid >= $5 AND rowid < $6
            ) hit CROSS JOIN thing_unit unit ON unit.id = hit.unit
            WHERE unit.workspace_id = $7 AND (unit.resource_id IS NULL OR CAST($8 AS TEXT) IS NULL
                OR lower(hex(unit.resource_id)) IN (SELECT value FROM json_each($8)))
            GROUP BY hit.unit / 16777216",
        postgres: "SELECT id / 16777216, CAST(MAX(CASE
                WHEN words @@ CAST(CAST($1 AS TEXT) AS tsquery) THEN 8
                WHEN words @@ CAST(CAST($2 AS TEXT) AS tsquery) THEN 4
                WHEN words @@ CAST(CAST($3 AS TEXT) AS tsquery) THEN 2
                ELSE 1 END) AS BIGINT)
            FROM thing_unit
            WHERE words @@ CAST(CAST($4 AS TEXT) AS tsquery) AND id >= $5 AND id < $6 AND workspace_id = $7
                AND (resource_id IS NULL OR CAST($8 AS TEXT) IS NULL
                    OR replace(CAST(resource_id AS TEXT), '-', '')
                        IN (SELECT jsonb_array_elements_text(CAST($8 AS jsonb))))
            GROUP BY id / 16777216",
    };
}

/// The things of the range in which the atom is found, each with what its best place counts.
pub(super) async fn places(
    db: &Database,
    question: &Question<'_>,
    atom: &Atom,
    range: Range,
) -> Result<HashMap<i64, i64>, StoreError> {
    let [title, path, chief, anywhere] = match db.dialect() {
        Dialect::Sqlite => fts5(atom),
        Dialect::Postgres => tsquery(atom),
    };
    let sql = db.dialect().text(&PLACES);
    let found: Vec<(i64, i64)> = on!(read db, c => query_as(sql)
        .bind(&title)
        .bind(&path)
        .bind(&chief)
        .bind(&anywhere)
        .bind(range.low * UNITS_PER_THING)
        .bind(range.high * UNITS_PER_THING)
        .bind(question.workspace.uuid())
        .bind(question.reach.as_json())
        .fetch_all(c)
        .await)?;
    Ok(found.into_iter().collect())
}

/// The atom in FTS5's language: in the title, in the path, among the chief words, anywhere. Tokens are letters
/// and digits only; quoting keeps `AND`, `OR`, `NOT` and `NEAR` from being operators all the same.
fn fts5(atom: &Atom) -> [String; 4] {
    let star = if atom.prefix { " *" } else { "" };
    let phrase = format!("\"{}\"{star}", atom.tokens.join(" "));
    [format!("title : {phrase}"), format!("path : {phrase}"), format!("chief : {phrase}"), phrase]
}

/// The atom in tsquery's language, likewise.
fn tsquery(atom: &Atom) -> [String; 4] {
    ["A", "B", "C", ""].map(|weight| {
        let last = atom.tokens.len().saturating_sub(1);
        let words = atom.tokens.iter().enumerate().map(|(at, token)| {
            let star = if atom.prefix && at == last { "*" } else { "" };
            let mark = if weight.is_empty() && star.is_empty() { "" } else { ":" };
            format!("'{token}'{mark}{star}{weight}")
        });
        words.collect::<Vec<_>>().join(" <-> ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(words: &[&str], prefix: bool) -> Atom {
        Atom { tokens: words.iter().map(ToString::to_string).collect(), prefix }
    }

    #[test]
    fn a_phrase_that_ends_in_a_prefix_is_written_for_both() {
        let atom = atom(&["tax", "ret"], true);
        assert_eq!(fts5(&atom)[0], "title : \"tax ret\" *");
        assert_eq!(fts5(&atom)[3], "\"tax ret\" *");
        assert_eq!(tsquery(&atom)[0], "'tax':A <-> 'ret':*A");
        assert_eq!(tsquery(&atom)[3], "'tax' <-> 'ret':*");
    }

    #[test]
    fn operators_are_words() {
        assert_eq!(fts5(&atom(&["or"], false))[3], "\"or\"");
        assert_eq!(tsquery(&atom(&["or"], false))[3], "'or'");
    }
}
