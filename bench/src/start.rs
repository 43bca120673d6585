//! Starting, and doing nothing.

use std::time::Duration;

use crate::place::{Place, serve_bare};
use crate::table::{Row, millis};
use crate::{Bench, Outcome};

/// The longest time until `/readyz`.
const START: Duration = Duration::from_millis(200);
/// The most memory at rest, in MB.
const MEMORY: f64 = 60.0;
/// How long a server does nothing before its memory is looked at.
const REST: Duration = Duration::from_secs(3);
/// Starts, of which the median counts.
const STARTS: usize = 5;

pub async fn measure(bench: &Bench) -> Outcome<Vec<Row>> {
    bench.quiet.wait().await?;
    let bare = serve_bare(bench).await?;
    let place = Place::sqlite(bench)?;
    bench.quiet.wait().await?;
    let first = place.serve().await?;
    let first_start = first.started_in;
    first.stop().await?;
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        bench.quiet.wait().await?;
        let server = place.serve().await?;
        starts.push(server.started_in);
        server.stop().await?;
    }
    starts.sort_unstable();
    let server = place.serve().await?;
    tokio::time::sleep(REST).await;
    let memory = memory(server.memory()?, bare.memory()?);
    server.stop().await?;
    Ok(vec![
        start("start on an empty folder, migrations and key included", first_start, bare.started_in),
        start("start", starts[STARTS / 2], bare.started_in),
        memory,
    ])
}

fn start(what: &str, ours: Duration, bare: Duration) -> Row {
    Row::new(what, millis(ours))
        .peer(millis(bare), ours.div_duration_f64(bare))
        .bar(format!("< {}", millis(START)), ours < START)
}

fn memory(ours: f64, bare: f64) -> Row {
    Row::new("idle memory (RSS)", format!("{ours:.1} MB"))
        .peer(format!("{bare:.1} MB"), ours / bare)
        .bar(format!("< {MEMORY} MB"), ours < MEMORY)
}
