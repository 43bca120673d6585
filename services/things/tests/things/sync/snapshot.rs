//! The catalog as text, without ids and instants of its own: two catalogs that say the same are the same
//! text.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;

use sqlx::{FromRow, query_as, query_scalar};
use stoa_store::{Database, Tx, on};
use things::store::index::block::{Stream, words};
use things::store::index::facet::ANYWHERE;
use things::store::index::posting::{Placements, Posting, entries, postings};
use things::store::index::{DEAD, Source};

/// References with their things.
const REFERENCES: &str =
    "SELECT s.name, r.key, r.key_bytes, r.size, r.modified_at, r.vanished_in IS NOT NULL AS marked,
        r.thing_seq, r.unit, t.text_unit, t.hash, t.kind, t.mime, t.size AS thing_size, t.title, t.text_length,
        t.gone_at IS NOT NULL AS gone
    FROM thing_reference r JOIN thing t ON t.seq = r.thing_seq JOIN resource s ON s.id = r.resource_id
    ORDER BY s.name, r.key";
/// Things that are gone.
const GONE: &str = "SELECT t.hash, t.gone_key, successor.hash FROM thing t
    LEFT JOIN thing successor ON successor.id = t.superseded_by
    WHERE t.gone_at IS NOT NULL ORDER BY t.gone_key, t.hash";
const STEPS: &str = "SELECT step, status, engine, error FROM thing_step WHERE thing_seq = $1 ORDER BY step";
const TEXT: &str = "SELECT body FROM thing_text WHERE thing_seq = $1 ORDER BY part";
/// The index: every block of segments that were not merged into others.
const BLOCKS: &str = "SELECT b.stream, b.body FROM thing_block b JOIN thing_segment s ON s.id = b.segment_id
    WHERE s.replaced_at IS NULL";
/// The units there should be.
const CONTENTS: &str = "SELECT seq, text_unit FROM thing";
const NAMES: &str = "SELECT thing_seq, unit FROM thing_reference";
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
    text_unit: i64,
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
    let mut tx = db.begin().await.unwrap();
    let index = index(&mut tx).await;
    let mut text = String::new();
    let references: Vec<Reference> = on!(tx tx, c => query_as(REFERENCES).fetch_all(c).await).unwrap();
    for reference in references {
        write_reference(&mut tx, &index, &mut text, &reference).await;
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
    let units: BTreeSet<Unit> = index.keys().copied().collect();
    for (seq, source) in units.symmetric_difference(&expected_units(&mut tx).await) {
        writeln!(text, "FAULT the index has too much or too little of thing {seq}: {source:?}").unwrap();
    }
    tx.rollback().await.unwrap();
    text
}

async fn write_reference(tx: &mut Tx, index: &Index, text: &mut String, r: &Reference) {
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
    let number = |number: i64| u32::try_from(number).unwrap();
    for source in [Source::content(number(r.text_unit)), Source::reference(number(r.unit))] {
        let words = index.get(&(r.thing_seq, source)).map(|words| words.iter().cloned().collect::<Vec<_>>());
        writeln!(text, "  words {}", digest(&words.unwrap_or_default().join(","))).unwrap();
    }
}

type Unit = (i64, Source);
/// What the index says of each unit that is not dead: words, with marks and positions.
type Index = BTreeMap<Unit, BTreeSet<String>>;

async fn index(tx: &mut Tx) -> Index {
    let blocks: Vec<(i64, Vec<u8>)> = on!(tx tx, c => query_as(BLOCKS).fetch_all(c).await).unwrap();
    let mut index = Index::new();
    let mut dead: HashSet<Unit> = HashSet::new();
    for (stream, body) in &blocks {
        for (word, run) in words(body) {
            if word == DEAD {
                dead.extend(postings(run).map(|posting| (posting.seq, posting.source)));
            } else if *stream == Stream::Units.number() {
                postings(run).for_each(|posting| note(&mut index, word, posting, &[]));
            } else {
                let mut placed = Placements::default();
                entries(run, true).for_each(|entry| placed.read(&entry));
                placed.iter().for_each(|(posting, positions)| note(&mut index, word, posting, positions));
            }
        }
    }
    index.retain(|unit, _| !dead.contains(unit));
    index
}

fn note(index: &mut Index, word: &str, posting: Posting, positions: &[u32]) {
    // A resource has another id in each database.
    let word = if word.starts_with(ANYWHERE) { ANYWHERE } else { word };
    let said = format!("{word} {} {positions:?}", posting.mark);
    let new = index.entry((posting.seq, posting.source)).or_default().insert(said);
    assert!(new, "{word} is in two segments");
}

async fn expected_units(tx: &mut Tx) -> BTreeSet<Unit> {
    let number = |number: i64| u32::try_from(number).unwrap();
    let contents: Vec<(i64, i64)> = on!(tx tx, c => query_as(CONTENTS).fetch_all(c).await).unwrap();
    let names: Vec<(i64, i64)> = on!(tx tx, c => query_as(NAMES).fetch_all(c).await).unwrap();
    let contents = contents.into_iter().map(|(seq, unit)| (seq, Source::content(number(unit))));
    contents.chain(names.into_iter().map(|(seq, unit)| (seq, Source::reference(number(unit))))).collect()
}

fn digest(text: &str) -> String {
    format!("{} {}", text.len(), &blake3::hash(text.as_bytes()).to_hex()[..16])
}

fn hex(bytes: Option<&Vec<u8>>) -> String {
    bytes.map_or("-".to_owned(), |bytes| {
        bytes.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
    })
}
