//! What a node uses of the machine, early and late.

use super::Verdict;
use crate::Outcome;
use crate::place::Place;
use crate::server::Pid;

/// How much more memory is no growth: a factor, and MB beside it for what the allocator keeps.
const MEMORY: (f64, f64) = (1.15, 10.0);
/// How many more files, threads or connections: those of a pool come and go.
const COUNT: usize = 5;

pub struct Sample {
    /// MB.
    memory: f64,
    files: usize,
    threads: usize,
    /// Connections of all nodes to the database.
    connections: usize,
}

impl Sample {
    pub async fn of(server: Pid, place: &Place<'_>) -> Outcome<Self> {
        let count = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()";
        Ok(Self {
            memory: server.memory()?,
            files: server.entries("fd")?,
            threads: server.entries("task")?,
            // The one that counts is not ours.
            connections: place.psql(count).await?.parse::<usize>()? - 1,
        })
    }
}

pub fn verdicts(early: &Sample, late: &Sample) -> Vec<Verdict> {
    let (factor, beside) = MEMORY;
    let memory = (
        late.memory <= early.memory * factor + beside,
        format!("memory: {:.1} MB after the warm-up, {:.1} MB at the end", early.memory, late.memory),
    );
    let counts = [
        ("open files", early.files, late.files),
        ("threads", early.threads, late.threads),
        ("database connections", early.connections, late.connections),
    ];
    let counts = counts.map(|(what, early, late)| {
        (late <= early + COUNT, format!("{what}: {early} after the warm-up, {late} at the end"))
    });
    std::iter::once(memory).chain(counts).collect()
}
