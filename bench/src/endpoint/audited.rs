//! Whether each call has its one entry, once the server has stopped.

use std::fs::File;
use std::io::{BufRead, BufReader};

use crate::Outcome;
use crate::place::Place;
use crate::table::{Row, count};

pub async fn measure(tool: &str, place: &Place<'_>, calls: u64) -> Outcome<Row> {
    let file = place.data.path().join("audit");
    place.stoa(&["audit", "export", "--out", &file.to_string_lossy()]).await?;
    let mut entries = 0_u64;
    for line in BufReader::new(File::open(file)?).lines() {
        entries += u64::from(line?.contains("\"channel\":\"mcp\""));
    }
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let (ours, theirs) = (entries as f64, calls as f64);
    let row = Row::new(format!("audit entries of all calls of {tool}, {}", place.database()), count(ours));
    Ok(row.peer(format!("{} calls", count(theirs)), ours / theirs).bar("as many", entries == calls))
}
