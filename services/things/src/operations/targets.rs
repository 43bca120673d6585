//! What rights are given on, and the one look-up for each that is bound to the caller's tenant and reach.

use stoa_identity::{Caller, Role, Target};
use stoa_runs::{RunId, RunRow};
use stoa_store::audit::Credential;
use stoa_store::{Database, StoreError};

use crate::model::{Reach, ResourceId, ThingId};
use crate::store::reference;
use crate::store::resource::{self, ResourceRow};
use crate::store::thing::{self, ThingRow};

impl Target for ResourceRow {
    type Id = ResourceId;

    async fn find(db: &Database, caller: &Caller, id: &ResourceId) -> Result<Option<Self>, StoreError> {
        if !caller.reach.includes(id.uuid()) {
            return Ok(None);
        }
        resource::by_id(db, caller.workspace, *id).await
    }
}

impl Target for ThingRow {
    type Id = ThingId;

    /// A thing exists for whoever can reach one of its references; one that is gone, for whoever could reach
    /// where it was last.
    async fn find(db: &Database, caller: &Caller, id: &ThingId) -> Result<Option<Self>, StoreError> {
        let Some(thing) = thing::by_id(db, caller.workspace, *id).await? else {
            return Ok(None);
        };
        let reachable = match thing.gone_from {
            Some(resource) => caller.reach.includes(resource.uuid()),
            None => reference::count_of_thing(db, thing.seq, &Reach::from(&caller.reach)).await? > 0,
        };
        Ok(reachable.then_some(thing))
    }
}

/// A run that the caller's installation started. Who only waits for it, since somebody else had started it, may
/// look at it and not stop it: otherwise asking for a sync would be leave to stop anybody's. On their own pages a
/// person may stop what any of their agents started, and an admin whatever runs.
#[derive(Debug)]
pub struct OwnRun(pub RunRow);

impl Target for OwnRun {
    type Id = RunId;

    async fn find(db: &Database, caller: &Caller, id: &RunId) -> Result<Option<Self>, StoreError> {
        let run = stoa_runs::get(db, caller.workspace, *id).await?;
        let in_person = caller.credential == Credential::Session;
        let theirs = |run: &RunRow| run.account == Some(caller.account) || caller.role >= Role::Admin;
        let own = |run: &RunRow| {
            let started = run.starter == Some(caller.installation) || (in_person && theirs(run));
            run.service == crate::NAME && started
        };
        Ok(run.filter(own).map(Self))
    }
}
