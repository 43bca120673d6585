//! How far a grant goes, as a person chooses and reads it: everywhere they may go themselves, or only to places that
//! they tick.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;
use stoa_identity::{Caller, MountId, Parameters, Reach, SignedIn, sessions};
use stoa_store::StoreError;
use uuid::Uuid;

use crate::respond::Fault;
use crate::texts::Texts;
use crate::web::Web;

/// Something of a service to which a grant can be kept.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its id.
    pub id: Uuid,
    /// Its name, as people gave it.
    pub name: String,
}

/// What a service has to which grants can be kept.
pub trait Places: fmt::Debug + Send + Sync {
    /// All of it that the person may see.
    fn of(&self, caller: Arc<Caller>) -> BoxFuture<'_, Result<Vec<Place>, StoreError>>;
}

/// A place that may be ticked.
pub(crate) struct Choice {
    pub id: Uuid,
    pub name: String,
    pub is_ticked: bool,
}

/// What the person chooses among, with what is chosen already.
pub(crate) struct Choices {
    pub is_bounded: bool,
    pub places: Vec<Choice>,
}

impl Choices {
    /// Those of a person at a mount. Nobody who does not belong there is told of any.
    pub async fn of(
        web: &Web,
        person: &SignedIn,
        mount: &MountId,
        before: Option<&Reach>,
    ) -> Result<Self, Fault> {
        let caller = sessions::caller(web.door(), person, mount.clone(), &web.scopes()).await?;
        let Some(caller) = caller else { return Ok(Self { is_bounded: false, places: Vec::new() }) };
        let before = before.unwrap_or(&Reach::Everything);
        let is_bounded = matches!(before, Reach::Only(_));
        let choice = |Place { id, name }| Choice { id, name, is_ticked: is_bounded && before.includes(id) };
        let places = places(web, &mount.service, &caller).await?;
        Ok(Self { is_bounded, places: places.into_iter().map(choice).collect() })
    }
}

/// The places of the services of a mount.
pub(crate) async fn places(web: &Web, service: &str, caller: &Arc<Caller>) -> Result<Vec<Place>, StoreError> {
    let mut all = Vec::new();
    for face in web.faces_at(service) {
        all.extend(face.places.of(caller.clone()).await?);
    }
    Ok(all)
}

/// How far a grant goes, in words.
pub(crate) fn said(reach: &Reach, places: &[Place], texts: &Texts) -> String {
    let Reach::Only(ids) = reach else { return texts.reach.everywhere.to_owned() };
    let known = places.iter().filter(|place| ids.contains(&place.id));
    let mut names: Vec<String> = known.map(|place| place.name.clone()).collect();
    let gone = ids.len() - names.len();
    if gone > 0 {
        names.push((texts.reach.gone)(gone));
    }
    names.join(", ")
}

/// What was chosen. `None`: only some places, but none of them.
pub(crate) fn chosen(form: &Parameters) -> Option<Reach> {
    if form.one("reach") != Ok(Some("only")) {
        return Some(Reach::Everything);
    }
    let ids: BTreeSet<Uuid> = form.all("place").iter().filter_map(|id| id.parse().ok()).collect();
    (!ids.is_empty()).then_some(Reach::Only(ids))
}
