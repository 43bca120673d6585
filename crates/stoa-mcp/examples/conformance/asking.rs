//! Tools that need something from the client before they can answer.

use std::sync::Arc;

use futures::FutureExt;
use serde_json::{Map, Value, json};
use stoa_mcp::{Answer, Call, Capability, Content, FormAnswer, Questions, Tool, ToolError};

use crate::tool::{tool, tool_of};

type Outcome = Result<Answer, ToolError>;

pub fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        tool("test_missing_capability", "Needs a client with a model.", |call| ready(capital(&call))),
        tool("test_streaming_elicitation", "Asks for a name.", |call| ready(name(&call))),
        tool("test_input_required_result_elicitation", "Asks for a name.", |call| ready(name(&call))),
        tool("test_input_required_result_sampling", "Asks a model.", |call| ready(capital(&call))),
        tool("test_input_required_result_list_roots", "Asks for roots.", |call| ready(roots(&call))),
        tool("test_input_required_result_request_state", "Remembers that it asked.", |call| {
            ready(state(&call))
        }),
        tool("test_input_required_result_tampered_state", "Remembers that it asked.", |call| {
            ready(state(&call))
        }),
        tool("test_input_required_result_multiple_inputs", "Asks three things.", |call| {
            ready(several(&call))
        }),
        tool("test_input_required_result_multi_round", "Asks one thing, then another.", |call| {
            ready(steps(&call))
        }),
        tool("test_input_required_result_capabilities", "Asks what the client can do.", |call| {
            ready(able(&call))
        }),
        tool_of("test_sampling", "Asks a model.", "prompt", |call| ready(capital(&call))),
        tool_of("test_elicitation", "Asks for a name.", "message", |call| ready(name(&call))),
        tool("test_elicitation_sep1034_defaults", "Asks for a name.", |call| ready(name(&call))),
        tool("test_elicitation_sep1330_enums", "Asks for a name.", |call| ready(name(&call))),
    ]
}

fn ready(outcome: Outcome) -> futures::future::BoxFuture<'static, Outcome> {
    async { outcome }.boxed()
}

#[expect(clippy::unnecessary_wraps, reason = "what a tool gives")]
fn say(text: String) -> Outcome {
    Ok(Answer::content(vec![Content::text(text)]))
}

#[expect(clippy::unnecessary_wraps, reason = "what a tool gives")]
fn ask(questions: Questions) -> Outcome {
    Ok(Answer::questions(questions))
}

/// The schema of a form with one field.
pub fn field(name: &str, kind: &str) -> Value {
    json!({ "type": "object", "properties": { name: { "type": kind } }, "required": [name] })
}

/// What was filled in at a field of the form of this key.
fn filled(call: &Call, key: &str, field: &str) -> Option<String> {
    let Some(FormAnswer::Accepted(form)) = call.inputs.form(key) else { return None };
    form.get(field).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

fn question_of_model(text: &str, max_tokens: u32) -> Value {
    let message = json!({ "role": "user", "content": { "type": "text", "text": text } });
    json!({ "messages": [message], "maxTokens": max_tokens })
}

fn name(call: &Call) -> Outcome {
    match filled(call, "user_name", "name") {
        Some(name) => say(format!("Hello, {name}!")),
        None => ask(Questions::new().form("user_name", "What is your name?", &field("name", "string"))),
    }
}

fn capital(call: &Call) -> Outcome {
    let said =
        call.inputs.response("capital_question").and_then(|said| said.get("content")?.get("text")?.as_str());
    if let Some(said) = said {
        return say(format!("The model says: {said}"));
    }
    let question = question_of_model("What is the capital of France?", 100);
    ask(Questions::new().model("capital_question", &question))
}

fn roots(call: &Call) -> Outcome {
    let told = call.inputs.response("client_roots").and_then(|told| told.get("roots")?.as_array());
    match told {
        Some(roots) => say(format!("The client has {} roots: {}", roots.len(), json!(roots))),
        None => ask(Questions::new().roots("client_roots")),
    }
}

fn state(call: &Call) -> Outcome {
    match (filled(call, "confirm", "ok"), call.inputs.state()) {
        (Some(_), Some(state)) if *state == json!("asked") => say("state-ok".to_owned()),
        _ => {
            let asked = Questions::new().form("confirm", "Please confirm", &field("ok", "boolean"));
            ask(asked.remember(json!("asked")))
        }
    }
}

fn several(call: &Call) -> Outcome {
    let name = filled(call, "user_name", "name");
    let greeting = call.inputs.response("greeting");
    let roots = call.inputs.response("client_roots");
    if let (Some(name), Some(_), Some(_)) = (&name, greeting, roots) {
        return say(format!("Hello, {name}; everything is answered."));
    }
    let asked = Questions::new()
        .form("user_name", "What is your name?", &field("name", "string"))
        .model("greeting", &question_of_model("Generate a greeting", 50))
        .roots("client_roots");
    ask(asked.remember(json!("asked")))
}

fn steps(call: &Call) -> Outcome {
    let state = call.inputs.state().and_then(Value::as_object);
    let first = state.and_then(|state| state.get("name")?.as_str());
    if let (Some(name), Some(color)) = (first, filled(call, "step2", "color")) {
        return say(format!("{name} likes {color}."));
    }
    if state.is_some()
        && let Some(name) = filled(call, "step1", "name")
    {
        let asked =
            Questions::new().form("step2", "Step 2: What is your favorite color?", &field("color", "string"));
        return ask(asked.remember(json!({ "name": name })));
    }
    let asked = Questions::new().form("step1", "Step 1: What is your name?", &field("name", "string"));
    ask(asked.remember(Map::new().into()))
}

/// Asks only what the client can ask.
fn able(call: &Call) -> Outcome {
    if call.client.has(Capability::Form) {
        return name(call);
    }
    capital(call)
}
