//! Asking back: what a tool, a prompt or a resource needs to know before it can answer, and what the client sent
//! for it (MCP 2026-07-28, Basic, Patterns, Multi Round-Trip Requests).
//!
//! Nothing is kept between the rounds. The client asks the same again, with its person's answers and with the
//! state that it was given, which [`crate::request_state`] seals.

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::capability::Capability;

/// What must be known before there is an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Questions {
    asked: Map<String, Value>,
    needed: Vec<Capability>,
    state: Option<Value>,
}

impl Questions {
    /// No question yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the client's person to fill in a form. `schema` is a flat JSON Schema of an object; never for secrets.
    #[must_use]
    pub fn form(self, key: &str, message: &str, schema: &Value) -> Self {
        let params = json!({ "mode": "form", "message": message, "requestedSchema": schema });
        self.with(key, Capability::Form, "elicitation/create", &params)
    }

    /// Asks the client's model; `params` are those of `sampling/createMessage`.
    #[must_use]
    pub fn model(self, key: &str, params: &Value) -> Self {
        self.with(key, Capability::Sampling, "sampling/createMessage", params)
    }

    /// Asks for the client's roots.
    #[must_use]
    pub fn roots(self, key: &str) -> Self {
        self.with(key, Capability::Roots, "roots/list", &json!({}))
    }

    /// Remembers something until the answers come: plain data, up to some 3,000 bytes of JSON. The client can
    /// neither read nor change it.
    #[must_use]
    pub fn remember(mut self, state: Value) -> Self {
        self.state = Some(state);
        self
    }

    fn with(mut self, key: &str, needs: Capability, method: &str, params: &Value) -> Self {
        self.asked.insert(key.to_owned(), json!({ "method": method, "params": params }));
        if !self.needed.contains(&needs) {
            self.needed.push(needs);
        }
        self
    }

    /// The questions by their keys, as the wire has them.
    pub(crate) const fn asked(&self) -> &Map<String, Value> {
        &self.asked
    }

    /// What the client must be able to do.
    pub(crate) fn needed(&self) -> &[Capability] {
        &self.needed
    }

    pub(crate) const fn state(&self) -> Option<&Value> {
        self.state.as_ref()
    }
}

/// Something, or questions first.
#[derive(Clone, Debug, PartialEq)]
pub enum Given<T> {
    /// It.
    Ready(T),
    /// What must be known before.
    Asks(Questions),
}

/// What the client sent for the questions of the round before; nothing in the first round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    responses: Map<String, Value>,
    state: Option<Value>,
}

/// What became of a form.
#[derive(Clone, Debug, PartialEq)]
pub enum FormAnswer {
    /// It was filled in. What is in it is the person's: to be checked as any argument is.
    Accepted(Map<String, Value>),
    /// The person said no, or closed it.
    Refused,
}

impl Inputs {
    /// The responses, where they are an object; those that are no objects themselves are as if they were not
    /// there.
    pub(crate) fn read(responses: Option<&RawValue>, state: Option<Value>) -> Self {
        let read = responses.and_then(|raw| serde_json::from_str::<Map<String, Value>>(raw.get()).ok());
        let mut responses = read.unwrap_or_default();
        responses.retain(|_, response| response.is_object());
        Self { responses, state }
    }

    /// What the round before remembered: sealed then, and opened for this caller and this very request.
    #[must_use]
    pub const fn state(&self) -> Option<&Value> {
        self.state.as_ref()
    }

    /// The response for this key, in the form of its kind. Checked for nothing but being an object.
    #[must_use]
    pub fn response(&self, key: &str) -> Option<&Map<String, Value>> {
        self.responses.get(key).and_then(Value::as_object)
    }

    /// What became of the form of this key; `None` where it has to be asked (again).
    #[must_use]
    pub fn form(&self, key: &str) -> Option<FormAnswer> {
        let response = self.response(key)?;
        match response.get("action")?.as_str()? {
            "accept" => response.get("content")?.as_object().cloned().map(FormAnswer::Accepted),
            "decline" | "cancel" => Some(FormAnswer::Refused),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::to_raw_value;

    use super::*;

    fn inputs(responses: &Value) -> Inputs {
        Inputs::read(Some(&to_raw_value(responses).unwrap()), None)
    }

    #[test]
    fn a_form_is_accepted_refused_or_to_be_asked_again() {
        let of = |response: Value| inputs(&json!({ "name": response })).form("name");
        let filled = Map::from_iter([("name".to_owned(), json!("Ann"))]);
        assert_eq!(of(json!({ "action": "accept", "content": filled })), Some(FormAnswer::Accepted(filled)));
        assert_eq!(of(json!({ "action": "decline" })), Some(FormAnswer::Refused));
        assert_eq!(of(json!({ "action": "cancel" })), Some(FormAnswer::Refused));
        for odd in [json!(12345), json!({}), json!({ "action": "accept" }), json!({ "action": "maybe" })] {
            assert_eq!(of(odd), None);
        }
        assert_eq!(inputs(&json!([1])), Inputs::default());
    }

    #[test]
    fn questions_name_what_the_client_must_be_able_to_do() {
        let asked = Questions::new().form("a", "A?", &json!({})).form("b", "B?", &json!({})).roots("c");
        assert_eq!(asked.needed(), [Capability::Form, Capability::Roots]);
        assert_eq!(asked.asked()["c"], json!({ "method": "roots/list", "params": {} }));
    }
}
