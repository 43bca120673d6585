//! The parameters of a request, as far as the endpoint reads them. Values stay as they were written until a
//! method wants them.

use std::borrow::Cow;

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::ClientCapabilities;
use crate::envelope::{can_be_repeated, text};
use crate::rpc::{INVALID_PARAMS, RpcError};

/// What any of the methods may be sent.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Params<'a> {
    /// Of `tools/call` and `prompts/get`.
    #[serde(borrow)]
    pub name: Option<&'a RawValue>,
    /// Of `resources/read`.
    #[serde(borrow)]
    pub uri: Option<&'a RawValue>,
    /// Of the tasks extension.
    #[serde(borrow)]
    pub task_id: Option<&'a RawValue>,
    /// Of `tools/call`.
    #[serde(borrow)]
    pub arguments: Option<&'a RawValue>,
    /// Of the lists.
    #[serde(borrow)]
    pub cursor: Option<&'a RawValue>,
    /// Answers to what the round before asked.
    #[serde(borrow)]
    pub input_responses: Option<&'a RawValue>,
    /// What the round before gave to be brought back.
    #[serde(borrow)]
    pub request_state: Option<&'a RawValue>,
    /// Of `completion/complete`: the prompt or the template.
    #[serde(borrow)]
    pub r#ref: Option<&'a RawValue>,
    /// Of `completion/complete`: the argument and its beginning.
    #[serde(borrow)]
    pub argument: Option<&'a RawValue>,
    /// Of `subscriptions/listen`: what the client wants to hear of.
    #[serde(borrow)]
    pub notifications: Option<&'a RawValue>,
    /// Of the legacy `logging/setLevel`.
    #[serde(borrow)]
    pub level: Option<&'a RawValue>,
    /// Of the legacy `initialize`.
    #[serde(borrow)]
    pub protocol_version: Option<&'a RawValue>,
    /// Of the legacy `initialize`.
    #[serde(borrow, default, deserialize_with = "object")]
    pub client_info: Option<ClientInfo<'a>>,
    /// What goes beside the method's own parameters.
    #[serde(borrow, default, rename = "_meta", deserialize_with = "object")]
    pub meta: Option<Meta<'a>>,
}

/// `params._meta`.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Meta<'a> {
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    pub protocol_version: Option<&'a RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientCapabilities")]
    pub client_capabilities: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientInfo", deserialize_with = "object")]
    pub client_info: Option<ClientInfo<'a>>,
    /// A string or a number; with it the client asks for progress.
    #[serde(borrow, rename = "progressToken")]
    pub progress_token: Option<&'a RawValue>,
    /// With it the client asks for `notifications/message` from this level on.
    #[serde(borrow, rename = "io.modelcontextprotocol/logLevel")]
    pub log_level: Option<&'a RawValue>,
    /// W3C Trace Context.
    #[serde(borrow)]
    pub traceparent: Option<&'a RawValue>,
}

/// How a client names itself.
#[derive(Debug, Deserialize)]
pub(crate) struct ClientInfo<'a> {
    #[serde(borrow)]
    pub name: Option<&'a RawValue>,
    #[serde(borrow)]
    pub version: Option<&'a RawValue>,
}

/// Reads an object, or null. An array would be read as the fields in their order; and whatever else it is,
/// none of it is repeated in the error.
fn object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    let Some(raw) = Option::<&'de RawValue>::deserialize(deserializer)? else { return Ok(None) };
    if !raw.get().starts_with('{') {
        return Err(D::Error::custom("an object is expected"));
    }
    serde_json::from_str(raw.get()).map(Some).map_err(D::Error::custom)
}

impl<'a> Params<'a> {
    /// Reads the parameters; none are the same as an empty object.
    pub fn read(raw: Option<&'a RawValue>) -> Result<Self, RpcError> {
        let Some(raw) = raw else { return Ok(Self::default()) };
        // An array would be read as the fields in their order.
        if !raw.get().starts_with('{') {
            return Err(RpcError::bad_request(INVALID_PARAMS, "`params` must be an object."));
        }
        serde_json::from_str(raw.get())
            .map_err(|error| RpcError::bad_request(INVALID_PARAMS, format!("Unreadable `params`: {error}")))
    }

    /// The progress token, if there is one that may be.
    pub fn progress_token(&self) -> Option<&'a RawValue> {
        let token = self.meta.as_ref()?.progress_token?;
        can_be_repeated(token).then_some(token)
    }

    /// What the client declared that it can do.
    pub fn capabilities(&self) -> ClientCapabilities {
        let declared = self.meta.as_ref().and_then(|meta| meta.client_capabilities);
        declared.map(ClientCapabilities::read).unwrap_or_default()
    }

    /// The client's name and version, as it gives them with this request.
    pub fn client(&self) -> Option<String> {
        let info =
            self.meta.as_ref().and_then(|meta| meta.client_info.as_ref()).or(self.client_info.as_ref())?;
        let name = info.name.and_then(text)?;
        let version: Cow<'_, str> = info.version.and_then(text).unwrap_or_default();
        Some(if version.is_empty() { name.into_owned() } else { format!("{name}/{version}") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress_token(token: &str) -> Option<String> {
        let params = RawValue::from_string(format!(r#"{{"_meta":{{"progressToken":{token}}}}}"#)).unwrap();
        let params = Params::read(Some(&params)).unwrap();
        params.progress_token().map(|token| token.get().to_owned())
    }

    #[test]
    fn a_progress_token_is_a_string_or_a_number_that_can_be_repeated() {
        for token in ["7", "-1.5", "\"a\"", r#""\u0061""#] {
            assert_eq!(progress_token(token).as_deref(), Some(token));
        }
        for token in ["null", "true", "{}", "[1]", r#""\ud800""#, "1e999", &"9".repeat(400)] {
            assert_eq!(progress_token(token), None, "{token}");
        }
    }
}
