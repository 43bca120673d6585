//! A request that reaches a service: under audit from its beginning to its end, within the service's limit, and
//! with a panic caught. Tools, prompts, resources, completion, tasks and subscriptions all pass here.

use std::borrow::Cow;

use serde_json::{Map, Value};
use stoa_store::audit::{Act, Channel, Opening, Status};

use crate::capability::declaration;
use crate::context::Context;
use crate::era::Era;
use crate::limit::OverLimit;
use crate::meter::Meter;
use crate::rpc::{INVALID_PARAMS, MISSING_CAPABILITY, REFUSED, RpcError};
use crate::{
    BadArgument, Call, Capability, Inputs, LogSink, ProgressSink, Questions, Service, ToolError, WaitEnd,
    incident,
};

/// The code of a denial for want of a grant; the client is told that there is no such thing.
pub(crate) const NOT_GRANTED: &str = "Grant::Denied";

/// What the audit is told of a request at its beginning.
#[derive(Debug)]
pub(crate) struct Noted<'a> {
    /// The tool, or the method where there is none.
    pub tool: Cow<'a, str>,
    /// The scope that it takes.
    pub scope: Option<&'a str>,
    /// The arguments, each as it is marked.
    pub arguments: Value,
}

/// Puts a request under audit.
pub(crate) fn open(context: &Context, noted: Noted<'_>) -> Act {
    let caller = &context.caller;
    context.endpoint.audit().open(Opening {
        workspace: caller.workspace,
        channel: Channel::Mcp,
        tool: noted.tool.into_owned(),
        scope: noted.scope.map(str::to_owned),
        arguments: noted.arguments,
        account: Some(caller.account),
        installation: Some(caller.installation),
        credential: caller.credential,
        client: context.client.clone(),
        address: context.address,
        trace_id: context.trace_id.clone(),
    })
}

/// Ends an act before its work, and gives the error where that could be written. A denial is durable before it is
/// answered.
pub(crate) async fn refuse(
    context: &Context,
    act: &Act,
    (status, code): (Status, &str),
    error: RpcError,
) -> RpcError {
    match act.close(status, Some(code)).await {
        Ok(()) => error,
        Err(unwritten) => RpcError::internal(&incident::noted(context.endpoint.ambient(), &unwritten)),
    }
}

/// The code of a request whose parameters can't be read.
pub(crate) const UNREADABLE: &str = "InvalidParams";

/// Ends the act of a request whose parameters can't be read.
pub(crate) async fn unreadable(
    context: &Context,
    act: &Act,
    message: impl Into<Cow<'static, str>>,
) -> RpcError {
    let error = RpcError::bad_request(INVALID_PARAMS, message);
    refuse(context, act, (Status::Error, UNREADABLE), error).await
}

/// Does the work of an act and ends the act as the work ended.
pub(crate) async fn conduct<T>(
    context: &Context,
    service: &Service,
    act: &Act,
    meter: &Meter,
    work: impl Future<Output = Result<T, ToolError>>,
) -> Result<T, ToolError> {
    let ambient = context.endpoint.ambient();
    let began = ambient.now();
    let (status, outcome) = ended(act, service.policy.bad_argument, work).await;
    meter.record(status, ambient.now().since(began));
    outcome
}

/// The same for work that is no single service's.
pub(crate) async fn ended<T>(
    act: &Act,
    bad_argument: BadArgument,
    work: impl Future<Output = Result<T, ToolError>>,
) -> (Status, Result<T, ToolError>) {
    let outcome = incident::caught(work).await;
    let outcome = outcome.unwrap_or_else(|panicked| Err(ToolError::internal(panicked)));
    let (status, code) = ending(bad_argument, outcome.as_ref().err());
    let closed = act.close(status, code).await;
    (status, closed.map_err(ToolError::from).and(outcome))
}

/// How the audit calls the outcome.
fn ending(bad_argument: BadArgument, error: Option<&ToolError>) -> (Status, Option<&'static str>) {
    match error {
        None => (Status::Ok, None),
        Some(ToolError::Refused { audit, code, .. }) => (*audit, Some(code)),
        Some(ToolError::BadArgument { .. }) => (Status::Error, Some(bad_argument.code())),
        Some(ToolError::ClientLacks(_)) => (Status::Error, Some(CLIENT_LACKS)),
        Some(ToolError::Internal(_)) => (Status::Error, Some("internal")),
    }
}

/// The code of what takes another client.
pub(crate) const CLIENT_LACKS: &str = "MissingClientCapability";

/// The call of a prompt or a resource: nothing is told while it works, and it has no wait to end.
pub(crate) fn quiet_call(
    context: &Context,
    act: &Act,
    arguments: Map<String, Value>,
    inputs: Inputs,
) -> Call {
    Call {
        caller: context.caller.clone(),
        act: act.clone(),
        arguments,
        inputs,
        client: context.capabilities,
        progress: ProgressSink::silent(),
        log: LogSink::silent(),
        wait_end: WaitEnd::never(),
    }
}

/// Counts one request against the service's limit.
pub(crate) fn count(context: &Context, service: &Service) -> Result<(), ToolError> {
    let key = (context.caller.installation, service.name);
    let limit = service.policy.limit.per_minute();
    context.endpoint.counts().take(key, limit).map_err(over_limit)
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

/// Whether the client of this request can ask these questions.
pub(crate) fn can_ask(context: &Context, questions: &Questions) -> Result<(), ToolError> {
    let lacks = |needed: &&Capability| !context.capabilities.has(**needed);
    if questions.asked().is_empty() {
        return Err(ToolError::internal("questions without a question"));
    }
    let lacking: Vec<_> = questions.needed().iter().filter(lacks).copied().collect();
    if lacking.is_empty() { Ok(()) } else { Err(ToolError::ClientLacks(lacking)) }
}

/// What a client is told that lacks a capability. In the legacy era no client has any here.
pub(crate) fn lacking(era: Era) -> &'static str {
    match era {
        Era::Modern => "This needs a client that declares the capabilities in `requiredCapabilities`.",
        Era::Legacy => {
            "This has to ask something back, or to go on after its answer, which clients of MCP before 2026-07-28 \
             can't be offered here. Use a newer client."
        }
    }
}

/// An error as JSON-RPC says it, where no tool's result carries it.
pub(crate) fn rpc_error(context: &Context, error: ToolError) -> RpcError {
    match error {
        ToolError::Refused { code, message, extras, .. } => {
            let mut data = Map::from_iter([("error".to_owned(), code.into())]);
            data.extend(extras);
            RpcError { data: Some(data.into()), ..RpcError::answered(REFUSED, message) }
        }
        ToolError::BadArgument { problems } => {
            RpcError::answered(INVALID_PARAMS, format!("{}.", problems.join("; ")))
        }
        ToolError::ClientLacks(lacks) if context.era == Era::Modern => missing_capability(&lacks),
        ToolError::ClientLacks(_) => RpcError::answered(REFUSED, lacking(Era::Legacy)),
        ToolError::Internal(error) => {
            RpcError::internal(&incident::noted(context.endpoint.ambient(), &*error))
        }
    }
}

/// `-32021`, under HTTP 400 (MCP 2026-07-28, Basic).
pub(crate) fn missing_capability(lacks: &[Capability]) -> RpcError {
    let data = serde_json::json!({ "requiredCapabilities": declaration(lacks) });
    RpcError { data: Some(data), ..RpcError::bad_request(MISSING_CAPABILITY, lacking(Era::Modern)) }
}
