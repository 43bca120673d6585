//! All that a workspace has: in which tables, which rows, and what of it leaves the house.

/// What an export has of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exported {
    /// Every column but these: secrets and what proves them, or what is somebody's own.
    Without(&'static [&'static str]),
    /// Nothing: it opens something, or is made anew from the rest.
    Nothing,
}

/// A table in which workspaces have rows.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its name.
    pub table: &'static str,
    /// Which rows are those of the workspace `$1`.
    pub rows: &'static str,
    /// What leaves the house.
    pub exported: Exported,
}

const OWN: &str = "workspace_id = $1";
const OF_THINGS: &str = "thing_seq IN (SELECT seq FROM thing WHERE workspace_id = $1)";
const OF_SEGMENTS: &str = "segment_id IN (SELECT id FROM thing_segment WHERE workspace_id = $1)";
const OF_RUNS: &str = "run_id IN (SELECT id FROM run WHERE workspace_id = $1)";
const OF_INSTALLATIONS: &str = "installation_id IN (SELECT id FROM installation WHERE workspace_id = $1)";
const WHOLE: Exported = Exported::Without(&[]);

const fn part(table: &'static str, rows: &'static str, exported: Exported) -> Part {
    Part { table, rows, exported }
}

/// Every such table. A test compares them with the tables that there are.
pub const PARTS: &[Part] = &[
    part("workspace", "id = $1", WHOLE),
    part("membership", OWN, WHOLE),
    part("invitation", OWN, Exported::Without(&["hash"])),
    part("installation", OWN, WHOLE),
    part("token", OWN, Exported::Nothing),
    part("oauth_client", OWN, Exported::Without(&["fingerprint", "source"])),
    part("oauth_request", OWN, Exported::Nothing),
    part("oauth_code", OWN, Exported::Nothing),
    part("oauth_trace", OWN, WHOLE),
    part("run", OWN, Exported::Without(&["lease_owner", "lease_until"])),
    part("run_follower", OF_RUNS, WHOLE),
    part("run_budget", OF_INSTALLATIONS, Exported::Nothing),
    part("resource", OWN, WHOLE),
    part("thing", OWN, WHOLE),
    part("thing_alias", OWN, WHOLE),
    part("thing_reference", OWN, WHOLE),
    part("thing_step", OF_THINGS, WHOLE),
    part("thing_text", OF_THINGS, WHOLE),
    part("thing_segment", OWN, Exported::Nothing),
    part("thing_block", OF_SEGMENTS, Exported::Nothing),
    // What somebody asked for is shown to nobody else, owners included.
    part("audit_entry", OWN, Exported::Without(&["arguments", "chain_mac"])),
    part("audit_chain", OWN, Exported::Nothing),
];

/// Of the people who belong to the workspace: who they are, and nothing by which they sign in.
pub const PEOPLE: Part = part(
    "account",
    "id IN (SELECT account_id FROM membership WHERE workspace_id = $1)",
    Exported::Without(&["password_hash"]),
);
