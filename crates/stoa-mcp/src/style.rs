//! What a call's outcome looks like on the wire, in the service's style.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, to_string};

use crate::conduct::{CLIENT_LACKS, lacking};
use crate::era::Era;
use crate::{Content, Output, Policy, ResultStyle, ToolError};

/// The result of `tools/call`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallResult {
    content: Vec<Content>,
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_error: bool,
}

#[derive(Serialize)]
struct Refused<'a> {
    error: &'a str,
    message: &'a str,
    #[serde(flatten)]
    extras: &'a Map<String, Value>,
}

impl CallResult {
    /// The output of a tool, in the service's style.
    pub fn of(policy: Policy, output: Output) -> Self {
        match output {
            Output::Object(object) => Self::object(policy.result, object),
            Output::Blocks(blocks) => Self::blocks(blocks),
        }
    }

    /// The error of a tool, as its model reads it. A fault of ours is no such error.
    pub fn failed(policy: Policy, error: ToolError) -> Self {
        match error {
            ToolError::Refused { code, message, extras, .. } => Self::refused(code, &message, &extras),
            ToolError::BadArgument { problems } => {
                let sentence = format!("{}.", problems.join("; "));
                Self::refused(policy.bad_argument.code(), &sentence, &Map::new())
            }
            ToolError::ClientLacks(_) => Self::refused(CLIENT_LACKS, lacking(Era::Legacy), &Map::new()),
            ToolError::Internal(_) => Self::refused("internal", "Internal error.", &Map::new()),
        }
    }

    /// An object.
    fn object(style: ResultStyle, object: Box<RawValue>) -> Self {
        match style {
            ResultStyle::JsonText => {
                let text = Content::text(object.get());
                Self { content: vec![text], structured_content: Some(object), is_error: false }
            }
        }
    }

    /// Blocks of content.
    const fn blocks(content: Vec<Content>) -> Self {
        Self { content, structured_content: None, is_error: false }
    }

    /// A refusal: the code also first in the text, and what can be acted on there too, as some clients show
    /// nothing else to their model.
    fn refused(code: &str, message: &str, extras: &Map<String, Value>) -> Self {
        let mut text = format!("{code}: {message}");
        if !extras.is_empty() {
            text.push('\n');
            text.push_str(&to_string(extras).unwrap_or_default());
        }
        let structured = to_raw_value(&Refused { error: code, message, extras }).ok();
        Self { content: vec![Content::text(text)], structured_content: structured, is_error: true }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_is_structured_and_the_same_json_as_text() {
        let object = to_raw_value(&json!({ "count": 1 })).unwrap();
        let result = serde_json::to_value(CallResult::object(ResultStyle::JsonText, object)).unwrap();
        let expected = json!({
            "content": [{ "type": "text", "text": "{\"count\":1}" }],
            "structuredContent": { "count": 1 },
        });
        assert_eq!(result, expected);
    }

    #[test]
    fn a_refusal_begins_with_its_code_and_names_what_can_be_acted_on() {
        let extras = Map::from_iter([("retry_after_ms".to_owned(), json!(500))]);
        let result = serde_json::to_value(CallResult::refused("OverBudget", "Wait.", &extras)).unwrap();
        let expected = json!({
            "content": [{ "type": "text", "text": "OverBudget: Wait.\n{\"retry_after_ms\":500}" }],
            "structuredContent": { "error": "OverBudget", "message": "Wait.", "retry_after_ms": 500 },
            "isError": true,
        });
        assert_eq!(result, expected);
    }
}
