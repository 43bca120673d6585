//! Analyzing a thing again, from whichever of its references still has the same content.

use futures::future::BoxFuture;
use serde::Deserialize;
use stoa_runs::{Outcome, Progress, Running, Work, WorkError};
use stoa_store::StoreError;

use crate::analysis::{AnalysisError, Contents, IDENTIFY, TEXT, analyze_aside};
use crate::connector::Locator;
use crate::model::{Reach, ResourceId, ThingId};
use crate::operations::Things;
use crate::store::catalog;
use crate::store::reference::{self, ShownReference};
use crate::store::thing::{self, ThingRow};
use crate::store::{index, resource, step, turn};

/// How many of a thing's references are tried.
const REFERENCES: i64 = 10;

/// The work `analyze`.
#[derive(Debug)]
pub struct AnalyzeWork(pub Things);

/// What a run of this kind is told.
#[derive(Debug, Deserialize)]
struct Payload {
    thing_id: ThingId,
    /// Whether steps that went well are done again, too.
    #[serde(default)]
    force: bool,
}

impl AnalyzeWork {
    async fn analyze(&self, run: &Running) -> Result<Outcome, WorkError> {
        let payload = Payload::deserialize(run.payload())
            .map_err(|error| WorkError::Failed(format!("the run's payload: {error}")))?;
        let thing = thing::by_id(self.0.db(), run.workspace(), payload.thing_id).await?;
        let thing = thing.ok_or_else(|| WorkError::Failed("the thing is gone".to_owned()))?;
        let due = self.due(&thing, payload.force).await?;
        if due.is_empty() {
            return Ok(Outcome::Done);
        }
        let (at, contents) = self.read(&thing).await?;
        let bytes = u64::try_from(contents.size).unwrap_or(0);
        let outcome = self.write(run, &thing, &at, contents, &due).await?;
        run.progress(Progress { done: 1, total: Some(1), bytes });
        Ok(outcome)
    }

    /// The steps to be done: with `force` all, else those that are missing or failed.
    async fn due(&self, thing: &ThingRow, force: bool) -> Result<Vec<&'static str>, StoreError> {
        let steps = step::of_thing(self.0.db(), thing.seq).await?;
        let well = |name: &str| steps.iter().any(|step| step.step == name && step.is_well());
        Ok([IDENTIFY, TEXT].into_iter().filter(|name| force || !well(name)).collect())
    }

    /// The content, and the reference that still has it.
    async fn read(&self, thing: &ThingRow) -> Result<(ShownReference, Contents), WorkError> {
        let all = reference::of_things(self.0.db(), &[thing.seq], &Reach::everything(), REFERENCES).await?;
        let mut problem = "the thing is gone from every resource".to_owned();
        for at in all {
            match self.read_at(thing, &at).await? {
                Ok(contents) => return Ok((at, contents)),
                Err(this) => problem = this,
            }
        }
        Err(WorkError::Failed(problem))
    }

    /// The content at a reference, or why it is not there.
    async fn read_at(
        &self,
        thing: &ThingRow,
        at: &ShownReference,
    ) -> Result<Result<Contents, String>, StoreError> {
        let id = ResourceId::from_uuid(at.resource_id);
        let Some(resource) = resource::by_id(self.0.db(), thing.workspace, id).await? else {
            return Ok(Err("its resource was removed".to_owned()));
        };
        let connector = match self.0.connectors().open(&resource) {
            Ok(connector) => connector,
            Err(problem) => return Ok(Err(problem.to_string())),
        };
        let locator = Locator { key: at.key.clone(), raw: at.key_bytes.clone() };
        let read = match connector.read(&locator).await {
            Ok(read) => Contents::take_in(self.0.ambient(), &at.key, read).await,
            Err(problem) => Err(problem),
        };
        Ok(match read {
            Ok(contents) if is_same(thing, at, &contents) => Ok(contents),
            Ok(_) => Err(format!("its bytes changed; sync {}", resource.name)),
            Err(problem) => Err(format!("{}: {}: {problem}", resource.name, at.key)),
        })
    }

    async fn write(
        &self,
        run: &Running,
        thing: &ThingRow,
        at: &ShownReference,
        contents: Contents,
        due: &[&str],
    ) -> Result<Outcome, WorkError> {
        let hash = contents.hash;
        let analyzed = analyze_aside(self.0.ambient(), self.0.documents().as_ref(), &at.key, contents).await;
        let mut analyzed = analyzed.map_err(|error| unanalyzed(&at.key, error))?;
        analyzed.steps.retain(|step| due.contains(&step.step.as_str()));
        let mut tx = self.0.db().begin().await?;
        turn::take(&mut tx, thing.workspace).await?;
        if !run.fence(&mut tx).await? {
            return Ok(Outcome::HandedBack);
        }
        match thing.hash {
            Some(_) => catalog::analyze_again(&mut tx, thing.workspace, thing.seq, &analyzed).await?,
            None => catalog::identify(&mut tx, thing.workspace, thing.seq, &hash, &analyzed).await?,
        }
        tx.commit().await?;
        index::settle(self.0.db(), self.0.ambient(), thing.workspace).await;
        Ok(Outcome::Done)
    }
}

fn unanalyzed(key: &str, error: AnalysisError) -> WorkError {
    match error {
        AnalysisError::Unavailable(_) => WorkError::Failed(format!("{key}: {error}")),
        AnalysisError::Died(died) => WorkError::Internal(Box::new(died)),
    }
}

/// Whether a content is the one that was catalogued at this reference.
fn is_same(thing: &ThingRow, at: &ShownReference, contents: &Contents) -> bool {
    let stamp = (contents.size, contents.modified_at.as_micros());
    stamp == (at.size, at.modified_at) && thing.hash.as_ref().is_none_or(|hash| **hash == contents.hash)
}

impl Work for AnalyzeWork {
    fn service(&self) -> &'static str {
        crate::NAME
    }

    fn kind(&self) -> &'static str {
        "analyze"
    }

    fn perform<'a>(&'a self, run: &'a Running) -> BoxFuture<'a, Result<Outcome, WorkError>> {
        // What waits when it is told to stop is dropped, and the reading of a document with it.
        Box::pin(async {
            tokio::select! {
                biased;
                outcome = run.stop_asked() => Ok(outcome),
                analyzed = self.analyze(run) => analyzed,
            }
        })
    }
}
