//! From bytes to one JSON-RPC message (JSON-RPC 2.0 section 4). Nothing is copied but what has escapes.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::Number;
use serde_json::error::Category;
use serde_json::value::RawValue;
use stoa_base::text::one_line;

use crate::Method;
use crate::rpc::{INVALID_REQUEST, PARSE_ERROR, RpcError};

/// How deep a message may nest: ours are flat, so that anything deeper is no mistake of an honest client.
const MAX_DEPTH: usize = 64;
/// The longest problem that is told, in characters: it may repeat what was sent.
const LONGEST_PROBLEM: usize = 200;

/// A request, or a notification where the id is left out.
#[derive(Debug)]
pub(crate) struct Message<'a> {
    /// A string or an integer, as the client wrote it.
    pub id: Option<&'a RawValue>,
    /// The method.
    pub method: Cow<'a, str>,
    /// The parameters, unread.
    pub params: Option<&'a RawValue>,
}

impl Message<'_> {
    /// Whether it is of this method.
    pub fn is(&self, method: Method) -> bool {
        self.method == method.as_str()
    }
}

/// Why there is no message, and the id to answer under where it could be read.
#[derive(Debug)]
pub(crate) struct NoMessage<'a> {
    pub id: Option<&'a RawValue>,
    pub error: RpcError,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

/// Tells `"id": null` from no id.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Reads the one message of a body.
pub(crate) fn parse(body: &[u8]) -> Result<Message<'_>, NoMessage<'_>> {
    let envelope = read(body).map_err(|error| NoMessage { id: None, error })?;
    check(&envelope).map_err(|problem| NoMessage {
        id: envelope.id.filter(|id| is_id(id)),
        error: RpcError::bad_request(INVALID_REQUEST, problem),
    })
}

fn read(body: &[u8]) -> Result<Envelope<'_>, RpcError> {
    let unreadable = |what| RpcError::bad_request(PARSE_ERROR, what);
    let invalid = |what: String| RpcError::bad_request(INVALID_REQUEST, what);
    let text = std::str::from_utf8(body).map_err(|_| unreadable("The body is not UTF-8."))?;
    if depth(text) > MAX_DEPTH {
        return Err(invalid(format!("The body nests deeper than {MAX_DEPTH} levels.")));
    }
    if text.trim_start().starts_with('[') {
        return Err(invalid("Batches are not supported: send one message for each POST.".to_owned()));
    }
    serde_json::from_str(text).map_err(|error| match error.classify() {
        Category::Data => {
            invalid(format!("Not a JSON-RPC message: {}", one_line(&error.to_string(), LONGEST_PROBLEM)))
        }
        _ => unreadable("The body is not JSON."),
    })
}

fn check<'a>(envelope: &Envelope<'a>) -> Result<Message<'a>, &'static str> {
    if envelope.jsonrpc.and_then(text).as_deref() != Some("2.0") {
        return Err("`jsonrpc` must be \"2.0\".");
    }
    if envelope.id.is_some_and(|id| !is_id(id)) {
        return Err("`id` must be a string or an integer.");
    }
    let method = envelope.method.and_then(text).ok_or("`method` must be a string.")?;
    Ok(Message { id: envelope.id, method, params: envelope.params })
}

fn is_id(raw: &RawValue) -> bool {
    let is_string_or_integer =
        raw.get().starts_with('"') || raw.get().bytes().all(|b| b.is_ascii_digit() || b == b'-');
    is_string_or_integer && can_be_repeated(raw)
}

/// Whether a raw value is a string or a number that can be read in an answer, too. JSON's grammar also has halves of
/// characters, and numbers beyond the range of any reader.
pub(crate) fn can_be_repeated(raw: &RawValue) -> bool {
    text(raw).is_some() || serde_json::from_str::<Number>(raw.get()).is_ok()
}

/// The string that a raw value is; `None` for any other kind of value.
pub(crate) fn text(raw: &RawValue) -> Option<Cow<'_, str>> {
    let inner = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    if !inner.contains('\\') {
        return Some(Cow::Borrowed(inner));
    }
    serde_json::from_str(raw.get()).ok().map(Cow::Owned)
}

/// How deep arrays and objects nest. Counts brackets outside of strings: exact for JSON, harmless for others.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => (),
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => (),
        }
        deepest = deepest.max(depth);
    }
    deepest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn code(body: &str) -> i32 {
        parse(body.as_bytes()).unwrap_err().error.code
    }

    #[test]
    fn a_request_keeps_its_id_as_it_was_written() {
        for id in ["1", "-7", "123456789012345678901234567890", r#""a\u0062""#] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
            let message = parse(body.as_bytes()).unwrap();
            assert_eq!(message.id.unwrap().get(), id);
            assert_eq!(message.method, "ping");
        }
    }

    #[test]
    fn without_an_id_it_is_a_notification_and_a_null_id_is_refused() {
        assert!(parse(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).unwrap().id.is_none());
        for id in ["null", "1.5", "1e3", "true", "{}", "[]"] {
            assert_eq!(
                code(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)),
                INVALID_REQUEST,
                "{id}"
            );
        }
    }

    #[test]
    fn an_id_that_no_answer_could_repeat_is_refused_without_it() {
        for id in [r#""\ud800""#, r#""a\udc00b""#, &"9".repeat(400), &format!("-{}", "1".repeat(400))] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
            let refused = parse(body.as_bytes()).unwrap_err();
            assert_eq!(refused.error.code, INVALID_REQUEST, "{id}");
            assert!(refused.id.is_none(), "{id}");
        }
    }

    #[test]
    fn what_is_no_json_is_a_parse_error() {
        for body in ["", "{", "nonsense", r#"{"jsonrpc":"2.0","id":01}"#, "{\"a\":1}x"] {
            assert_eq!(code(body), PARSE_ERROR, "{body}");
        }
        assert_eq!(parse(b"\xff").unwrap_err().error.code, PARSE_ERROR);
    }

    #[test]
    fn what_is_json_but_no_message_is_an_invalid_request() {
        for body in [
            "[]",
            r#" [{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            "1",
            "{}",
            r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":2}"#,
            r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}"#,
        ] {
            assert_eq!(code(body), INVALID_REQUEST, "{body}");
        }
    }

    #[test]
    fn an_error_is_answered_under_the_id_where_it_can_be_read() {
        let refused = parse(br#"{"jsonrpc":"1.0","id":"x","method":"ping"}"#).unwrap_err();
        assert_eq!(refused.id.unwrap().get(), "\"x\"");
        assert!(parse(br#"{"jsonrpc":"1.0","id":{},"method":"ping"}"#).unwrap_err().id.is_none());
    }

    #[test]
    fn deep_nesting_is_refused_and_brackets_in_strings_are_no_nesting() {
        let nested = |n| {
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{}1{}}}"#, "[".repeat(n), "]".repeat(n))
        };
        assert!(parse(nested(MAX_DEPTH - 1).as_bytes()).is_ok());
        assert_eq!(code(&nested(MAX_DEPTH)), INVALID_REQUEST);
        assert_eq!(code(&nested(100_000)), INVALID_REQUEST);
        let quoted = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"\"{}"}}"#, "[".repeat(200));
        assert!(parse(quoted.as_bytes()).is_ok());
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(body in prop::collection::vec(any::<u8>(), 0..200)) {
            let _read_or_refused = parse(&body);
        }

        #[test]
        fn any_text_near_json_is_read_or_refused(body in r#"[\{\}\[\]",:0-9a-z\\ ]{0,80}"#) {
            if let Ok(message) = parse(body.as_bytes()) {
                prop_assert!(message.id.is_none_or(is_id));
            }
        }
    }
}
