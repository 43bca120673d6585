//! The messages of a stream. Each names the subscription: the id of the request that opened it.

use bytes::Bytes;
use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;

use crate::rpc::ServerInfo;

/// The key under `_meta`.
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// What of the request is honored: the resources that are there and tell of their changes. Lists change with the
/// grant only, and another grant is another token, so that no list is ever announced.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Honored {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resource_subscriptions: Vec<String>,
}

pub(super) fn acknowledged(id: &RawValue, honored: &Honored) -> Bytes {
    let meta = json!({ SUBSCRIPTION: id });
    notification(
        "notifications/subscriptions/acknowledged",
        &json!({ "_meta": meta, "notifications": honored }),
    )
}

pub(super) fn updated(id: &RawValue, uri: &str) -> Bytes {
    notification("notifications/resources/updated", &json!({ "_meta": { SUBSCRIPTION: id }, "uri": uri }))
}

/// That the stream ends, and why.
pub(super) fn cancelled(id: &RawValue, reason: &str) -> Bytes {
    let params = json!({ "_meta": { SUBSCRIPTION: id }, "requestId": id, "reason": reason });
    notification("notifications/cancelled", &params)
}

/// The answer to the request, at its end.
pub(super) fn result(id: &RawValue, server: &ServerInfo) -> Bytes {
    let meta = json!({ SUBSCRIPTION: id, "io.modelcontextprotocol/serverInfo": server });
    let result = json!({ "resultType": "complete", "_meta": meta });
    json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string().into()
}

fn notification(method: &str, params: &serde_json::Value) -> Bytes {
    json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string().into()
}
