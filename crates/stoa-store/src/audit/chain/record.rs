//! An entry as it stands in the database.

use serde_json::{Value, json};
use stoa_base::{Id, Timestamp};
use uuid::Uuid;

use crate::audit::entry::AuditEntry;

/// The columns of a [`Record`], as a literal for `concat!`.
macro_rules! columns {
    () => {
        "seq, id, workspace_id, at, channel, tool, status, code, scope, arguments, duration_us, installation_id,
        account_id, credential, client, address_class, trace_id, chain_position, chain_mac"
    };
}
pub(crate) use columns;

/// One entry. Words are plain text here: whatever stands in the database must be readable.
#[derive(Debug, sqlx::FromRow)]
pub(crate) struct Record {
    pub seq: i64,
    id: Uuid,
    workspace_id: Uuid,
    at: i64,
    channel: String,
    tool: String,
    status: String,
    code: Option<String>,
    scope: Option<String>,
    arguments: String,
    duration_us: i64,
    installation_id: Option<Uuid>,
    account_id: Option<Uuid>,
    credential: String,
    client: Option<String>,
    address_class: String,
    trace_id: Option<String>,
    pub chain_position: Option<i64>,
    pub chain_mac: Option<Vec<u8>>,
}

impl Record {
    /// Every field but the chain's own, in fixed order, as bytes. `seq` is left out: it is the database's.
    pub fn fields(&self, mut each: impl FnMut(Option<&[u8]>)) {
        each(Some(self.id.as_bytes()));
        each(Some(self.workspace_id.as_bytes()));
        each(Some(&self.at.to_be_bytes()));
        each(Some(self.channel.as_bytes()));
        each(Some(self.tool.as_bytes()));
        each(Some(self.status.as_bytes()));
        each(self.code.as_deref().map(str::as_bytes));
        each(self.scope.as_deref().map(str::as_bytes));
        each(Some(self.arguments.as_bytes()));
        each(Some(&self.duration_us.to_be_bytes()));
        each(self.installation_id.as_ref().map(|id| &id.as_bytes()[..]));
        each(self.account_id.as_ref().map(|id| &id.as_bytes()[..]));
        each(Some(self.credential.as_bytes()));
        each(self.client.as_deref().map(str::as_bytes));
        each(Some(self.address_class.as_bytes()));
        each(self.trace_id.as_deref().map(str::as_bytes));
    }

    /// The entry as `stoa audit export` writes it.
    pub fn json(&self) -> Value {
        let id = |uuid| Id::<AuditEntry>::from_uuid(uuid);
        json!({
            "position": self.chain_position,
            "mac": self.chain_mac.as_ref().map(hex::encode),
            "id": id(self.id),
            "workspace": id(self.workspace_id),
            "at": Timestamp::from_micros(self.at),
            "channel": self.channel,
            "tool": self.tool,
            "status": self.status,
            "code": self.code,
            "scope": self.scope,
            "arguments": serde_json::from_str(&self.arguments).unwrap_or(Value::String(self.arguments.clone())),
            "duration_us": self.duration_us,
            "installation": self.installation_id.map(id),
            "account": self.account_id.map(id),
            "credential": self.credential,
            "client": self.client,
            "address": self.address_class,
            "trace_id": self.trace_id,
        })
    }
}
