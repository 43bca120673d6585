//! The task that a request names, in every method of the tasks extension.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::json;
use stoa_base::text::one_line;
use stoa_store::audit::{Act, Status};

use crate::capability::Capability;
use crate::conduct::{self, CLIENT_LACKS, Noted};
use crate::context::Context;
use crate::envelope::text;
use crate::meter::Meter;
use crate::params::Params;
use crate::rpc::{INVALID_PARAMS, RpcError};
use crate::{Service, Tasks, ToolError};

/// The code of a task that is unknown, or another's.
const NOT_FOUND: &str = "TaskNotFound";

/// A task that may be there, under audit.
pub(super) struct Named<'a> {
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
) -> Result<Named<'a>, RpcError> {
    let named = params.task_id.and_then(text);
    let arguments = json!({ "task_id": named.as_ref().map(|named| one_line(named, 80)) });
    let act = conduct::open(context, Noted { tool: Cow::Borrowed(method), scope: None, arguments });
    if !context.capabilities.has(Capability::Tasks) {
        let error = conduct::missing_capability(&[Capability::Tasks]);
        return Err(conduct::refuse(context, &act, (Status::Error, CLIENT_LACKS), error).await);
    }
    let Some(named) = named else {
        return Err(conduct::unreadable(context, &act, "`taskId` must be a string.").await);
    };
    let place = named.split_once('/');
    match place.and_then(|(service, id)| Some((context.listing.tasks_of(service)?, id))) {
        Some(((service, tasks), id)) => Ok(Named { service, tasks, id: id.to_owned(), act }),
        None => Err(conduct::refuse(context, &act, (Status::Error, NOT_FOUND), not_found()).await),
    }
}

impl Named<'_> {
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
