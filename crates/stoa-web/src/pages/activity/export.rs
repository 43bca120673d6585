//! The same entries as JSON lines, for programs.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use futures::{Stream, TryStreamExt, stream};
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use serde_json::json;
use stoa_identity::{Activity, ActivityFilter, ActivityPlace, Caller, activity};
use stoa_store::StoreError;
use stoa_store::audit::Status;

use super::Wanted;
use crate::member::Member;
use crate::respond::Fault;
use crate::web::Web;

/// How many entries are read at once.
const AT_ONCE: u32 = 500;

/// `GET /activity/export`. Written while it is read: no number of entries fills the memory.
pub(crate) async fn export(
    State(web): State<Web>,
    member: Member,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Fault> {
    let act = member.act(&web, "export activity", json!({}));
    act.close(Status::Ok, None).await?;
    let headers = [
        (CONTENT_TYPE, "application/jsonl"),
        (CONTENT_DISPOSITION, "attachment; filename=\"activity.jsonl\""),
    ];
    let lines = lines(web, member.caller, wanted.filter());
    Ok((headers, Body::from_stream(lines)).into_response())
}

/// What is still to be read.
enum Rest {
    After(Option<ActivityPlace>),
    Nothing,
}

fn lines(
    web: Web,
    caller: Arc<Caller>,
    filter: ActivityFilter,
) -> impl Stream<Item = Result<String, StoreError>> {
    stream::try_unfold(Rest::After(None), move |rest| {
        let (web, caller, filter) = (web.clone(), caller.clone(), filter.clone());
        async move {
            let Rest::After(place) = rest else { return Ok(None) };
            let entries = activity::list(web.db(), &caller, &filter, place, AT_ONCE).await?;
            let Some(last) = entries.last().map(Activity::place) else { return Ok(None) };
            let is_full = u32::try_from(entries.len()) == Ok(AT_ONCE);
            let rest = if is_full { Rest::After(Some(last)) } else { Rest::Nothing };
            Ok(Some((entries.iter().map(line).collect::<String>(), rest)))
        }
    })
    .inspect_err(|error: &StoreError| tracing::error!(%error, "an export of the activity broke off"))
}

fn line(entry: &Activity) -> String {
    format!("{}\n", serde_json::to_string(entry).unwrap_or_default())
}
