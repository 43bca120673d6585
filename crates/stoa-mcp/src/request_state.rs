//! What is remembered from one round of a request to the next, carried by the client: sealed, so that it comes
//! back as it was given, from the one it was given to, for the same request, and in time (MCP 2026-07-28,
//! Patterns, Multi Round-Trip Requests: "servers MUST treat `requestState` as attacker-controlled").
//!
//! It is not spent by its use: what may happen only once is for the operation to see to.

use std::time::Duration;

use serde_json::{Map, Value};
use stoa_base::cursor::{CursorKey, MAX_CURSOR};
use stoa_base::{Ambient, InstallationId, Timestamp};

/// How long a person may take to answer.
const GOOD_FOR: Duration = Duration::from_mins(10);

/// The request that a state belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin<'a> {
    pub installation: InstallationId,
    /// `tools/call`, `prompts/get`, `resources/read`.
    pub method: &'a str,
    /// The tool, the prompt or the resource.
    pub name: &'a str,
    pub arguments: &'a Map<String, Value>,
}

impl Origin<'_> {
    /// Everything that a state is bound to. The parts can't run into each other: an installation and a method have
    /// no line breaks, and a name is written as JSON.
    fn context(&self) -> String {
        let arguments = canonical(&Value::Object(self.arguments.clone()));
        let name = Value::from(self.name);
        format!("{}\n{}\n{name}\n{arguments}", self.installation, self.method)
    }
}

/// The state was not made for this request, or its time is over. It is not said which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Foreign;

/// There is more to remember than would be taken back.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
#[error("a state of a request is larger than the {MAX_CURSOR} bytes, sealed, that are taken back")]
pub(crate) struct StateTooLarge;

/// The sealed state.
pub(crate) fn seal(
    key: &CursorKey,
    ambient: &Ambient,
    origin: &Origin<'_>,
    state: &Value,
) -> Result<String, StateTooLarge> {
    let until = ambient.now().plus(GOOD_FOR).as_micros();
    let sealed = key.seal(&origin.context(), &(until, state));
    if sealed.len() > MAX_CURSOR { Err(StateTooLarge) } else { Ok(sealed) }
}

/// What was sealed for this very request.
pub(crate) fn open(
    key: &CursorKey,
    ambient: &Ambient,
    origin: &Origin<'_>,
    sealed: &str,
) -> Result<Value, Foreign> {
    let (until, state): (i64, Value) = key.open(&origin.context(), sealed).map_err(|_| Foreign)?;
    if Timestamp::from_micros(until) <= ambient.now() { Err(Foreign) } else { Ok(state) }
}

/// The same text for the same arguments, in whatever order their names come.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            let members = members
                .into_iter()
                .map(|(name, value)| format!("{}:{}", Value::from(name.as_str()), canonical(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        scalar => scalar.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn arguments(value: &Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn a_state_opens_for_its_own_request_only_and_in_time() {
        let (ambient, clock) = stoa_testing::manual_time();
        let key = CursorKey::new([1; 32]);
        let own = arguments(&json!({ "a": 1, "b": { "c": [1], "d": 2 } }));
        let origin = Origin {
            installation: InstallationId::new(&ambient),
            method: "tools/call",
            name: "ask",
            arguments: &own,
        };
        let sealed = seal(&key, &ambient, &origin, &json!({ "step": 1 })).unwrap();
        let opened = |origin: &Origin<'_>| open(&key, &ambient, origin, &sealed);
        let reordered = arguments(&json!({ "b": { "d": 2, "c": [1] }, "a": 1 }));
        assert_eq!(opened(&Origin { arguments: &reordered, ..origin }), Ok(json!({ "step": 1 })));
        let other = arguments(&json!({ "a": 2, "b": { "c": [1], "d": 2 } }));
        for foreign in [
            Origin { installation: InstallationId::new(&ambient), ..origin },
            Origin { method: "prompts/get", ..origin },
            Origin { name: "other", ..origin },
            Origin { arguments: &other, ..origin },
        ] {
            assert_eq!(opened(&foreign), Err(Foreign), "{foreign:?}");
        }
        assert_eq!(open(&key, &ambient, &origin, &format!("{sealed}-TAMPERED")), Err(Foreign));
        assert_eq!(open(&CursorKey::new([2; 32]), &ambient, &origin, &sealed), Err(Foreign));
        clock.advance(GOOD_FOR);
        assert_eq!(opened(&origin), Err(Foreign));
    }

    #[test]
    fn a_state_is_sealed_if_and_only_if_it_would_be_taken_back() {
        let (ambient, _clock) = stoa_testing::manual_time();
        let key = CursorKey::new([1; 32]);
        let nothing = Map::new();
        let installation = InstallationId::new(&ambient);
        let origin = Origin { installation, method: "tools/call", name: "ask", arguments: &nothing };
        let state = |length: usize| Value::from("x".repeat(length));
        let fits = |length: &usize| seal(&key, &ambient, &origin, &state(*length)).is_ok();
        let longest = (2_900..3_100).take_while(fits).last().unwrap();
        let sealed = seal(&key, &ambient, &origin, &state(longest)).unwrap();
        assert_eq!(open(&key, &ambient, &origin, &sealed), Ok(state(longest)));
        assert!(longest >= 3_000, "{longest}");
        assert_eq!(seal(&key, &ambient, &origin, &state(longest + 1)), Err(StateTooLarge));
    }
}
