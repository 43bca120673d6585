//! `completion/complete`: help with typing an argument of a prompt, or what a resource template leaves open.

use std::borrow::Cow;
use std::sync::Arc;

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;
use stoa_store::audit::{Act, Status};

use crate::conduct::{self, NOT_GRANTED, Noted};
use crate::context::Context;
use crate::meter::Meter;
use crate::params::Params;
use crate::rpc::{INVALID_PARAMS, Reply, RpcError, success};
use crate::{Method, Resources, Service, ToolError};

const METHOD: &str = Method::CompletionComplete.as_str();
/// The code of what has no such argument, or does not help.
const NOTHING: &str = "CompletionNotFound";
/// How many values an answer has at most (MCP, Completion).
const MOST: usize = 100;

/// What is being filled in.
#[derive(Deserialize)]
#[serde(tag = "type")]
enum Reference {
    #[serde(rename = "ref/prompt")]
    Prompt { name: String },
    #[serde(rename = "ref/resource")]
    Resource { uri: String },
}

#[derive(Deserialize)]
struct Typed {
    name: String,
    value: String,
}

#[derive(Serialize)]
struct Completed {
    completion: Completion,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Completion {
    values: Vec<String>,
    has_more: bool,
}

/// Who can help.
struct Helper {
    service: Arc<Service>,
    scope: &'static str,
    work: Work,
}

type Work = Box<dyn FnOnce(Typed) -> BoxFuture<'static, Result<Vec<String>, ToolError>> + Send>;

pub(super) async fn answer(context: &Context, id: &RawValue, params: &Params<'_>) -> Result<Reply, RpcError> {
    let reference: Option<Reference> = read(params.r#ref);
    let typed: Option<Typed> = read(params.argument);
    let asked = reference.as_ref().zip(typed.as_ref());
    let helper = asked.and_then(|(reference, typed)| helper(context, reference, &typed.name));
    let act = open(context, typed.as_ref(), helper.as_ref());
    let (Some(_), Some(typed)) = (reference, typed) else {
        return Err(conduct::unreadable(context, &act, "`ref` or `argument` is missing or unreadable.").await);
    };
    let refused = match helper {
        Some(helper) if helper.service.policy.exposure.shows(&context.caller, helper.scope) => {
            return complete(context, id, &act, helper, typed).await;
        }
        Some(_) => NOT_GRANTED,
        None => NOTHING,
    };
    let error = RpcError::answered(INVALID_PARAMS, "There is nothing of this name to complete.");
    Err(conduct::refuse(context, &act, (Status::Denied, refused), error).await)
}

fn read<'a, T: Deserialize<'a>>(raw: Option<&'a RawValue>) -> Option<T> {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok())
}

/// Of what is typed the audit keeps the length: it need not become an argument.
fn open(context: &Context, typed: Option<&Typed>, helper: Option<&Helper>) -> Act {
    let argument = typed.map(|typed| stoa_base::text::one_line(&typed.name, 80));
    let length = typed.map(|typed| typed.value.chars().count());
    let noted = Noted {
        tool: Cow::Borrowed(METHOD),
        scope: helper.map(|helper| helper.scope),
        arguments: json!({ "argument": argument, "value": { "length": length } }),
    };
    conduct::open(context, noted)
}

fn helper(context: &Context, reference: &Reference, argument: &str) -> Option<Helper> {
    let caller = context.caller.clone();
    match reference {
        Reference::Prompt { name } => {
            let entry = context.listing.prompt(name)?;
            let spec = entry.spec();
            let known = spec.completes && spec.arguments.iter().any(|it| it.name == argument);
            let prompt = entry.prompt.clone();
            known.then(|| Helper {
                service: entry.service.clone(),
                scope: spec.scope,
                work: Box::new(move |typed| prompt.complete(caller, typed.name, typed.value)),
            })
        }
        Reference::Resource { uri } => {
            let (service, resources) = context.listing.resources_of(uri)?;
            let known = has_template(resources, uri) && uri.contains(&format!("{{{argument}}}"));
            let (scope, resources) = (resources.spec().scope, resources.clone());
            known.then(|| Helper {
                service: service.clone(),
                scope,
                work: Box::new(move |typed| resources.complete(caller, typed.name, typed.value)),
            })
        }
    }
}

fn has_template(resources: &Arc<dyn Resources>, uri: &str) -> bool {
    let spec = resources.spec();
    spec.completes && spec.templates.iter().any(|template| template.uri_template == uri)
}

async fn complete(
    context: &Context,
    id: &RawValue,
    act: &Act,
    helper: Helper,
    typed: Typed,
) -> Result<Reply, RpcError> {
    let Helper { service, work, .. } = helper;
    let work = async {
        conduct::count(context, &service)?;
        work(typed).await
    };
    let meter = Meter::new(service.name, METHOD);
    let values = conduct::conduct(context, &service, act, &meter, work).await;
    let mut values = values.map_err(|error| conduct::rpc_error(context, error))?;
    let has_more = values.len() > MOST;
    values.truncate(MOST);
    let result = Completed { completion: Completion { values, has_more } };
    Ok(success(context.era, &context.listing.server, id, &result))
}
