//! Looking for entries that were changed or dropped.

mod report;

use std::collections::BTreeSet;

use futures::{Stream, TryStreamExt};
use sqlx::{query_as, query_scalar};
use stoa_base::WorkspaceId;
use uuid::Uuid;

use super::Checkpoint;
use super::key::{ChainKey, Link, ROOT};
use super::record::{Record, columns};
use crate::{Database, StoreError, on, queries};
pub use report::{ChainReport, LIMITS, Problem, Report, Witness};

/// Problems listed per chain; more are only counted.
const LISTED: usize = 100;

queries! {
    /// Every workspace that has entries or a chain.
    WORKSPACES = "SELECT workspace_id FROM audit_entry UNION SELECT workspace_id FROM audit_chain";
    /// The end of a chain.
    END = "SELECT position, mac, seal, checkpoint_position, checkpoint_mac FROM audit_chain
        WHERE workspace_id = $1";
    /// A chain from its beginning.
    LINKED = (concat!("SELECT ", columns!(), " FROM audit_entry
        WHERE workspace_id = $1 AND chain_position IS NOT NULL ORDER BY chain_position"));
    /// How many entries are not linked yet.
    UNLINKED = "SELECT COUNT(*) FROM audit_entry WHERE workspace_id = $1 AND chain_position IS NULL";
}

/// Recomputes the chains of `workspace` (or of all), beside a server at work or without one. A checkpoint from
/// the log is looked for too, in its own workspace.
///
/// # Errors
/// [`StoreError`] when the database can't be read, or holds an entry that can't be one.
pub async fn verify(
    db: &Database,
    key: &ChainKey,
    workspace: Option<WorkspaceId>,
    checkpoint: Option<&Checkpoint>,
) -> Result<Report, StoreError> {
    let mut names = match workspace {
        Some(workspace) => BTreeSet::from([workspace]),
        None => all_workspaces(db).await?,
    };
    names.extend(checkpoint.map(|given| given.workspace));
    let mut workspaces = Vec::new();
    for name in names {
        let given = checkpoint.filter(|given| given.workspace == name);
        workspaces.push(verify_one(db, key, name, given).await?);
    }
    Ok(Report { workspaces })
}

async fn all_workspaces(db: &Database) -> Result<BTreeSet<WorkspaceId>, StoreError> {
    let ids: Vec<Uuid> = on!(read db, c => query_scalar(WORKSPACES).fetch_all(c).await)?;
    Ok(ids.into_iter().map(WorkspaceId::from_uuid).collect())
}

/// The recorded end of a chain.
#[derive(sqlx::FromRow)]
struct End {
    position: i64,
    mac: Vec<u8>,
    seal: Vec<u8>,
    checkpoint_position: i64,
    checkpoint_mac: Vec<u8>,
}

async fn verify_one(
    db: &Database,
    key: &ChainKey,
    workspace: WorkspaceId,
    given: Option<&Checkpoint>,
) -> Result<ChainReport, StoreError> {
    // A server may be linking meanwhile: the entries must reach at least the end read before them, and at
    // most the end read after them.
    let before = end(db, workspace).await?;
    let mut walk = Walk::new(key, memories(before.as_ref(), given));
    on!(read db, c => walk.all(query_as(LINKED).bind(workspace.uuid()).fetch(c)).await)?;
    walk.compare_length();
    if before.is_some_and(|end| key.seal(workspace, end.position, &end.mac)[..] != end.seal) {
        walk.problem(Problem::EndForged);
    }
    match end(db, workspace).await? {
        Some(end) if end.position < walk.position => walk.problem(Problem::EndForged),
        None if walk.position > 0 => walk.problem(Problem::EndMissing),
        _ => {}
    }
    Ok(walk.report(workspace, unchained(db, workspace).await?))
}

async fn end(db: &Database, workspace: WorkspaceId) -> Result<Option<End>, StoreError> {
    Ok(on!(read db, c => query_as(END).bind(workspace.uuid()).fetch_optional(c).await)?)
}

async fn unchained(db: &Database, workspace: WorkspaceId) -> Result<i64, StoreError> {
    Ok(on!(read db, c => query_scalar(UNLINKED).bind(workspace.uuid()).fetch_one(c).await)?)
}

/// What somebody remembers of a chain: its link at a position.
struct Memory {
    witness: Witness,
    position: i64,
    mac: Vec<u8>,
}

fn memories(end: Option<&End>, given: Option<&Checkpoint>) -> Vec<Memory> {
    let memory = |witness, position, mac: &[u8]| Memory { witness, position, mac: mac.to_vec() };
    let stored = end.into_iter().flat_map(|end| {
        [
            memory(Witness::End, end.position, &end.mac),
            memory(Witness::StoredCheckpoint, end.checkpoint_position, &end.checkpoint_mac),
        ]
    });
    let given = given.map(|it| memory(Witness::GivenCheckpoint, it.position, &it.mac));
    stored.chain(given).collect()
}

/// A walk along one chain.
struct Walk<'a> {
    key: &'a ChainKey,
    memories: Vec<Memory>,
    entries: u64,
    position: i64,
    mac: Link,
    problems: Vec<Problem>,
    problem_count: u64,
}

impl<'a> Walk<'a> {
    fn new(key: &'a ChainKey, memories: Vec<Memory>) -> Self {
        let (problems, problem_count) = (Vec::new(), 0);
        Self { key, memories, entries: 0, position: 0, mac: ROOT, problems, problem_count }
    }

    async fn all<S>(&mut self, mut records: S) -> Result<(), sqlx::Error>
    where
        S: Stream<Item = Result<Record, sqlx::Error>> + Unpin,
    {
        while let Some(record) = records.try_next().await? {
            self.step(&record);
        }
        Ok(())
    }

    /// Checks one entry against the one before. After a problem the walk goes on from the link as stored, so
    /// that one change is one problem.
    fn step(&mut self, record: &Record) {
        let position = record.chain_position.unwrap_or_default();
        let stored: Option<Link> = record.chain_mac.as_deref().and_then(|mac| mac.try_into().ok());
        if position != self.position + 1 {
            self.problem(Problem::Dropped { from: self.position + 1, to: position - 1 });
        } else if stored != Some(self.key.link(&self.mac, position, record)) {
            self.problem(Problem::Changed { position });
        }
        self.entries += 1;
        self.position = position;
        self.mac = stored.unwrap_or(ROOT);
        self.compare_link();
    }

    fn compare_link(&mut self) {
        let here = |memory: &&Memory| memory.position == self.position && memory.mac != self.mac;
        let differing: Vec<Witness> =
            self.memories.iter().filter(here).map(|memory| memory.witness).collect();
        for witness in differing {
            self.problem(Problem::Differs { witness, position: self.position });
        }
    }

    fn compare_length(&mut self) {
        for Memory { witness, position, .. } in std::mem::take(&mut self.memories) {
            if position > self.position {
                self.problem(Problem::Shortened { witness, position });
            }
        }
    }

    fn problem(&mut self, problem: Problem) {
        self.problem_count += 1;
        if self.problems.len() < LISTED {
            self.problems.push(problem);
        }
    }

    fn report(self, workspace: WorkspaceId, unchained: i64) -> ChainReport {
        ChainReport {
            workspace,
            entries: self.entries,
            unchained,
            head_position: self.position,
            head_mac: hex::encode(self.mac),
            problems: self.problems,
            problem_count: self.problem_count,
        }
    }
}
