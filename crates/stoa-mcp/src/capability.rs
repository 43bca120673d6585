//! What a client can do for the server, as it declares with each request of 2026-07-28 (MCP, Basic, `_meta`).
//! Of the legacy era nothing is known: it was said at a handshake that nobody remembers.

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// The extension of tasks, as it is named in capabilities.
pub(crate) const TASKS: &str = "io.modelcontextprotocol/tasks";

/// One thing that a client may be able to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// Ask its person to fill in a form.
    Form,
    /// Ask its model. Deprecated since 2026-07-28.
    Sampling,
    /// Tell its roots. Deprecated since 2026-07-28.
    Roots,
    /// Follow a task instead of waiting for an answer.
    Tasks,
}

/// What the client of a request declared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientCapabilities {
    /// One bit for each capability.
    declared: u8,
}

impl ClientCapabilities {
    /// Whether the client can do this.
    #[must_use]
    pub const fn has(self, capability: Capability) -> bool {
        self.declared & bit(capability) != 0
    }

    /// Whether there is any question that the client can be asked.
    pub(crate) const fn can_be_asked(self) -> bool {
        self.declared & !bit(Capability::Tasks) != 0
    }

    /// Reads an object of capabilities. What is unknown or has another form than the specification's is as if
    /// it were not there.
    pub(crate) fn read(raw: &RawValue) -> Self {
        let Ok(declared) = serde_json::from_str::<Map<String, Value>>(raw.get()) else {
            return Self::default();
        };
        let object = |name: &str| declared.get(name).and_then(Value::as_object);
        let elicitation = object("elicitation");
        let mode =
            |name: &str| elicitation.is_some_and(|modes| modes.get(name).is_some_and(Value::is_object));
        let extension = |name: &str| object("extensions").is_some_and(|all| all.contains_key(name));
        let found = [
            // Who names no mode means forms.
            (Capability::Form, mode("form") || elicitation.is_some() && !mode("url")),
            (Capability::Sampling, object("sampling").is_some()),
            (Capability::Roots, object("roots").is_some()),
            (Capability::Tasks, extension(TASKS)),
        ];
        let declared = found.into_iter().filter(|(_, found)| *found);
        Self { declared: declared.fold(0, |bits, (capability, _)| bits | bit(capability)) }
    }
}

const fn bit(capability: Capability) -> u8 {
    1 << capability as u8
}

/// Capabilities as a client would declare them: what `requiredCapabilities` of an error names.
pub(crate) fn declaration(capabilities: &[Capability]) -> Value {
    let mut declared = json!({});
    for capability in capabilities {
        match capability {
            Capability::Form => declared["elicitation"]["form"] = json!({}),
            Capability::Sampling => declared["sampling"] = json!({}),
            Capability::Roots => declared["roots"] = json!({}),
            Capability::Tasks => declared["extensions"][TASKS] = json!({}),
        }
    }
    declared
}

#[cfg(test)]
mod tests {
    use serde_json::value::to_raw_value;

    use super::*;

    const ALL: [Capability; 4] =
        [Capability::Form, Capability::Sampling, Capability::Roots, Capability::Tasks];

    fn declared(capabilities: &Value) -> Vec<Capability> {
        let read = ClientCapabilities::read(&to_raw_value(capabilities).unwrap());
        ALL.into_iter().filter(|capability| read.has(*capability)).collect()
    }

    #[test]
    fn each_capability_is_read_as_it_is_declared() {
        for capability in ALL {
            assert_eq!(declared(&declaration(&[capability])), [capability]);
        }
        assert_eq!(declared(&declaration(&ALL)), ALL);
        assert_eq!(declared(&json!({})), []);
    }

    #[test]
    fn elicitation_without_a_mode_means_forms() {
        assert_eq!(declared(&json!({ "elicitation": {} })), [Capability::Form]);
        assert_eq!(declared(&json!({ "elicitation": { "url": {} } })), []);
    }

    #[test]
    fn what_has_another_form_is_not_declared() {
        let odd =
            json!({ "elicitation": true, "sampling": [], "roots": null, "extensions": "tasks", "x": {} });
        assert_eq!(declared(&odd), []);
    }
}
