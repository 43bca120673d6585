//! Searching a catalogue through the endpoint, one call after the other.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::http::Connection;
use crate::load::{Load, Target};
use crate::request::{Asked, Era};
use crate::sync::Catalogue;
use crate::table::{Row, count, millis};
use crate::{Bench, Outcome};

/// Words that few pages of the Rust toolchain's HTML hold.
pub const RARE: &[&str] = &["rendezvous", "philosophers", "tombstone"];
/// Words that thousands of them hold.
pub const COMMON: &[&str] = &["function", "returns", "trait"];
/// Phrases of them.
pub const PHRASES: &[&str] = &["standard library", "raw pointer", "default value"];
/// What many of their words begin with.
pub const STEMS: &[&str] = &["alloc", "iter", "serial"];
/// Folders of them.
pub const FOLDERS: &[&str] = &["std/collections", "core/num", "book"];

/// Calls of one row.
const CALLS: usize = 300;
const P50: Duration = Duration::from_millis(10);
const P99: Duration = Duration::from_millis(100);

pub async fn measure(bench: &Bench, catalogues: &[Catalogue<'_>]) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for catalogue in catalogues {
        rows.extend(searches(bench, catalogue).await?);
    }
    Ok(rows)
}

async fn searches(bench: &Bench, catalogue: &Catalogue<'_>) -> Outcome<Vec<Row>> {
    let place = &catalogue.place;
    place.add_owner().await?;
    let added = place.add_token().await?;
    let token = added["token"].as_str().ok_or("no token")?;
    let server = place.serve().await?;
    let mut rows = Vec::new();
    for (class, arguments) in classes() {
        bench.quiet.wait().await?;
        let targets = arguments.iter().map(|arguments| target(server.port, token, arguments));
        let (load, found) = ask(bench, &targets.collect::<Vec<_>>()).await?;
        let holds = load.p50 < P50 && load.p99 < P99;
        let row = Row::new(
            format!("search {class}, {}: p50, p99", place.database()),
            format!("{}, {}", millis(load.p50), millis(load.p99)),
        );
        let of = count(f64::from(catalogue.files));
        rows.push(
            row.bar("< 10 ms, < 100 ms", holds).note(format!("{} found of {of} files", found.join(", "))),
        );
    }
    server.stop().await?;
    Ok(rows)
}

fn classes() -> [(&'static str, Vec<Value>); 5] {
    let queries = |words: &[&str], form: fn(&str) -> String| {
        words.iter().map(|word| json!({ "query": form(word) })).collect::<Vec<_>>()
    };
    let selectors =
        FOLDERS.iter().map(|folder| json!({ "folder": folder, "kind": "web", "query": COMMON[0] }));
    [
        ("rare word", queries(RARE, str::to_owned)),
        ("common word", queries(COMMON, str::to_owned)),
        ("phrase", queries(PHRASES, |words| format!("\"{words}\""))),
        ("prefix", queries(STEMS, |stem| format!("{stem}*"))),
        ("selector", selectors.collect()),
    ]
}

fn target(port: u16, token: &str, arguments: &Value) -> Arc<Target> {
    let request = Asked::call("search_things", arguments).request(Era::Modern, port, token);
    Arc::new(Target { port, request, expected: "\"things\":[{" })
}

/// The queries in turn, and how much each found. The first round, in which pages come into memory, counts
/// like the others.
async fn ask(bench: &Bench, targets: &[Arc<Target>]) -> Outcome<(Load, Vec<String>)> {
    let mut connection = Connection::open(targets.first().ok_or("no queries")?.port).await?;
    let mut times = Vec::with_capacity(CALLS);
    let began = bench.ambient.now();
    for target in targets.iter().cycle().take(CALLS) {
        let sent = bench.ambient.now();
        target.ask(&mut connection).await?;
        times.push(bench.ambient.now().since(sent));
    }
    let load = Load::of(times, bench.ambient.now().since(began));
    let mut found = Vec::new();
    for target in targets {
        let answer: Value = serde_json::from_str(connection.exchange(&target.request).await?.body)?;
        found.push(answer["result"]["structuredContent"]["total"].to_string());
    }
    Ok((load, found))
}
