//! What the audit keeps of a call's arguments: each as it is marked.

use serde_json::{Map, Value, json};
use stoa_identity::SecretToken;
use stoa_store::audit::{Mark, marked};

use crate::{Argument, Shape};

/// Names of unknown arguments that are kept.
const UNKNOWN_NAMES: usize = 20;
/// The longest of them, in characters.
const UNKNOWN_NAME_CHARS: usize = 80;

/// The arguments as the audit keeps them. Of names that the tool does not have, the name and the length: who
/// knows what was sent there.
pub(crate) fn recorded(specified: &[Argument], given: &Map<String, Value>) -> Value {
    let is_known = |name: &str| specified.iter().any(|argument| argument.name == name);
    let known = specified.iter().filter_map(|argument| {
        given.get(argument.name).map(|value| (argument.name.to_owned(), one(argument, value)))
    });
    let unknown = given.iter().filter(|(name, _)| !is_known(name)).take(UNKNOWN_NAMES);
    let unknown = unknown.map(|(name, value)| {
        (
            stoa_base::text::one_line(name, UNKNOWN_NAME_CHARS),
            json!({ "unknown": true, "length": size(value) }),
        )
    });
    known.chain(unknown).collect::<Map<_, _>>().into()
}

fn one(argument: &Argument, value: &Value) -> Value {
    match (&argument.shape, value) {
        (Shape::Closed(members), Value::Object(inner)) if argument.mark != Some(Mark::Never) => {
            recorded(members, inner)
        }
        _ => marked(value, mark(argument, value)),
    }
}

/// The argument's own mark. What is not of its shape may be anything, so no more than its length is kept; and
/// a token of ours is a secret wherever it was pasted.
fn mark(argument: &Argument, value: &Value) -> Mark {
    match argument.mark {
        Some(Mark::Keep) if holds_token(value) => Mark::Never,
        Some(Mark::Keep) if !is_of(&argument.shape, value) => Mark::Length,
        mark => mark.unwrap_or(Mark::Length),
    }
}

fn is_of(shape: &Shape, value: &Value) -> bool {
    match shape {
        Shape::Text { .. } | Shape::Choice(_) => value.is_string(),
        Shape::Integer { .. } => value.is_number(),
        Shape::Boolean => value.is_boolean(),
        Shape::Closed(_) => false,
    }
}

fn holds_token(value: &Value) -> bool {
    match value {
        Value::String(text) => SecretToken::stands_in(text),
        Value::Array(items) => items.iter().any(holds_token),
        _ => false,
    }
}

fn size(value: &Value) -> usize {
    value.as_str().map_or_else(|| value.to_string().len(), |text| text.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(given: &Value) -> Value {
        let specified = [
            Argument::text("query", "Words.").mark(Mark::Keep),
            Argument::text("note", "Free text.").mark(Mark::Length),
            Argument::text("secret", "A secret.").mark(Mark::Never),
            Argument::text("unmarked", "Forgotten."),
            Argument::closed("more", "More.", vec![Argument::text("pin", "A PIN.").mark(Mark::Never)])
                .mark(Mark::Keep),
        ];
        recorded(&specified, given.as_object().unwrap())
    }

    #[test]
    fn each_argument_is_kept_as_it_is_marked() {
        let given = json!({ "query": "cats", "note": "abc", "secret": "x", "unmarked": "xy", "more": { "pin": "1" } });
        let expected = json!({
            "query": "cats",
            "note": { "length": 3 },
            "secret": { "never": true },
            "unmarked": { "length": 2 },
            "more": { "pin": { "never": true } },
        });
        assert_eq!(kept(&given), expected);
    }

    #[test]
    fn what_has_another_shape_than_the_argument_is_not_kept() {
        let hidden = |value: Value| kept(&json!({ "query": value }));
        assert_eq!(hidden(json!({ "password": "hunter2" })), json!({ "query": { "length": 1 } }));
        assert_eq!(hidden(json!(["hunter2"])), json!({ "query": { "length": 1 } }));
        assert_eq!(hidden(json!(1234)), json!({ "query": 1234 }));
        assert_eq!(kept(&json!({ "more": "hunter2" })), json!({ "more": { "length": 7 } }));
    }

    #[test]
    fn a_token_is_never_kept_wherever_it_was_pasted() {
        let token = SecretToken::personal(&stoa_base::Ambient::system());
        let text = format!("use {} please", token.expose());
        assert_eq!(kept(&json!({ "query": text })), json!({ "query": { "never": true } }));
        assert_eq!(kept(&json!({ "query": ["a", text] })), json!({ "query": { "never": true } }));
    }

    #[test]
    fn of_unknown_names_no_value_is_kept() {
        let given = json!({ "password": "hunter2", "pin": 1234, "more": { "token": "t" } });
        let expected = json!({
            "more": { "token": { "unknown": true, "length": 1 } },
            "password": { "unknown": true, "length": 7 },
            "pin": { "unknown": true, "length": 4 },
        });
        assert_eq!(kept(&given), expected);
        let many: Map<_, _> = (0..100).map(|n| (format!("n{n}{}", "x".repeat(500)), json!(1))).collect();
        let kept = recorded(&[], &many);
        assert_eq!(kept.as_object().unwrap().len(), UNKNOWN_NAMES);
        assert!(kept.to_string().len() < 4_000);
    }
}
