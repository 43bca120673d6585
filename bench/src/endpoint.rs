//! The endpoint under load: calls a second, each with token, limits, guard and audit, beside the bare one.

use std::io::{BufRead, BufReader};
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use crate::http::Connection;
use crate::load::{Load, Target, load};
use crate::place::{Place, serve_bare};
use crate::request::{Asked, Era};
use crate::server::Server;
use crate::table::{Row, count, millis};
use crate::{Bench, Outcome};

const CONNECTIONS: [usize; 2] = [16, 64];
/// Connections of the load beside which a token is revoked.
const BESIDE: usize = 16;
/// The least share of the bare endpoint's calls.
const SHARE: f64 = 0.2;
/// The longest time of 99 in 100 calls, at the most connections.
const P99: Duration = Duration::from_millis(5);
/// How soon a revoked token must be refused.
const REVOKED: Duration = Duration::from_secs(1);

/// Whom to ask what.
struct Contender<'a> {
    what: &'static str,
    server: &'a Server,
    token: String,
    asked: Asked,
    expected: &'static str,
    /// Whether the bars are about it.
    barred: bool,
}

/// A sample: the load, and the processor time of the server for each call.
#[derive(Clone, Copy)]
struct Sample {
    load: Load,
    cpu: Duration,
}

pub async fn measure(bench: &Bench) -> Outcome<Vec<Row>> {
    let (kit, house) = (owned_place(bench).await?, owned_place(bench).await?);
    let servers = [serve_bare(bench).await?, kit.serve_kit().await?, house.serve().await?];
    let (kit_token, house_token) = (token(&kit).await?, token(&house).await?);
    let contenders = contenders(&servers, &kit_token, &house_token);
    let (mut rows, mut calls) = (Vec::new(), vec![0; contenders.len()]);
    for era in Era::ALL {
        for connections in CONNECTIONS {
            rows.extend(compare(bench, &contenders, era, connections, &mut calls).await?);
        }
    }
    let (revocation, beside) = revocation(&kit, &contenders[1]).await?;
    let [_bare, kit_calls, house_calls, _lists] = calls[..] else { return Err("four contenders".into()) };
    for server in servers {
        server.stop().await?;
    }
    rows.push(revocation);
    rows.push(audited("echo", &kit, kit_calls + beside).await?);
    rows.push(audited("list_runs", &house, house_calls).await?);
    Ok(rows)
}

async fn owned_place(bench: &Bench) -> Outcome<Place<'_>> {
    let place = Place::sqlite(bench)?;
    place.add_owner().await?;
    Ok(place)
}

async fn token(place: &Place<'_>) -> Outcome<String> {
    Ok(place.add_token().await?["token"].as_str().ok_or("no token")?.to_owned())
}

/// The bare endpoint first: the others are measured against it.
fn contenders<'a>(
    [bare, kit, house]: &'a [Server; 3],
    kit_token: &str,
    house_token: &str,
) -> [Contender<'a>; 4] {
    let echo = Asked::call("echo", &json!({ "text": "hello world" }));
    let runs = Asked::call("list_runs", &json!({ "limit": 1 }));
    let of = |what, server, token: &str, asked: &Asked, expected| Contender {
        what,
        server,
        token: token.to_owned(),
        asked: asked.clone(),
        expected,
        barred: false,
    };
    [
        of("bare", bare, kit_token, &echo, "hello world"),
        Contender { barred: true, ..of("`tools/call` echo", kit, kit_token, &echo, "hello world") },
        of("`tools/call` list_runs", house, house_token, &runs, "\"runs\":[]"),
        of("`tools/list`", house, house_token, &Asked::list(), "search_things"),
    ]
}

/// One row for each contender but the first, from the best of several rounds in which they take turns.
async fn compare(
    bench: &Bench,
    contenders: &[Contender<'_>],
    era: Era,
    connections: usize,
    calls: &mut [u64],
) -> Outcome<Vec<Row>> {
    let mut best: Vec<Option<Sample>> = vec![None; contenders.len()];
    for _ in 0..bench.options.rounds {
        for (at, contender) in contenders.iter().enumerate() {
            bench.quiet.wait().await?;
            let sample = contender.sample(bench, era, connections).await?;
            calls[at] += sample.load.calls;
            if best[at].is_none_or(|best| best.load.per_second < sample.load.per_second) {
                best[at] = Some(sample);
            }
        }
    }
    let best: Vec<Sample> = best.into_iter().flatten().collect();
    let Some((bare, others)) = best.split_first() else { return Ok(Vec::new()) };
    let rows = contenders[1..].iter().zip(others);
    Ok(rows.flat_map(|(contender, sample)| contender.rows(era, connections, bare, sample)).collect())
}

impl Contender<'_> {
    fn target(&self, era: Era) -> Arc<Target> {
        let port = self.server.port;
        let request = self.asked.request(era, port, &self.token);
        Arc::new(Target { port, request, expected: self.expected })
    }

    async fn sample(&self, bench: &Bench, era: Era, connections: usize) -> Outcome<Sample> {
        let before = self.server.cpu()?;
        let load = load(&bench.ambient, &self.target(era), connections, bench.sample()).await?;
        let used = self.server.cpu()?.saturating_sub(before);
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let cpu = used.div_f64(load.calls as f64);
        Ok(Sample { load, cpu })
    }

    fn rows(&self, era: Era, connections: usize, bare: &Sample, sample: &Sample) -> Vec<Row> {
        let what = format!("{}, {}, {connections} connections", self.what, era.version());
        let (theirs, ours) = (bare.load, sample.load);
        let ratio = ours.per_second / theirs.per_second;
        let cpu = format!("{} us of CPU, bare {}", sample.cpu.as_micros(), bare.cpu.as_micros());
        let speed = Row::new(&what, format!("{}/s", count(ours.per_second)))
            .peer(format!("{}/s", count(theirs.per_second)), ratio)
            .note(format!("p50 {}, p99 {}; {cpu}", millis(ours.p50), millis(ours.p99)));
        if !self.barred {
            return vec![speed];
        }
        let p99 = Row::new(format!("{what}: p99"), millis(ours.p99))
            .peer(millis(theirs.p99), ours.p99.div_duration_f64(theirs.p99));
        let at_most_connections = CONNECTIONS.last() == Some(&connections);
        let p99 =
            if at_most_connections { p99.bar(format!("< {}", millis(P99)), ours.p99 < P99) } else { p99 };
        vec![speed.bar(format!(">= {SHARE}"), ratio >= SHARE), p99]
    }
}

/// A token revoked by another process, beside a load, and how many calls the load made.
async fn revocation(place: &Place<'_>, contender: &Contender<'_>) -> Outcome<(Row, u64)> {
    let bench = place.bench;
    let target = contender.target(Era::Legacy);
    let beside = load(&bench.ambient, &target, BESIDE, bench.sample() * 2);
    let (beside, refused) = tokio::try_join!(beside, refused_after(place, contender.server.port))?;
    let row = Row::new("revoked token refused after", millis(refused))
        .bar(format!("< {}", millis(REVOKED)), refused < REVOKED)
        .note("`stoa token revoke` beside the load");
    Ok((row, beside.calls))
}

/// From the end of `stoa token revoke` until the token is refused.
async fn refused_after(place: &Place<'_>, port: u16) -> Outcome<Duration> {
    let ambient = &place.bench.ambient;
    let added = place.add_token().await?;
    let (Some(id), Some(token)) = (added["id"].as_str(), added["token"].as_str()) else {
        return Err("no token".into());
    };
    let request = Asked::list().request(Era::Legacy, port, token);
    let mut connection = Connection::open(port).await?;
    if connection.exchange(&request).await?.status != 200 {
        return Err("a new token is refused".into());
    }
    place.stoa(&["token", "revoke", id]).await?;
    let revoked = ambient.now();
    let mut waited = Duration::ZERO;
    while connection.exchange(&request).await?.status != 401 && waited < REVOKED * 5 {
        waited = ambient.now().since(revoked);
    }
    Ok(waited)
}

/// Whether each call has its one entry, once the server has stopped.
async fn audited(tool: &str, place: &Place<'_>, calls: u64) -> Outcome<Row> {
    let file = place.data.path().join("audit");
    place.stoa(&["audit", "export", "--out", &file.to_string_lossy()]).await?;
    let mut entries = 0_u64;
    for line in BufReader::new(std::fs::File::open(file)?).lines() {
        entries += u64::from(line?.contains("\"channel\":\"mcp\""));
    }
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let (ours, theirs) = (entries as f64, calls as f64);
    let row = Row::new(format!("audit entries of all calls of {tool}"), count(ours));
    Ok(row.peer(format!("{} calls", count(theirs)), ours / theirs).bar("as many", entries == calls))
}
