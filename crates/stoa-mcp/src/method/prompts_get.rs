//! `prompts/get`.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use stoa_base::text::one_line;
use stoa_store::audit::{Act, Status};

use crate::conduct::{self, NOT_GRANTED, Noted};
use crate::context::Context;
use crate::envelope::text;
use crate::listing::PromptEntry;
use crate::meter::Meter;
use crate::params::Params;
use crate::recorded::recorded;
use crate::rounds::{self, Origin, Round};
use crate::rpc::{INVALID_PARAMS, Reply, RpcError, success, success_of};
use crate::{Inputs, Messages, Method, ToolError, guard, unique};

const METHOD: &str = Method::PromptsGet.as_str();
/// The code of a prompt that no service has.
const NO_SUCH_PROMPT: &str = "PromptNotFound";
/// What arguments that are none are answered.
const UNREADABLE_ARGUMENTS: &str = "`arguments` must be an object of texts whose names come once each.";

pub(super) async fn answer(context: &Context, id: &RawValue, params: &Params<'_>) -> Result<Reply, RpcError> {
    let Admitted { entry, act, arguments } = admit(context, params).await?;
    let (installation, name) = (context.caller.installation, entry.spec().name);
    let origin = Origin { installation, method: METHOD, name, arguments: &arguments };
    let inputs = rounds::inputs(context, &act, &origin, params).await?;
    let got = get(context, entry, &act, &origin, inputs).await;
    let (era, server) = (context.era, &context.listing.server);
    Ok(match got.map_err(|error| conduct::rpc_error(context, error))? {
        Round::Ready(messages) => success(era, server, id, &messages),
        Round::Asks(asked) => success_of("input_required", era, server, id, &asked),
    })
}

/// A request for a prompt that exists for its caller, under audit.
struct Admitted<'a> {
    entry: &'a Arc<PromptEntry>,
    act: Act,
    arguments: Map<String, Value>,
}

/// Puts the request under audit and finds the prompt. One outside the grant and one that nobody has are told apart
/// in the audit only.
async fn admit<'a>(context: &'a Context, params: &Params<'_>) -> Result<Admitted<'a>, RpcError> {
    let name = params.name.and_then(text);
    let entry = name.as_ref().and_then(|name| context.listing.prompt(name));
    let arguments = params.arguments.map_or(Some(Map::new()), |raw| unique::object(raw.get()).ok());
    let shown = name.map(|name| one_line(&name, 80));
    let act = conduct::open(context, noted(shown.as_deref(), entry, arguments.as_ref()));
    let Some(shown) = shown else {
        return Err(conduct::unreadable(context, &act, "`name` must be a string.").await);
    };
    let Some(entry) = entry else { return Err(deny(context, &act, NO_SUCH_PROMPT, &shown).await) };
    if !entry.is_visible(&context.caller) {
        return Err(deny(context, &act, NOT_GRANTED, &shown).await);
    }
    match arguments {
        Some(arguments) => Ok(Admitted { entry, act, arguments }),
        None => Err(conduct::unreadable(context, &act, UNREADABLE_ARGUMENTS).await),
    }
}

async fn deny(context: &Context, act: &Act, code: &str, name: &str) -> RpcError {
    let error = RpcError::answered(INVALID_PARAMS, format!("Prompt not found: {name}"));
    conduct::refuse(context, act, (Status::Denied, code), error).await
}

fn noted(
    name: Option<&str>,
    entry: Option<&Arc<PromptEntry>>,
    arguments: Option<&Map<String, Value>>,
) -> Noted<'static> {
    let specified = entry.map_or(&[][..], |entry| &entry.spec().arguments);
    let arguments = arguments.map(|given| recorded(specified, given));
    Noted {
        tool: Cow::Borrowed(METHOD),
        scope: entry.map(|entry| entry.spec().scope),
        arguments: json!({ "name": name, "arguments": arguments }),
    }
}

async fn get(
    context: &Context,
    entry: &PromptEntry,
    act: &Act,
    origin: &Origin<'_>,
    inputs: Inputs,
) -> Result<Round<Messages>, ToolError> {
    let work = async {
        let arguments = guard::check(&entry.spec().arguments, origin.arguments.clone())
            .map_err(|problems| ToolError::BadArgument { problems })?;
        conduct::count(context, &entry.service)?;
        let call = conduct::quiet_call(context, act, arguments, inputs);
        let given = entry.prompt.get(call).await?;
        rounds::end(context, origin, given)
    };
    conduct::conduct(context, &entry.service, act, &Meter::new(entry.service.name, METHOD), work).await
}
