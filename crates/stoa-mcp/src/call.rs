//! One call of a tool, from the moment it is under audit: listing, guard, limit, operation, result, and the
//! audit's end.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::value::RawValue;
use serde_json::{Map, Value};
use stoa_store::audit::{Act, Status};

use crate::answer::Done;
use crate::conduct::{self, NOT_GRANTED, Noted};
use crate::context::Context;
use crate::era::Era;
use crate::listing::Entry;
use crate::params::Params;
use crate::recorded::recorded;
use crate::rounds::{self, Origin, Round};
use crate::rpc::{INVALID_PARAMS, Reply, RpcError, failure, success, success_of};
use crate::style::CallResult;
use crate::task::wire::CreatedTask;
use crate::{Call, Inputs, LogSink, Method, ProgressSink, ToolError, WaitEnd, guard, incident};

/// The method, as states of further rounds are bound to it.
const METHOD: &str = Method::ToolsCall.as_str();
/// The code of a call to what no service has.
const NO_SUCH_TOOL: &str = "ToolNotFound";
/// What such a call is answered.
const UNREADABLE_ARGUMENTS: &str =
    "`arguments` must be an object whose names come once each and whose values can be read.";

/// What a client asked to be called.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    /// `None` where it is no text.
    pub name: Option<Cow<'a, str>>,
    /// `None` where it is no object that can be read.
    pub arguments: Option<Map<String, Value>>,
}

/// A call to a tool that exists for its caller, under audit.
#[derive(Debug)]
pub(crate) struct Admitted {
    entry: Arc<Entry>,
    act: Act,
    arguments: Map<String, Value>,
    inputs: Inputs,
}

/// Where a call tells how it goes, and when its waits end.
#[derive(Debug)]
pub(crate) struct Outlets {
    pub progress: ProgressSink,
    pub log: LogSink,
    pub wait_end: WaitEnd,
}

/// Puts the call under audit and looks the tool up. A tool outside the grant and a tool that nobody has are
/// told apart in the audit only; either denial is durable before it is answered.
pub(crate) async fn admit(
    context: &Context,
    asked: Asked<'_>,
    params: &Params<'_>,
) -> Result<Admitted, RpcError> {
    let entry = asked.name.as_ref().and_then(|name| context.listing.tool(name));
    let act = conduct::open(context, noted(&asked, entry.map(AsRef::as_ref)));
    let Some(name) = asked.name else {
        return Err(conduct::unreadable(context, &act, "`name` must be a string.").await);
    };
    let Some(entry) = entry else {
        return Err(deny(context, &act, NO_SUCH_TOOL, &name).await);
    };
    if !entry.is_visible(&context.caller) {
        return Err(deny(context, &act, NOT_GRANTED, &name).await);
    }
    let Some(arguments) = asked.arguments else {
        return Err(conduct::unreadable(context, &act, UNREADABLE_ARGUMENTS).await);
    };
    let inputs = rounds::inputs(context, &act, &origin(context, &name, &arguments), params).await?;
    Ok(Admitted { entry: entry.clone(), act, arguments, inputs })
}

async fn deny(context: &Context, act: &Act, code: &str, name: &str) -> RpcError {
    let name = stoa_base::text::one_line(name, 80);
    let error = RpcError::answered(INVALID_PARAMS, format!("Tool not found: {name}"));
    conduct::refuse(context, act, (Status::Denied, code), error).await
}

fn noted<'a>(asked: &'a Asked<'_>, entry: Option<&'a Entry>) -> Noted<'a> {
    let spec = entry.map(Entry::spec);
    let specified = spec.map_or(&[][..], |spec| &spec.arguments);
    Noted {
        tool: Cow::Borrowed(asked.name.as_deref().unwrap_or(METHOD)),
        scope: spec.map(|spec| spec.scope),
        arguments: asked.arguments.as_ref().map(|given| recorded(specified, given)).unwrap_or_default(),
    }
}

/// Does the call and answers it. The future owns all it needs: it lives in the HTTP response.
pub(crate) async fn perform(
    context: Context,
    id: Box<RawValue>,
    admitted: Admitted,
    outlets: Outlets,
) -> Reply {
    let Admitted { entry, act, arguments, inputs } = admitted;
    // What questions would be bound to, where there can be any.
    let given = if context.capabilities.can_be_asked() { arguments.clone() } else { Map::new() };
    let Outlets { progress, log, wait_end } = outlets;
    let call = Call {
        caller: context.caller.clone(),
        act: act.clone(),
        arguments,
        inputs,
        client: context.capabilities,
        progress,
        log,
        wait_end,
    };
    let work = operate(&context, &entry, &given, call);
    let outcome = conduct::conduct(&context, &entry.service, &act, &entry.meter, work).await;
    reply(&context, &entry, &id, outcome)
}

async fn operate(
    context: &Context,
    entry: &Entry,
    given: &Map<String, Value>,
    mut call: Call,
) -> Result<Round<Done>, ToolError> {
    let unchecked = std::mem::take(&mut call.arguments);
    call.arguments = guard::check(&entry.spec().arguments, unchecked)
        .map_err(|problems| ToolError::BadArgument { problems })?;
    conduct::count(context, &entry.service)?;
    let answer = entry.tool.call(call).await?;
    rounds::end(context, &origin(context, entry.spec().name, given), answer.into_given())
}

fn origin<'a>(context: &Context, name: &'a str, arguments: &'a Map<String, Value>) -> Origin<'a> {
    Origin { installation: context.caller.installation, method: METHOD, name, arguments }
}

fn reply(context: &Context, entry: &Entry, id: &RawValue, outcome: Result<Round<Done>, ToolError>) -> Reply {
    let (era, server) = (context.era, &context.listing.server);
    match outcome {
        Ok(Round::Asks(asked)) => success_of("input_required", era, server, id, &asked),
        Ok(Round::Ready(Done::Task(task))) => {
            let created = CreatedTask::new(entry.service.name, &task);
            success_of("task", era, server, id, &created)
        }
        Ok(Round::Ready(Done::Output(output))) => {
            success(era, server, id, &CallResult::of(entry.service.policy, output))
        }
        Err(ToolError::Internal(error)) => {
            let incident = incident::noted(context.endpoint.ambient(), &*error);
            failure(Some(id), &RpcError::internal(&incident))
        }
        Err(ToolError::ClientLacks(lacks)) if era == Era::Modern => {
            failure(Some(id), &conduct::missing_capability(&lacks))
        }
        Err(error) => success(era, server, id, &CallResult::failed(entry.service.policy, error)),
    }
}
