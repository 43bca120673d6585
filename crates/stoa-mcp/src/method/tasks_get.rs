//! `tasks/get`: where a task stands, with its result once it is over.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::json;
use serde_json::value::RawValue;
use stoa_store::audit::{Act, Status};

use crate::capability::Capability;
use crate::conduct::{self, Noted};
use crate::context::Context;
use crate::envelope::text;
use crate::meter::Meter;
use crate::params::Params;
use crate::rpc::{INVALID_PARAMS, Reply, RpcError, success};
use crate::tasks::DetailedTask;
use crate::{Method, Service, Tasks, ToolError};

const METHOD: &str = Method::TasksGet.as_str();
/// The code of a task that is unknown, or another's.
const NOT_FOUND: &str = "TaskNotFound";

pub(super) async fn answer(context: &Context, id: &RawValue, params: &Params<'_>) -> Result<Reply, RpcError> {
    let found = admit(context, METHOD, params).await?;
    let task =
        found.conduct(context, METHOD, found.tasks.get(context.caller.clone(), found.id.clone())).await?;
    let result = DetailedTask::new(context, found.service.name, found.service.policy, task);
    Ok(success(context.era, &context.listing.server, id, &result))
}

/// A task that may be there, under audit.
pub(super) struct Found<'a> {
    pub service: &'a Arc<Service>,
    pub tasks: &'a Arc<dyn Tasks>,
    /// Its id within the service.
    pub id: String,
    pub act: Act,
}

/// Puts the request under audit and finds whose task it would be. Only for clients that declared the extension with
/// this request.
pub(super) async fn admit<'a>(
    context: &'a Context,
    method: &'static str,
    params: &Params<'_>,
) -> Result<Found<'a>, RpcError> {
    if !context.capabilities.has(Capability::Tasks) {
        return Err(conduct::missing_capability(&[Capability::Tasks]));
    }
    let named = params.task_id.and_then(text);
    let named = named.ok_or_else(|| RpcError::bad_request(INVALID_PARAMS, "`taskId` must be a string."))?;
    let task = stoa_base::text::one_line(&named, 80);
    let act = conduct::open(
        context,
        Noted { tool: Cow::Borrowed(method), scope: None, arguments: json!({ "task_id": task }) },
    );
    let found = named
        .split_once('/')
        .and_then(|(service, id)| context.listing.tasks_of(service).map(|found| (found, id.to_owned())));
    match found {
        Some(((service, tasks), id)) => Ok(Found { service, tasks, id, act }),
        None => Err(conduct::refuse(context, &act, (Status::Error, NOT_FOUND), not_found()).await),
    }
}

impl Found<'_> {
    /// Does the work on the task.
    pub async fn conduct<T>(
        &self,
        context: &Context,
        method: &'static str,
        work: impl Future<Output = Result<Option<T>, ToolError>>,
    ) -> Result<T, RpcError> {
        let work = async {
            conduct::count(context, self.service)?;
            let done = work.await?;
            done.ok_or_else(|| ToolError::failed(NOT_FOUND, "There is no such task."))
        };
        let meter = Meter::new(self.service.name, method);
        let done = conduct::conduct(context, self.service, &self.act, &meter, work).await;
        done.map_err(|error| match error {
            ToolError::Refused { code: NOT_FOUND, .. } => not_found(),
            error => conduct::rpc_error(context, error),
        })
    }
}

fn not_found() -> RpcError {
    RpcError::answered(INVALID_PARAMS, "Task not found")
}
