//! A tool as clients see it in `tools/list`: its schema from its specification, so that what is published and
//! what the guard checks can't differ.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::{Argument, Effect, Shape, ToolSpec};

/// One tool of `tools/list`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Listed<'a> {
    name: &'a str,
    title: &'a str,
    description: &'a str,
    input_schema: Value,
    annotations: Annotations,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "the specification's own form")]
struct Annotations {
    read_only_hint: bool,
    destructive_hint: bool,
    idempotent_hint: bool,
    open_world_hint: bool,
}

impl<'a> Listed<'a> {
    pub fn new(spec: &'a ToolSpec) -> Self {
        Self {
            name: spec.name,
            title: spec.title,
            description: spec.description,
            input_schema: object(&spec.arguments),
            annotations: annotations(spec.effect),
        }
    }
}

fn annotations(effect: Effect) -> Annotations {
    let (read_only_hint, destructive_hint, idempotent_hint) = match effect {
        Effect::ReadOnly => (true, false, true),
        Effect::Writes { destructive, idempotent } => (false, destructive, idempotent),
    };
    Annotations { read_only_hint, destructive_hint, idempotent_hint, open_world_hint: false }
}

/// The schema of an object with these members and no others.
pub(crate) fn object(members: &[Argument]) -> Value {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    if !members.is_empty() {
        let properties: Map<_, _> = members.iter().map(|it| (it.name.to_owned(), property(it))).collect();
        schema.insert("properties".to_owned(), properties.into());
    }
    let required: Vec<_> = members.iter().filter(|it| it.required).map(|it| it.name).collect();
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema.insert("additionalProperties".to_owned(), false.into());
    schema.into()
}

fn property(argument: &Argument) -> Value {
    let mut schema = shape(&argument.shape);
    if let Value::Object(schema) = &mut schema {
        schema.insert("description".to_owned(), argument.description.into());
    }
    schema
}

fn shape(shape: &Shape) -> Value {
    match shape {
        Shape::Text { max_chars } => json!({ "type": "string", "maxLength": max_chars }),
        Shape::Integer { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Shape::Boolean => json!({ "type": "boolean" }),
        Shape::Choice(words) => json!({ "type": "string", "enum": words }),
        Shape::Closed(members) => object(members),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_without_arguments_has_the_schema_that_the_specification_asks_for() {
        assert_eq!(object(&[]), json!({ "type": "object", "additionalProperties": false }));
    }

    #[test]
    fn the_schema_says_what_the_argument_says() {
        let members = [
            Argument::text("key", "A key.").max_chars(100).required(),
            Argument::choice("kind", "A kind.", &["a", "b"]),
        ];
        let expected = json!({
            "type": "object",
            "properties": {
                "key": { "type": "string", "maxLength": 100, "description": "A key." },
                "kind": { "type": "string", "enum": ["a", "b"], "description": "A kind." },
            },
            "required": ["key"],
            "additionalProperties": false,
        });
        assert_eq!(object(&members), expected);
    }
}
