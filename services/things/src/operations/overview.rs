//! The counts that an agent is told when it connects.

use std::sync::Arc;

use stoa_identity::Caller;

use super::list_resources::{Completeness, completeness};
use super::rights;
use super::{Things, ThingsError, may};
use crate::model::{Reach, Selector};
use crate::store::search::{Question, Search};

/// What there is for this caller, in numbers.
#[derive(Clone, Debug)]
pub struct Overview {
    /// Things within reach, counted up to 10,000.
    pub things: i64,
    /// Whether there are more than that.
    pub more: bool,
    /// How much of the places is catalogued.
    pub completeness: Completeness,
}

/// Counts what there is for this caller, as far as a window of the index reaches: every connecting client
/// asks, and none is held back by the limit of calls.
///
/// # Errors
/// [`ThingsError::Denied`] without the right to search.
pub async fn overview(things: &Things, caller: &Arc<Caller>) -> Result<Overview, ThingsError> {
    let may = may::in_workspace::<rights::Search>(caller)?;
    let caller = may.caller();
    let (reach, selector) = (Reach::from(&caller.reach), Selector::default());
    let question = Question { workspace: caller.workspace, reach: &reach, selector: &selector };
    let newest = Search::open(things.db(), &question, things.settings().search).await?.newest().await?;
    Ok(Overview {
        things: i64::try_from(newest.hits.len()).unwrap_or(i64::MAX),
        more: newest.range.low > 0,
        completeness: completeness(things.db(), caller).await?,
    })
}
