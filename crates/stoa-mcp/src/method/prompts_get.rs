//! `prompts/get`.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use stoa_store::audit::{Act, Status};

use crate::conduct::{self, NOT_GRANTED, Noted};
use crate::context::Context;
use crate::envelope::text;
use crate::listing::PromptEntry;
use crate::meter::Meter;
use crate::params::Params;
use crate::recorded::recorded;
use crate::rounds::{self, AskedBack};
use crate::rpc::{INVALID_PARAMS, Reply, RpcError, success, success_of};
use crate::{Given, Inputs, Messages, Method, ToolError, guard, unique};

const METHOD: &str = Method::PromptsGet.as_str();
/// The code of a prompt that no service has.
const NO_SUCH_PROMPT: &str = "PromptNotFound";

pub(super) async fn answer(context: &Context, id: &RawValue, params: &Params<'_>) -> Result<Reply, RpcError> {
    let name = params.name.and_then(text);
    let name = name.ok_or_else(|| RpcError::bad_request(INVALID_PARAMS, "`name` must be a string."))?;
    let arguments = arguments(params)?;
    let (entry, act) = admit(context, &name, &arguments).await?;
    let inputs = rounds::inputs(context, &act, METHOD, &name, &arguments, params).await?;
    let given = get(context, entry, &act, arguments.clone(), inputs).await;
    let (era, server) = (context.era, &context.listing.server);
    match given.map_err(|error| conduct::rpc_error(context, error))? {
        Given::Ready(messages) => Ok(success(era, server, id, &messages)),
        Given::Asks(questions) => {
            let asked = AskedBack::new(context, METHOD, &name, &arguments, &questions);
            Ok(success_of("input_required", era, server, id, &asked))
        }
    }
}

fn arguments(params: &Params<'_>) -> Result<Map<String, Value>, RpcError> {
    let Some(raw) = params.arguments else { return Ok(Map::new()) };
    let unreadable = "`arguments` must be an object of texts whose names come once each.";
    unique::object(raw.get()).map_err(|_| RpcError::bad_request(INVALID_PARAMS, unreadable))
}

/// Puts the request under audit and finds the prompt. One outside the grant and one that nobody has are told apart
/// in the audit only.
async fn admit<'a>(
    context: &'a Context,
    name: &str,
    arguments: &Map<String, Value>,
) -> Result<(&'a Arc<PromptEntry>, Act), RpcError> {
    let entry = context.listing.prompt(name);
    let specified = entry.map_or(&[][..], |entry| &entry.spec().arguments);
    let name = stoa_base::text::one_line(name, 80);
    let noted = Noted {
        tool: Cow::Borrowed(METHOD),
        scope: entry.map(|entry| entry.spec().scope),
        arguments: json!({ "name": name, "arguments": recorded(specified, arguments) }),
    };
    let act = conduct::open(context, noted);
    let code = match entry {
        Some(entry) if entry.is_visible(&context.caller) => return Ok((entry, act)),
        Some(_) => NOT_GRANTED,
        None => NO_SUCH_PROMPT,
    };
    let error = RpcError::answered(INVALID_PARAMS, format!("Prompt not found: {name}"));
    Err(conduct::refuse(context, &act, (Status::Denied, code), error).await)
}

async fn get(
    context: &Context,
    entry: &PromptEntry,
    act: &Act,
    given: Map<String, Value>,
    inputs: Inputs,
) -> Result<Given<Messages>, ToolError> {
    let work = async {
        let arguments = guard::check(&entry.spec().arguments, given)
            .map_err(|problems| ToolError::BadArgument { problems })?;
        conduct::count(context, &entry.service)?;
        let call = conduct::quiet_call(context, act, arguments, inputs);
        let given = entry.prompt.get(call).await?;
        if let Given::Asks(questions) = &given {
            conduct::can_ask(context, questions)?;
        }
        Ok(given)
    };
    conduct::conduct(context, &entry.service, act, &Meter::new(entry.service.name, METHOD), work).await
}
