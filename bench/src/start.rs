//! Starting, and doing nothing.

use std::time::Duration;

use crate::peers;
use crate::place::Place;
use crate::server::Server;
use crate::table::{Row, Table, millis};
use crate::{Bench, Outcome};

/// The longest time until `/readyz`.
const START: Duration = Duration::from_millis(200);
/// The most memory at rest, in MB.
const MEMORY: f64 = 60.0;
/// How long a server does nothing before its memory is looked at.
const REST: Duration = Duration::from_secs(3);
/// Starts, of which the median counts.
const STARTS: usize = 5;

pub async fn measure(bench: &Bench, table: &mut Table) -> Outcome<()> {
    bench.quiet.wait().await?;
    let bare = peers::bare(bench).await?;
    let place = Place::sqlite(&bench.site)?;
    bench.quiet.wait().await?;
    let first = place.serve().await?;
    table.add(start("start on an empty folder, migrations and key included", first.started_in, &bare));
    first.stop().await?;
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        bench.quiet.wait().await?;
        let server = place.serve().await?;
        starts.push(server.started_in);
        server.stop().await?;
    }
    starts.sort_unstable();
    table.add(start("start", starts[STARTS / 2], &bare));
    let server = place.serve().await?;
    tokio::time::sleep(REST).await;
    table.add(memory(server.pid.memory()?, bare.pid.memory()?));
    server.stop().await
}

fn start(what: &str, ours: Duration, bare: &Server) -> Row {
    let bare = bare.started_in;
    Row::new(format!("{what}; peer: bare"), millis(ours))
        .peer(millis(bare), ours.div_duration_f64(bare))
        .bar(format!("< {}", millis(START)), ours < START)
}

fn memory(ours: f64, bare: f64) -> Row {
    Row::new("idle memory (RSS); peer: bare", format!("{ours:.1} MB"))
        .peer(format!("{bare:.1} MB"), ours / bare)
        .bar(format!("< {MEMORY} MB"), ours < MEMORY)
}
