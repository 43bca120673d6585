//! What an entry says, and how entries get into the database.

use serde::Serialize;
use serde_json::{Value, json};
use sqlx::query;
use sqlx::types::Json;
use stoa_base::{AccountId, Id, InstallationId, Timestamp, WorkspaceId};
use uuid::Uuid;

use crate::{StoreError, Tx, on, queries};

queries! {
    /// Adds every entry of a JSON array, so that one round trip writes a whole group. An entry that is there
    /// already is left alone: a group whose commit was not confirmed is sent again.
    INSERT = {
        sqlite: "INSERT INTO audit_entry (id, workspace_id, at, channel, tool, status, code, scope, arguments,
                duration_us, installation_id, account_id, credential, client, address_class, trace_id)
            SELECT unhex(value->>'id', '-'), unhex(value->>'workspace_id', '-'), value->>'at',
                value->>'channel', value->>'tool', value->>'status', value->>'code', value->>'scope',
                value->>'arguments', value->>'duration_us', unhex(value->>'installation_id', '-'),
                unhex(value->>'account_id', '-'), value->>'credential', value->>'client',
                value->>'address_class', value->>'trace_id'
            FROM jsonb_each($1) WHERE true
            ON CONFLICT (id) DO NOTHING",
        postgres: "INSERT INTO audit_entry (id, workspace_id, at, channel, tool, status, code, scope, arguments,
                duration_us, installation_id, account_id, credential, client, address_class, trace_id)
            SELECT * FROM jsonb_to_recordset($1) AS entry (id UUID, workspace_id UUID, at BIGINT, channel TEXT,
                tool TEXT, status TEXT, code TEXT, scope TEXT, arguments TEXT, duration_us BIGINT,
                installation_id UUID, account_id UUID, credential TEXT, client TEXT, address_class TEXT,
                trace_id TEXT)
            ON CONFLICT (id) DO NOTHING",
    };
}

/// The longest text of one field, in characters; what is over is cut off. A client names itself and its
/// tools as it likes, but not at any length.
const LONGEST_TEXT: usize = 200;
/// The most that is kept of all arguments of one call, in bytes of compact JSON.
const LONGEST_ARGUMENTS: usize = 64 * 1024;

/// The front door through which a call came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// The MCP endpoint.
    Mcp,
    /// The command line.
    Cli,
    /// A page.
    Web,
    /// A run: work that went on after the call that started it.
    Run,
}

impl Channel {
    /// Each of them.
    pub const ALL: [Self; 4] = [Self::Mcp, Self::Cli, Self::Web, Self::Run];

    /// The word that is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mcp => "mcp",
            Self::Cli => "cli",
            Self::Web => "web",
            Self::Run => "run",
        }
    }

    /// The channel with this word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.as_str() == word)
    }
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It did what was asked.
    Ok,
    /// The caller may not do this, or not so much of it.
    Denied,
    /// It could not be done.
    Error,
}

impl Status {
    /// Each of them.
    pub const ALL: [Self; 3] = [Self::Ok, Self::Denied, Self::Error];

    /// The word that is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Denied => "denied",
            Self::Error => "error",
        }
    }

    /// The status with this word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }
}

/// The kind of credential that a caller showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Credential {
    /// None, or none that is known.
    None,
    /// The command line on the machine itself.
    Local,
    /// The session of a person who is signed in to the pages.
    Session,
    /// A personal token.
    Personal,
    /// An OAuth access token (RFC 6749 section 1.4).
    Access,
}

/// What kind of address a caller came from. The address itself is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AddressClass {
    /// The machine itself (127.0.0.0/8, `::1`).
    Loopback,
    /// A private network (RFC 1918, RFC 4193), or link-local.
    Private,
    /// The internet.
    Public,
    /// Not known, or there is none.
    Unknown,
}

/// What is known of a call when it begins.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The tenant in whose audit the call belongs.
    pub workspace: WorkspaceId,
    /// The front door.
    pub channel: Channel,
    /// The tool or command, as the caller named it.
    pub tool: String,
    /// The scope that the tool asks for.
    pub scope: Option<String>,
    /// The arguments, each already [`super::marked`].
    pub arguments: Value,
    /// The person.
    pub account: Option<AccountId>,
    /// The installation whose grant was used.
    pub installation: Option<InstallationId>,
    /// What was shown to prove it.
    pub credential: Credential,
    /// The client, as it names itself: name and version.
    pub client: Option<String>,
    /// Where the caller is.
    pub address: AddressClass,
    /// The trace that the call belongs to (W3C Trace Context), in hexadecimal.
    pub trace_id: Option<String>,
}

impl Opening {
    /// What somebody does on the machine itself, by a command: nothing had to be shown for it.
    #[must_use]
    pub fn local(workspace: WorkspaceId, command: impl Into<String>, arguments: Value) -> Self {
        Self {
            workspace,
            channel: Channel::Cli,
            tool: command.into(),
            scope: None,
            arguments,
            account: None,
            installation: None,
            credential: Credential::Local,
            client: None,
            address: AddressClass::Loopback,
            trace_id: None,
        }
    }
}

/// Marker of an entry's id.
#[derive(Debug)]
pub(crate) enum AuditEntry {}

/// One entry on its way into the database: fields are named as the columns are.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    id: Uuid,
    workspace_id: Uuid,
    at: i64,
    channel: Channel,
    tool: String,
    status: Status,
    code: Option<String>,
    scope: Option<String>,
    /// JSON as text: inside the text that carries the group to the database.
    arguments: String,
    duration_us: i64,
    installation_id: Option<Uuid>,
    account_id: Option<Uuid>,
    credential: Credential,
    client: Option<String>,
    address_class: AddressClass,
    trace_id: Option<String>,
}

/// How an act ended.
pub(crate) struct Ending<'a> {
    pub status: Status,
    pub code: Option<&'a str>,
    /// Whose act it turned out to be, where that was not known at the beginning.
    pub account: Option<AccountId>,
    pub at: Timestamp,
}

impl Row {
    /// The entry of an act that began at `at`. Whatever a caller sent, the result is one that both databases
    /// take: PostgreSQL stores no NUL, and one bad entry would hold up a whole group.
    pub fn new(id: Id<AuditEntry>, at: Timestamp, opening: &Opening, ending: &Ending<'_>) -> Self {
        let optional = |field: &Option<String>| field.as_deref().map(storable);
        Self {
            id: id.uuid(),
            workspace_id: opening.workspace.uuid(),
            at: at.as_micros(),
            channel: opening.channel,
            tool: storable(&opening.tool),
            status: ending.status,
            code: ending.code.map(storable),
            scope: optional(&opening.scope),
            arguments: storable_arguments(&opening.arguments),
            duration_us: i64::try_from(ending.at.since(at).as_micros()).unwrap_or(i64::MAX),
            installation_id: opening.installation.map(|id| id.uuid()),
            account_id: opening.account.or(ending.account).map(|id| id.uuid()),
            credential: opening.credential,
            client: optional(&opening.client),
            address_class: opening.address,
            trace_id: optional(&opening.trace_id),
        }
    }
}

fn storable(text: &str) -> String {
    let without_nul = |character| if character == '\0' { char::REPLACEMENT_CHARACTER } else { character };
    text.chars().take(LONGEST_TEXT).map(without_nul).collect()
}

fn storable_arguments(arguments: &Value) -> String {
    let text = arguments.to_string();
    if text.len() > LONGEST_ARGUMENTS {
        return json!({"elided": true, "length": text.len()}).to_string();
    }
    text
}

/// Adds `rows` in `tx`.
pub(crate) async fn insert(tx: &mut Tx, rows: &[&Row]) -> Result<(), StoreError> {
    let statement = tx.dialect().text(&INSERT);
    on!(tx tx, c => query(statement).bind(Json(rows)).execute(c).await.map(|_| ()))?;
    Ok(())
}
