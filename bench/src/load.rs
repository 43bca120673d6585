//! Load: connections that each send the next request when the last is answered.

use std::sync::Arc;
use std::time::Duration;

use stoa_base::{Ambient, Timestamp};
use tokio::task::JoinSet;

use crate::Outcome;
use crate::http::Connection;

/// What is asked, over and over.
pub struct Target {
    pub port: u16,
    /// The whole request.
    pub request: Vec<u8>,
    /// What each answer holds.
    pub expected: &'static str,
}

/// How it was answered.
#[derive(Clone, Copy)]
pub struct Load {
    pub calls: u64,
    pub per_second: f64,
    pub p50: Duration,
    pub p99: Duration,
}

impl Target {
    /// Asks once.
    pub async fn ask(&self, connection: &mut Connection) -> Outcome<()> {
        let reply = connection.exchange(&self.request).await?;
        if reply.status == 200 && reply.body.contains(self.expected) {
            return Ok(());
        }
        Err(format!("expected {:?}, got {}: {}", self.expected, reply.status, reply.body).into())
    }
}

/// Asks from so many connections for so long. Each answer is checked.
pub async fn load(
    ambient: &Ambient,
    target: &Arc<Target>,
    connections: usize,
    lasting: Duration,
) -> Outcome<Load> {
    let began = ambient.now();
    let mut workers = JoinSet::new();
    for _ in 0..connections {
        workers.spawn(work(ambient.clone(), target.clone(), began.plus(lasting)));
    }
    let mut times = Vec::new();
    while let Some(worked) = workers.join_next().await {
        times.extend(worked??);
    }
    Ok(Load::of(times, ambient.now().since(began)))
}

async fn work(ambient: Ambient, target: Arc<Target>, until: Timestamp) -> Outcome<Vec<Duration>> {
    let mut connection = Connection::open(target.port).await?;
    let mut times = Vec::new();
    let mut sent = ambient.now();
    while sent < until {
        target.ask(&mut connection).await?;
        let answered = ambient.now();
        times.push(answered.since(sent));
        sent = answered;
    }
    Ok(times)
}

impl Load {
    /// From the time of each call.
    pub fn of(mut times: Vec<Duration>, lasted: Duration) -> Self {
        times.sort_unstable();
        let at = |percent: usize| times.get((times.len() * percent / 100).min(times.len().saturating_sub(1)));
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let per_second = times.len() as f64 / lasted.as_secs_f64();
        Self {
            calls: times.len() as u64,
            per_second,
            p50: at(50).copied().unwrap_or_default(),
            p99: at(99).copied().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_sorted_times() {
        let times = (0..200).rev().map(Duration::from_millis).collect();
        let load = Load::of(times, Duration::from_secs(2));
        assert_eq!(
            (load.calls, load.p50, load.p99),
            (200, Duration::from_millis(100), Duration::from_millis(198))
        );
        assert!((load.per_second - 100.0).abs() < 1e-9);
        assert_eq!(Load::of(vec![], Duration::from_secs(1)).p99, Duration::ZERO);
    }
}
