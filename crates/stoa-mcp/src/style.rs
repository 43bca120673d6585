//! What a call's outcome looks like on the wire, in the service's style.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, to_string};

use crate::{Answer, ResultStyle};

/// The result of `tools/call`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallResult {
    content: [TextBlock; 1],
    structured_content: Box<RawValue>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_error: bool,
}

#[derive(Debug, Serialize)]
struct TextBlock {
    r#type: &'static str,
    text: String,
}

#[derive(Serialize)]
struct Refused<'a> {
    error: &'a str,
    message: &'a str,
    #[serde(flatten)]
    extras: &'a Map<String, Value>,
}

impl CallResult {
    /// An answer.
    pub fn answered(style: ResultStyle, answer: Answer) -> Self {
        match style {
            ResultStyle::JsonText => {
                let text = answer.text().to_owned();
                Self { content: [block(text)], structured_content: answer.into_raw(), is_error: false }
            }
        }
    }

    /// A refusal: the code also first in the text, and what can be acted on there too, as some clients show
    /// nothing else to their model.
    pub fn refused(code: &str, message: &str, extras: &Map<String, Value>) -> Self {
        let mut text = format!("{code}: {message}");
        if !extras.is_empty() {
            text.push('\n');
            text.push_str(&to_string(extras).unwrap_or_default());
        }
        let structured = to_raw_value(&Refused { error: code, message, extras });
        Self { content: [block(text)], structured_content: structured.unwrap_or_default(), is_error: true }
    }
}

fn block(text: String) -> TextBlock {
    TextBlock { r#type: "text", text }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_is_structured_and_the_same_json_as_text() {
        let answer = Answer::json(&json!({ "count": 1 })).unwrap();
        let result = serde_json::to_value(CallResult::answered(ResultStyle::JsonText, answer)).unwrap();
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
