//! What callers do, and what must come of it.

use std::cell::RefCell;
use std::path::Path;

use serde_json::{Value, json};

use super::Soak;
use crate::Outcome;
use crate::place::Place;
use crate::request::{Asked, Era};
use crate::words::{ALL, word};

/// What callers know from the beginning, and what they were told last.
pub struct Known {
    /// The resource of the folder.
    pub resource: String,
    /// A token for everything.
    pub token: String,
    /// One that may only read things.
    pub reader: String,
    /// One that was revoked.
    revoked: String,
    /// A resource of another workspace.
    foreign: String,
    /// The last thing found.
    pub thing: RefCell<String>,
    /// The last run begun.
    pub run: RefCell<String>,
}

impl Known {
    pub async fn prepare(place: &Place<'_>, folder: &Path) -> Outcome<Self> {
        place.add_owner().await?;
        place.add_workspace("other").await?;
        let reader = place.add_token_with(&["--scopes", "things:read"]).await?;
        let revoked = place.add_token().await?;
        place.stoa(&["token", "revoke", revoked["id"].as_str().ok_or("no token")?]).await?;
        let text = |token: &Value| token["token"].as_str().map(str::to_owned).ok_or("no token");
        Ok(Self {
            resource: place.add_folder(folder).await?,
            token: place.owner_token().await?,
            reader: text(&reader)?,
            revoked: text(&revoked)?,
            foreign: place.add_folder_in("other", folder).await?,
            thing: RefCell::default(),
            run: RefCell::default(),
        })
    }
}

/// What must come of an act.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// A result; where its object may be gone, the error that says so.
    Done,
    /// A result, and with it an entry in the audit that no `kill -9` takes back.
    Written,
    /// A refusal, noted likewise, which holds this text.
    Denied(&'static str),
    /// This HTTP status.
    Status(u16),
}

/// One call.
pub struct Act {
    pub name: &'static str,
    pub request: Vec<u8>,
    pub expect: Expect,
}

/// What a failed call is answered with; a result has no such member.
pub const FAILED: &str = "\"isError\":true";
/// What a gone object is answered with.
const GONE: &str = "ActiveRecord::RecordNotFound";
/// What `analyze_thing` says of one whose last file has gone a moment ago.
const NOWHERE: &str = "this thing is gone from every resource";

fn is_gone(body: &str) -> bool {
    body.contains(GONE) || body.contains(NOWHERE)
}

impl Expect {
    /// Whether it came.
    pub fn is_met(self, status: u16, body: &str) -> bool {
        match self {
            Self::Done | Self::Written => status == 200 && (!body.contains(FAILED) || is_gone(body)),
            Self::Denied(text) => status == 200 && body.contains(text),
            Self::Status(expected) => status == expected,
        }
    }
}

impl Act {
    /// Any of them, to be sent to this port.
    pub fn any(soak: &Soak<'_>, port: u16) -> Self {
        let known = &soak.known;
        let era = Era::ALL[soak.chance(2)];
        let resource = || json!({ "resource_id": known.resource });
        let make = |name, token: &str, asked: Asked, expect| Self {
            name,
            request: asked.request(era, port, token),
            expect,
        };
        let call = |tool: &'static str, arguments: Value, expect| {
            make(tool, &known.token, Asked::call(tool, &arguments), expect)
        };
        match soak.chance(24) {
            0..=6 => call("search_things", query(soak), Expect::Done),
            7..=10 => call("get_thing", json!({ "id": *known.thing.borrow() }), Expect::Done),
            11 | 12 => call("list_resources", json!({}), Expect::Done),
            13 | 14 => call("list_runs", json!({ "limit": 5 }), Expect::Done),
            15 => call("check_resource", resource(), Expect::Done),
            16 => call("sync_resource", resource(), Expect::Written),
            17 => {
                call("analyze_thing", json!({ "id": *known.thing.borrow(), "force": true }), Expect::Written)
            }
            18 => call("cancel_run", json!({ "run_id": *known.run.borrow() }), Expect::Written),
            19 => {
                let asked = Asked::call("sync_resource", &resource());
                make("outside the grant", &known.reader, asked, Expect::Denied("Tool not found"))
            }
            20 => {
                let asked = Asked::call("sync_resource", &json!({ "resource_id": known.foreign }));
                make("of another tenant", &known.token, asked, Expect::Denied(GONE))
            }
            21 => make("revoked token", &known.revoked, Asked::list(), Expect::Status(401)),
            22 => {
                let asked = Asked::call("search_things", &json!({ "query": 7, "limit": "x" }));
                make("bad argument", &known.token, asked, Expect::Denied("ArgumentError"))
            }
            _ => {
                let mut act = make("not JSON", &known.token, Asked::list(), Expect::Status(400));
                let last = act.request.len() - 1;
                act.request[last] = b'{';
                act
            }
        }
    }
}

fn query(soak: &Soak<'_>) -> Value {
    match soak.chance(5) {
        0 => json!({}),
        1 => json!({ "query": ALL, "limit": 200 }),
        2 => json!({ "query": format!("{}*", &word(7_001)[..2]), "folder": "a" }),
        _ => json!({ "query": word(1 + soak.chance(2_000) as u64) }),
    }
}
