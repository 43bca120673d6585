//! Listing what was done.

use std::sync::Arc;

use stoa_store::{Database, StoreError};

use super::SeeActivity;
use crate::{Activity, ActivityFilter, ActivityPlace, Caller, authorize_workspace, store};

/// The newest entries of the caller's workspace that meet the filter, at most `most`, after `place`. A member's are
/// their own; admins and owners have everybody's, those of others without their arguments.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn list(
    db: &Database,
    caller: &Arc<Caller>,
    filter: &ActivityFilter,
    place: Option<ActivityPlace>,
    most: u32,
) -> Result<Vec<Activity>, StoreError> {
    let sees_all = authorize_workspace::<SeeActivity>(caller).is_ok();
    let account = (!sees_all).then_some(caller.account);
    let mut entries = store::activity::list(db, caller.workspace, account, filter, place, most).await?;
    for entry in entries.iter_mut().filter(|entry| entry.account != Some(caller.account)) {
        entry.arguments = None;
    }
    Ok(entries)
}
