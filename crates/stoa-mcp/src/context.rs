//! What the way so far has found out about a request.

use std::sync::Arc;

use http::header::{ACCEPT, USER_AGENT};
use http::{HeaderMap, HeaderName};
use stoa_base::text::one_line;
use stoa_identity::{Caller, ClientInfo};
use stoa_store::audit::AddressClass;

use crate::ClientCapabilities;
use crate::bearer::ShownToken;
use crate::endpoint::Endpoint;
use crate::envelope::text;
use crate::era::Era;
use crate::listing::Listing;
use crate::params::Params;

/// W3C Trace Context.
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
/// The longest name of a client that is kept, in characters.
const CLIENT_CHARS: usize = 80;

/// One authenticated request of a known era.
#[derive(Debug)]
pub(crate) struct Context {
    pub endpoint: Endpoint,
    /// What the mount lists.
    pub listing: Arc<Listing>,
    pub caller: Arc<Caller>,
    pub era: Era,
    /// What the client can do.
    pub capabilities: ClientCapabilities,
    /// How the client names itself.
    pub client: Option<String>,
    pub address: AddressClass,
    pub trace_id: Option<String>,
    /// Whether the client takes a stream for an answer.
    pub accepts_stream: bool,
    /// What the caller was let in by.
    pub token: ShownToken,
}

/// How the client names itself: with the request, else as it did at its last handshake, else in `User-Agent`
/// (its first product).
pub(crate) fn client(params: &Params<'_>, known: Option<&ClientInfo>, headers: &HeaderMap) -> Option<String> {
    let product = || headers.get(USER_AGENT)?.to_str().ok()?.split_whitespace().next().map(str::to_owned);
    let known = || known.map(|client| format!("{}/{}", client.name, client.version));
    params
        .client()
        .or_else(known)
        .or_else(product)
        .map(|name| one_line(&name, CLIENT_CHARS))
        .filter(|name| !name.is_empty())
}

/// The trace that the request belongs to: from the header, else from `_meta`.
pub(crate) fn trace_id(params: &Params<'_>, headers: &HeaderMap) -> Option<String> {
    let header = headers.get(TRACEPARENT).and_then(|value| value.to_str().ok()).and_then(trace);
    let in_meta = || text(params.meta.as_ref()?.traceparent?).as_deref().and_then(trace);
    header.or_else(in_meta)
}

/// The trace's id in a `traceparent`: `00-{32 hexadecimal digits}-{16}-{2}`, not all zeros.
fn trace(traceparent: &str) -> Option<String> {
    let mut parts = traceparent.trim().split('-');
    let (_version, trace, span) = (parts.next()?, parts.next()?, parts.next()?);
    let is_id = |text: &str, length| {
        text.len() == length
            && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
            && text.bytes().any(|b| b != b'0')
    };
    (is_id(trace, 32) && is_id(span, 16)).then(|| trace.to_owned())
}

/// Whether `Accept` names event streams. A mere `*/*` doesn't: curl and scripts send that, and want JSON.
pub(crate) fn accepts_stream(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(ACCEPT).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|range| {
        range.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("text/event-stream"))
    })
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn params(json: &str) -> Params<'_> {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn the_client_is_what_the_request_says_else_the_last_handshake_else_the_user_agent() {
        let mut headers = HeaderMap::new();
        assert_eq!(client(&Params::default(), None, &headers), None);
        headers.insert(USER_AGENT, HeaderValue::from_static("claude-code/2.1 (cli)"));
        assert_eq!(client(&Params::default(), None, &headers).unwrap(), "claude-code/2.1");
        let known = ClientInfo { name: "inspector".to_owned(), version: "2".to_owned() };
        assert_eq!(client(&Params::default(), Some(&known), &headers).unwrap(), "inspector/2");
        let meta = r#"{"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"Codex\u202e","version":"1"}}}"#;
        assert_eq!(client(&params(meta), Some(&known), &headers).unwrap(), "Codex/1");
        let long = format!(r#"{{"clientInfo":{{"name":"{}"}}}}"#, "x".repeat(500));
        assert_eq!(client(&params(&long), None, &headers).unwrap().chars().count(), CLIENT_CHARS);
    }

    #[test]
    fn only_a_proper_trace_counts() {
        let id = "4bf92f3577b34da6a3ce929d0e0e4736";
        assert_eq!(trace(&format!("00-{id}-00f067aa0ba902b7-01")).as_deref(), Some(id));
        for wrong in ["", "00", "00-0-0-0", &format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32)), "zz-x-y"] {
            assert_eq!(trace(wrong), None, "{wrong}");
        }
        let meta = format!(r#"{{"_meta":{{"traceparent":"00-{id}-00f067aa0ba902b7-01"}}}}"#);
        assert_eq!(trace_id(&params(&meta), &HeaderMap::new()).as_deref(), Some(id));
    }

    #[test]
    fn a_stream_is_for_those_who_name_it() {
        let accepts = |line: &'static str| {
            accepts_stream(&HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(line))]))
        };
        assert!(accepts("application/json, text/event-stream"));
        assert!(accepts("Text/Event-Stream;q=0.5"));
        assert!(!accepts("*/*") && !accepts("application/json"));
        assert!(!accepts_stream(&HeaderMap::new()));
    }
}
