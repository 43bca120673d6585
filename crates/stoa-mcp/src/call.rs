//! One call of a tool, from the moment it is under audit: listing, guard, limit, operation, result, and the
//! audit's end.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::value::RawValue;
use serde_json::{Map, Value};
use stoa_store::audit::{Act, Channel, Opening, Status};

use crate::context::Context;
use crate::limit::OverLimit;
use crate::listing::Entry;
use crate::recorded::recorded;
use crate::rpc::{INVALID_PARAMS, Reply, RpcError, failure, success};
use crate::style::CallResult;
use crate::{Answer, Call, ProgressSink, ToolError, WaitEnd, guard, incident};

/// The code of a denial for want of a grant; the client is told that there is no such tool.
const NOT_GRANTED: &str = "Grant::Denied";
/// The code of a call to what no service has.
const NO_SUCH_TOOL: &str = "ToolNotFound";
/// The code of a call whose arguments are no object.
const NO_ARGUMENTS: &str = "InvalidParams";
/// What such a call is answered.
const UNREADABLE_ARGUMENTS: &str =
    "`arguments` must be an object whose names come once each and whose values can be read.";

/// What a client asked to be called.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    pub name: Cow<'a, str>,
    /// `None` where it is no object that can be read.
    pub arguments: Option<Map<String, Value>>,
}

/// A call to a tool that exists for its caller, under audit.
#[derive(Debug)]
pub(crate) struct Admitted {
    entry: Arc<Entry>,
    act: Act,
    arguments: Map<String, Value>,
}

/// Puts the call under audit and looks the tool up. A tool outside the grant and a tool that nobody has are
/// told apart in the audit only; either denial is durable before it is answered.
pub(crate) async fn admit(context: &Context, asked: Asked<'_>) -> Result<Admitted, RpcError> {
    let entry = context.listing.find(&asked.name);
    let act = context.endpoint.audit().open(opening(context, &asked, entry.map(AsRef::as_ref)));
    let Some(entry) = entry else {
        return Err(deny(context, &act, NO_SUCH_TOOL, &asked.name).await);
    };
    if !entry.is_visible(&context.caller) {
        return Err(deny(context, &act, NOT_GRANTED, &asked.name).await);
    }
    let Some(arguments) = asked.arguments else {
        let error = RpcError::bad_request(INVALID_PARAMS, UNREADABLE_ARGUMENTS);
        return Err(refuse(context, &act, (Status::Error, NO_ARGUMENTS), error).await);
    };
    Ok(Admitted { entry: entry.clone(), act, arguments })
}

async fn deny(context: &Context, act: &Act, code: &str, name: &str) -> RpcError {
    let name = stoa_base::text::one_line(name, 80);
    let error = RpcError::answered(INVALID_PARAMS, format!("Tool not found: {name}"));
    refuse(context, act, (Status::Denied, code), error).await
}

/// Ends the act, and gives the error where that could be written.
async fn refuse(context: &Context, act: &Act, (status, code): (Status, &str), error: RpcError) -> RpcError {
    match act.close(status, Some(code)).await {
        Ok(()) => error,
        Err(unwritten) => RpcError::internal(&incident::noted(context.endpoint.ambient(), &unwritten)),
    }
}

fn opening(context: &Context, asked: &Asked<'_>, entry: Option<&Entry>) -> Opening {
    let caller = &context.caller;
    let spec = entry.map(Entry::spec);
    let specified = spec.map_or(&[][..], |spec| &spec.arguments);
    Opening {
        workspace: caller.workspace,
        channel: Channel::Mcp,
        tool: asked.name.clone().into_owned(),
        scope: spec.map(|spec| spec.scope.to_owned()),
        arguments: asked.arguments.as_ref().map(|given| recorded(specified, given)).unwrap_or_default(),
        account: Some(caller.account),
        installation: Some(caller.installation),
        credential: caller.credential,
        client: context.client.clone(),
        address: context.address,
        trace_id: context.trace_id.clone(),
    }
}

/// Does the call and answers it. The future owns all it needs: it lives in the HTTP response.
pub(crate) async fn perform(
    context: Context,
    id: Box<RawValue>,
    admitted: Admitted,
    progress: ProgressSink,
    wait_end: WaitEnd,
) -> Reply {
    let Admitted { entry, act, arguments } = admitted;
    let ambient = context.endpoint.ambient();
    let began = ambient.now();
    let call = Call { caller: context.caller.clone(), act: act.clone(), arguments, progress, wait_end };
    let outcome = operate(&context, &entry, call).await;
    let (status, code) = ending(&entry, &outcome);
    let outcome = act.close(status, code).await.map_err(ToolError::from).and(outcome);
    entry.meter.record(status, ambient.now().since(began));
    reply(&context, &entry, &id, outcome)
}

async fn operate(context: &Context, entry: &Entry, mut call: Call) -> Result<Answer, ToolError> {
    let given = std::mem::take(&mut call.arguments);
    call.arguments = guard::check(&entry.spec().arguments, given)
        .map_err(|problems| ToolError::BadArgument { problems })?;
    let key = (call.caller.installation, entry.service.name);
    let limit = entry.service.policy.limit.per_minute();
    context.endpoint.counts().take(key, limit).map_err(over_limit)?;
    let tool = &entry.tool;
    let outcome = incident::caught(async move { tool.call(call).await }).await;
    outcome.unwrap_or_else(|panicked| Err(ToolError::internal(panicked)))
}

fn over_limit(over: OverLimit) -> ToolError {
    let message = format!(
        "{} calls were made in this minute, of {} allowed. Go on at {}.",
        over.used, over.limit, over.resets_at
    );
    ToolError::denied("OverBudget", message)
        .with("limit", over.limit)
        .with("used", over.used)
        .with("resets_at", over.resets_at.to_string())
        .with("retry_after_ms", over.retry_after_ms)
}

/// How the audit calls the outcome.
fn ending(entry: &Entry, outcome: &Result<Answer, ToolError>) -> (Status, Option<&'static str>) {
    match outcome {
        Ok(_) => (Status::Ok, None),
        Err(ToolError::Refused { audit, code, .. }) => (*audit, Some(code)),
        Err(ToolError::BadArgument { .. }) => (Status::Error, Some(entry.service.policy.bad_argument.code())),
        Err(ToolError::Internal(_)) => (Status::Error, Some("internal")),
    }
}

fn reply(context: &Context, entry: &Entry, id: &RawValue, outcome: Result<Answer, ToolError>) -> Reply {
    let policy = &entry.service.policy;
    let result = match outcome {
        Ok(answer) => CallResult::answered(policy.result, answer),
        Err(ToolError::Refused { code, message, extras, .. }) => CallResult::refused(code, &message, &extras),
        Err(ToolError::BadArgument { problems }) => {
            CallResult::refused(policy.bad_argument.code(), &sentence(&problems), &Map::new())
        }
        Err(ToolError::Internal(error)) => {
            let incident = incident::noted(context.endpoint.ambient(), &*error);
            return failure(Some(id), &RpcError::internal(&incident));
        }
    };
    success(context.era, &context.listing.server, id, &result)
}

fn sentence(problems: &[String]) -> String {
    format!("{}.", problems.join("; "))
}
