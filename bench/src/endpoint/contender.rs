//! Servers that are asked in turn by the same load.

use std::sync::Arc;
use std::time::Duration;

use super::CONNECTIONS;
use crate::load::{Load, Target, load};
use crate::peers::{Bar, Peer};
use crate::request::{Asked, Era};
use crate::server::{Pid, Server};
use crate::table::{Row, Table, count, millis};
use crate::{Bench, Outcome};

/// The longest time of 99 in 100 calls, at the most connections.
const P99: Duration = Duration::from_millis(5);

/// Whom to ask what.
pub struct Contender {
    what: String,
    port: u16,
    pid: Pid,
    token: String,
    asked: Asked,
    expected: &'static str,
    /// Ours has none.
    bar: Option<Bar>,
    /// The eras that it speaks.
    eras: &'static [Era],
    /// How often it was asked.
    pub calls: u64,
    /// The best sample so far, in the era and with the connections that are measured now; of a peer that does
    /// not speak this era, in the one that it speaks.
    best: Option<Sample>,
}

/// A sample: the load, and the processor time of the server for each call.
#[derive(Clone, Copy)]
struct Sample {
    load: Load,
    cpu: Duration,
}

/// Takes samples of all in turn, several rounds of them, and adds a row for each of ours: that of the first beside
/// each peer, those of the others beside the first peer.
pub async fn compare(
    bench: &Bench,
    field: &mut [Contender],
    era: Era,
    connections: usize,
    table: &mut Table,
) -> Outcome<()> {
    for contender in field.iter_mut() {
        contender.best = None;
    }
    for _ in 0..bench.options.rounds {
        for contender in field.iter_mut() {
            bench.quiet.wait().await?;
            contender.sample(bench, era, connections).await?;
        }
    }
    let (ours, peers): (Vec<_>, Vec<_>) = field.iter().partition(|contender| contender.bar.is_none());
    let Some((first, others)) = ours.split_first() else { return Ok(()) };
    let suffix = format!("{}, {connections} connections", era.version());
    for peer in &peers {
        table.add(first.beside(peer, &suffix));
    }
    if let Some(bare) = peers.first() {
        table.add(first.tail(bare, &suffix, CONNECTIONS.last() == Some(&connections)));
        for other in others {
            table.add(other.beside(bare, &suffix).without_bar());
        }
    }
    Ok(())
}

impl Contender {
    /// One of ours.
    pub fn stoa(what: String, server: &Server, token: &str, asked: Asked, expected: &'static str) -> Self {
        let (port, token) = (server.port, token.to_owned());
        let pid = server.pid;
        Self { what, port, pid, token, asked, expected, bar: None, eras: &Era::ALL, calls: 0, best: None }
    }

    /// A peer, which is sent a token too but does not look at it.
    pub fn peer(peer: &Peer, asked: Asked, expected: &'static str) -> Self {
        let ours = Self::stoa(peer.name.to_owned(), &peer.server, "none", asked, expected);
        Self { bar: Some(peer.bar), eras: peer.eras, ..ours }
    }

    pub fn target(&self, era: Era) -> Arc<Target> {
        let request = self.asked.request(era, self.port, &self.token);
        Arc::new(Target { port: self.port, request, expected: self.expected })
    }

    async fn sample(&mut self, bench: &Bench, era: Era, connections: usize) -> Outcome<()> {
        let era = if self.eras.contains(&era) { era } else { Era::Legacy };
        let before = self.pid.cpu()?;
        let load = load(&bench.site.ambient, &self.target(era), connections, bench.sample()).await?;
        let used = self.pid.cpu()?.saturating_sub(before);
        self.calls += load.calls;
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let cpu = used.div_f64(load.calls as f64);
        if self.best.is_none_or(|best| best.load.per_second < load.per_second) {
            self.best = Some(Sample { load, cpu });
        }
        Ok(())
    }

    fn beside(&self, peer: &Self, suffix: &str) -> Row {
        let row = Row::new(format!("{}, {suffix}; peer: {}", self.what, peer.what), "-");
        let (Some(ours), Some(theirs)) = (self.best, peer.best) else { return row };
        let ratio = ours.load.per_second / theirs.load.per_second;
        let cpu = format!("{} us of CPU a call, peer {}", ours.cpu.as_micros(), theirs.cpu.as_micros());
        let row = row.ours(format!("{}/s", count(ours.load.per_second)));
        let row = row.peer(format!("{}/s", count(theirs.load.per_second)), ratio);
        let row = row.note(format!("p50 {}, p99 {}; {cpu}", millis(ours.load.p50), millis(ours.load.p99)));
        match peer.bar {
            Some(Bar::AtLeast(least)) => row.bar(format!(">= {least}"), ratio >= least),
            Some(Bar::Aim(aim)) => row.aim(format!("aim: {aim}")),
            None => row,
        }
    }

    /// The slowest calls.
    fn tail(&self, peer: &Self, suffix: &str, has_bar: bool) -> Row {
        let row = Row::new(format!("{}, {suffix}: p99; peer: {}", self.what, peer.what), "-");
        let (Some(ours), Some(theirs)) = (self.best, peer.best) else { return row };
        let (ours, theirs) = (ours.load.p99, theirs.load.p99);
        let row = row.ours(millis(ours)).peer(millis(theirs), ours.div_duration_f64(theirs));
        if has_bar { row.bar(format!("< {}", millis(P99)), ours < P99) } else { row }
    }
}
