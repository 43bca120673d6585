//! Searching many generated things through the endpoint, one call after the other.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::http::Connection;
use crate::load::{Load, Target};
use crate::place::Place;
use crate::request::{Asked, Era};
use crate::table::{Row, Table, count, millis};
use crate::words::{ALL, PHRASE, RARE, word};
use crate::{Bench, Outcome};

/// Calls of one row.
const CALLS: usize = 300;
const P50: Duration = Duration::from_millis(10);
const P99: Duration = Duration::from_millis(100);
/// Things from which on the bars are about it.
const BARRED: u32 = 1_000_000;

/// The queries of a sort, asked in turn.
type Class = (&'static str, Vec<Value>);

pub async fn measure(bench: &Bench, table: &mut Table) -> Outcome<()> {
    for place in [Place::sqlite(&bench.site)?, Place::postgres(&bench.site).await?] {
        place.add_owner().await?;
        place.bench_role(&["fill", &bench.options.things.to_string()]).await?;
        searches(bench, &place, table).await?;
    }
    Ok(())
}

async fn searches(bench: &Bench, place: &Place<'_>, table: &mut Table) -> Outcome<()> {
    let things = bench.options.things;
    let token = place.owner_token().await?;
    let server = place.serve().await?;
    for (class, arguments) in classes() {
        bench.quiet.wait().await?;
        let targets: Vec<_> = arguments.iter().map(|asked| target(server.port, &token, asked)).collect();
        let (load, found) = ask(bench, &targets).await?;
        let (p50, p99) = (millis(load.p50), millis(load.p99));
        let what = format!("search {class}, {}: p50, p99", place.database());
        let row = Row::new(what, format!("{p50}, {p99}"));
        let of = count(f64::from(things));
        let row = row.bar("< 10 ms, < 100 ms", load.p50 < P50 && load.p99 < P99);
        let row = row.note(format!("{} found of {of}", found.join(", ")));
        table.add(if things < BARRED { row.without_bar() } else { row });
    }
    server.stop().await
}

fn classes() -> [Class; 8] {
    let queries = |texts: Vec<String>| texts.iter().map(|text| json!({ "query": text })).collect();
    // Ranks of Zipf's law: the fifth stands in nearly every text, the five-thousandth in one of a hundred.
    let common = || [20, 50, 100].map(word);
    let narrowed = common().map(|word| json!({ "query": word, "folder": "000", "kind": "web" }));
    [
        ("rare word", queries(RARE.map(str::to_owned).to_vec())),
        ("common word", queries(common().to_vec())),
        ("word in all", queries(vec![ALL.to_owned()])),
        ("phrase", queries(vec![format!("\"{}\"", PHRASE.join(" "))])),
        ("prefix", queries([7_001, 40_123, 55_555].map(|rank| format!("{}*", &word(rank)[..4])).to_vec())),
        (
            "rare beside common",
            queries(vec![format!("{} {}", RARE[0], ALL), format!("{} {}", RARE[0], word(20))]),
        ),
        ("selector", narrowed.to_vec()),
        ("nothing asked", vec![json!({})]),
    ]
}

fn target(port: u16, token: &str, arguments: &Value) -> Arc<Target> {
    let request = Asked::call("search_things", arguments).request(Era::Modern, port, token);
    Arc::new(Target { port, request, expected: "\"things\":[" })
}

/// The queries in turn, and how much each found. The first round, in which pages come into memory, counts
/// like the others.
async fn ask(bench: &Bench, targets: &[Arc<Target>]) -> Outcome<(Load, Vec<String>)> {
    let mut connection = Connection::open(targets.first().ok_or("no queries")?.port).await?;
    let mut times = Vec::with_capacity(CALLS);
    let began = bench.site.ambient.now();
    for target in targets.iter().cycle().take(CALLS) {
        let sent = bench.site.ambient.now();
        target.ask(&mut connection).await?;
        times.push(bench.site.ambient.now().since(sent));
    }
    let load = Load::of(times, bench.site.ambient.now().since(began));
    let mut found = Vec::new();
    for target in targets {
        let answer: Value = serde_json::from_str(connection.exchange(&target.request).await?.body)?;
        found.push(answer["result"]["structuredContent"]["total"].to_string());
    }
    Ok((load, found))
}
