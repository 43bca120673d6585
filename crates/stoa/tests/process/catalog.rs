//! The catalog as text, without ids and instants, so that two of them can be compared; and folders to fill
//! it with.

use std::fmt::Write as _;
use std::path::Path;

use stoa_store::on;

use crate::support::Place;

/// What lies at each key, with its steps counted.
const REFERENCES: &str =
    "SELECT r.key, t.kind, t.mime, t.size, COALESCE(t.title, ''), COALESCE(t.text_length, -1),
        (SELECT COUNT(*) FROM thing_step s WHERE s.thing_seq = t.seq AND s.status = 'done')
    FROM thing_reference r JOIN thing t ON t.seq = r.thing_seq ORDER BY r.key";
/// The contents at the keys.
const HASHES: &str =
    "SELECT r.key, t.hash FROM thing_reference r JOIN thing t ON t.seq = r.thing_seq ORDER BY r.key";
/// How many rows there are in all: nothing may be left over.
const ROWS: &str = "SELECT (SELECT COUNT(*) FROM thing), (SELECT COUNT(*) FROM thing_reference),
    (SELECT CAST(SUM(units) - SUM(dead) AS BIGINT) FROM thing_segment WHERE replaced_at IS NULL), (SELECT COUNT(*) FROM thing_text), (SELECT COUNT(*) FROM thing_step),
    (SELECT COUNT(*) FROM thing WHERE gone_at IS NOT NULL)";

/// A row of [`REFERENCES`].
type Line = (String, String, String, i64, String, i64, i64);

/// The whole catalog as text.
pub async fn snapshot(place: &Place) -> String {
    let db = place.database().await;
    let lines: Vec<Line> = on!(read db, c => sqlx::query_as(REFERENCES).fetch_all(c).await).unwrap();
    let hashes: Vec<(String, Option<Vec<u8>>)> =
        on!(read db, c => sqlx::query_as(HASHES).fetch_all(c).await).unwrap();
    let rows: (i64, i64, i64, i64, i64, i64) =
        on!(read db, c => sqlx::query_as(ROWS).fetch_one(c).await).unwrap();
    db.close().await;
    let mut text = format!("{rows:?}\n");
    for (line, (_, hash)) in lines.iter().zip(hashes) {
        writeln!(text, "{line:?} {}", hash.map_or_else(|| "unread".to_owned(), hex::encode)).unwrap();
    }
    text
}

/// Fills a folder with `count` small documents of several kinds, some of the same content, and a few that are
/// larger than what a sync reads at once.
pub fn fill(folder: &Path, count: usize) {
    fill_small(folder, count);
    for number in 0..3_u32 {
        let large = format!("large {number} ").repeat(200_000);
        std::fs::write(folder.join(format!("large {number}.txt")), large).unwrap();
    }
}

/// The small ones alone.
pub fn fill_small(folder: &Path, count: usize) {
    for number in 0..count {
        let below = folder.join(format!("part {:02}", number % 13));
        std::fs::create_dir_all(&below).unwrap();
        let words = format!("document {} about topic{} ", number, number % 29).repeat(1 + number % 40);
        let (name, text) = match number % 4 {
            0 => (format!("{number}.txt"), words),
            1 => (format!("{number}.md"), format!("# Heading {number}\n\n{words}")),
            2 => (format!("{number}.html"), format!("<title>Page {number}</title><p>{words}</p>")),
            _ => (format!("{number}.rs"), format!("//! {}\n", "the same everywhere")),
        };
        std::fs::write(below.join(name), text).unwrap();
    }
}
