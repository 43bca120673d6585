//! The rounds of one request: what came with it from the round before, and the questions that go out.

use serde::Serialize;
use serde_json::{Map, Value};
use stoa_store::audit::{Act, Status};

use crate::conduct;
use crate::context::Context;
use crate::envelope::text;
use crate::params::Params;
use crate::request_state::{self, Foreign};
use crate::rpc::{INVALID_PARAMS, RpcError};
use crate::{Given, Inputs, ToolError};

pub(crate) use crate::request_state::Origin;

/// The code of a request with a state that is not its own.
const FOREIGN_STATE: &str = "RequestState::Foreign";
/// What it is answered.
const FOREIGN: &str =
    "`requestState` was not given out for this very request, or its time is over. Ask again without it.";

/// What came from the round before. A state that was changed, or was given out to somebody else or for another
/// request, ends the act.
pub(crate) async fn inputs(
    context: &Context,
    act: &Act,
    origin: &Origin<'_>,
    params: &Params<'_>,
) -> Result<Inputs, RpcError> {
    let Some(raw) = params.request_state else { return Ok(Inputs::read(params.input_responses, None)) };
    let endpoint = &context.endpoint;
    let opened = text(raw).ok_or(Foreign).and_then(|sealed| {
        request_state::open(endpoint.request_states(), endpoint.ambient(), origin, &sealed)
    });
    if let Ok(state) = opened {
        return Ok(Inputs::read(params.input_responses, Some(state)));
    }
    let error = RpcError::answered(INVALID_PARAMS, FOREIGN);
    Err(conduct::refuse(context, act, (Status::Denied, FOREIGN_STATE), error).await)
}

/// How a round ends.
#[derive(Debug)]
pub(crate) enum Round<T> {
    /// With what was asked for.
    Ready(T),
    /// With questions.
    Asks(AskedBack),
}

/// The result that asks back.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AskedBack {
    input_requests: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_state: Option<String>,
}

/// Ends a round. Questions go out where this client can be asked them, with what they remember sealed for this request.
pub(crate) fn end<T>(context: &Context, origin: &Origin<'_>, given: Given<T>) -> Result<Round<T>, ToolError> {
    let questions = match given {
        Given::Ready(ready) => return Ok(Round::Ready(ready)),
        Given::Asks(questions) => questions,
    };
    conduct::can_ask(context, &questions)?;
    let endpoint = &context.endpoint;
    let seal = |state| request_state::seal(endpoint.request_states(), endpoint.ambient(), origin, state);
    let request_state = questions.state().map(seal).transpose().map_err(ToolError::internal)?;
    Ok(Round::Asks(AskedBack { input_requests: questions.asked().clone(), request_state }))
}
