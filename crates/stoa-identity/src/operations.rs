//! What can be done to accounts, workspaces, members, installations and tokens, one file a verb.
//!
//! Who writes passes the [`Act`](stoa_store::audit::Act) under which it happens, opened in the workspace
//! concerned; the entry is in the write's own transaction. An operation that refuses leaves the act open:
//! whoever opened it closes it with the code of the refusal.
//!
//! So far their one front door is the command line on the machine itself, whose user owns the data folder
//! and needs nobody's leave.

pub mod accounts;
pub mod installations;
pub mod members;
pub mod tokens;
pub mod workspaces;
