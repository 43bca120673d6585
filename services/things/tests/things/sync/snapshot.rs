//! The catalog as text, without ids and instants of its own: two catalogs that say the same are the same
//! text.

use std::fmt::Write as _;

use sqlx::{FromRow, query, query_as, query_scalar};
use stoa_store::{Database, Dialect, Tx, on};
use things::store::index::{FIRST_REFERENCE_UNIT, unit_id};

/// References with their things.
const REFERENCES: &str =
    "SELECT s.name, r.key, r.key_bytes, r.size, r.modified_at, r.vanished_in IS NOT NULL AS marked,
        r.thing_seq, r.unit, t.hash, t.kind, t.mime, t.size AS thing_size, t.title, t.text_length,
        t.gone_at IS NOT NULL AS gone
    FROM thing_reference r JOIN thing t ON t.seq = r.thing_seq JOIN resource s ON s.id = r.resource_id
    ORDER BY s.name, r.key";
/// Things that are gone.
const GONE: &str = "SELECT t.hash, t.gone_key, successor.hash FROM thing t
    LEFT JOIN thing successor ON successor.id = t.superseded_by
    WHERE t.gone_at IS NOT NULL ORDER BY t.gone_key, t.hash";
const STEPS: &str = "SELECT step, status, engine, error FROM thing_step WHERE thing_seq = $1 ORDER BY step";
const TEXT: &str = "SELECT body FROM thing_text WHERE thing_seq = $1 ORDER BY part";
const UNITS: &str = "SELECT id FROM thing_unit WHERE id >= $1 AND id < $2 ORDER BY id";
/// The words of a unit, as the database has them.
const VECTOR: &str = "SELECT CAST(words AS TEXT) FROM thing_unit WHERE id = $1";
const VOCABULARY: &str =
    "CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'thing_index', 'instance')";
/// Every word with its place, by unit: a table of its own, as the vocabulary can only be read from end to end.
const WORDS: &str = "CREATE TEMP TABLE words AS
    SELECT doc, term || ' ' || col || ' ' || offset AS word FROM temp.vocabulary ORDER BY doc, col, offset";
const WORDS_BY_UNIT: &str = "CREATE INDEX temp.words_by_unit ON words (doc)";
const WORDS_OF_UNIT: &str = "SELECT word FROM temp.words WHERE doc = $1 ORDER BY rowid";
/// What no catalog may hold: each counts 0.
const FAULTS: &[(&str, &str)] = &[
    (
        "things that are neither referred to nor gone",
        "SELECT COUNT(*) FROM thing t WHERE t.gone_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM thing_reference r WHERE r.thing_seq = t.seq)",
    ),
    (
        "things that are gone and referred to",
        "SELECT COUNT(*) FROM thing t WHERE t.gone_at IS NOT NULL
            AND EXISTS (SELECT 1 FROM thing_reference r WHERE r.thing_seq = t.seq)",
    ),
    (
        "references without a unit",
        "SELECT COUNT(*) FROM thing_reference r WHERE NOT EXISTS (SELECT 1 FROM thing_unit u WHERE u.id = r.unit)",
    ),
    (
        "units of references that are no more",
        "SELECT COUNT(*) FROM thing_unit u WHERE u.resource_id IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM thing_reference r WHERE r.unit = u.id)",
    ),
    (
        "units of things that are no more",
        "SELECT COUNT(*) FROM thing_unit u WHERE NOT EXISTS (SELECT 1 FROM thing t WHERE t.seq = u.id / 16777216)",
    ),
];

/// The hash, the last key, and the hash of what took its place.
type Gone = (Option<Vec<u8>>, Option<String>, Option<Vec<u8>>);

#[derive(FromRow)]
struct Reference {
    name: String,
    key: String,
    key_bytes: Option<Vec<u8>>,
    size: i64,
    modified_at: i64,
    marked: bool,
    thing_seq: i64,
    unit: i64,
    hash: Option<Vec<u8>>,
    kind: String,
    mime: String,
    thing_size: i64,
    title: Option<String>,
    text_length: Option<i64>,
    gone: bool,
}

/// The whole catalog as text, one reference a line with its thing's parts below it; then what is gone; then
/// any fault.
pub async fn snapshot(db: &Database) -> String {
    // What is made for reading the index is never committed.
    let mut tx = db.begin().await.unwrap();
    if tx.dialect() == Dialect::Sqlite {
        for sql in [VOCABULARY, WORDS, WORDS_BY_UNIT] {
            on!(tx tx, c => query(sql).execute(c).await.map(|_| ())).unwrap();
        }
    }
    let mut text = String::new();
    let references: Vec<Reference> = on!(tx tx, c => query_as(REFERENCES).fetch_all(c).await).unwrap();
    for reference in references {
        write_reference(&mut tx, &mut text, &reference).await;
    }
    let gone: Vec<Gone> = on!(tx tx, c => query_as(GONE).fetch_all(c).await).unwrap();
    for (hash, key, successor) in gone {
        writeln!(text, "gone {key:?} {} superseded by {}", hex(hash.as_ref()), hex(successor.as_ref()))
            .unwrap();
    }
    for (fault, sql) in FAULTS {
        let count: i64 = on!(tx tx, c => query_scalar(*sql).fetch_one(c).await).unwrap();
        if count > 0 {
            writeln!(text, "FAULT {count} {fault}").unwrap();
        }
    }
    tx.rollback().await.unwrap();
    text
}

async fn write_reference(tx: &mut Tx, text: &mut String, r: &Reference) {
    writeln!(
        text,
        "{}/{:?} raw {} size {} at {} marked {} -> {} {} {} {} title {:?} length {:?} gone {}",
        r.name,
        r.key,
        hex(r.key_bytes.as_ref()),
        r.size,
        r.modified_at,
        r.marked,
        hex(r.hash.as_ref()),
        r.kind,
        r.mime,
        r.thing_size,
        r.title,
        r.text_length,
        r.gone
    )
    .unwrap();
    let steps: Vec<(String, String, Option<String>, Option<String>)> =
        on!(tx tx, c => query_as(STEPS).bind(r.thing_seq).fetch_all(c).await).unwrap();
    for step in steps {
        writeln!(text, "  step {step:?}").unwrap();
    }
    let body: Vec<String> = on!(tx tx, c => query_scalar(TEXT).bind(r.thing_seq).fetch_all(c).await).unwrap();
    writeln!(text, "  text {}", digest(&body.concat())).unwrap();
    let first = unit_id(r.thing_seq, 0);
    let units: Vec<i64> = on!(tx tx, c => query_scalar(UNITS)
        .bind(first)
        .bind(unit_id(r.thing_seq, FIRST_REFERENCE_UNIT))
        .fetch_all(c)
        .await)
    .unwrap();
    for unit in units {
        writeln!(text, "  unit {} {}", unit - first, digest(&words(tx, unit).await)).unwrap();
    }
    writeln!(text, "  name {}", digest(&words(tx, r.unit).await)).unwrap();
}

async fn words(tx: &mut Tx, unit: i64) -> String {
    let sql = if tx.dialect() == Dialect::Sqlite { WORDS_OF_UNIT } else { VECTOR };
    let words: Vec<String> = on!(tx tx, c => query_scalar(sql).bind(unit).fetch_all(c).await).unwrap();
    words.join(",")
}

fn digest(text: &str) -> String {
    format!("{} {}", text.len(), &blake3::hash(text.as_bytes()).to_hex()[..16])
}

fn hex(bytes: Option<&Vec<u8>>) -> String {
    bytes.map_or("-".to_owned(), |bytes| {
        bytes.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
    })
}
