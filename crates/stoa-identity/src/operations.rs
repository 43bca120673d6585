//! What can be done to accounts, workspaces, members, installations and tokens, one file a verb.
//!
//! Who writes passes the [`Act`](stoa_store::audit::Act) under which it happens, opened in the workspace
//! concerned; the entry is in the write's own transaction. An operation that refuses leaves the act open:
//! whoever opened it closes it with the code of the refusal.
//!
//! The command line on the machine itself needs nobody's leave: its user owns the data folder. What a person does for
//! themselves takes the person's account and touches nothing of anybody else's.

pub mod accounts;
pub mod installations;
pub mod members;
pub mod oauth;
pub mod tokens;
pub mod traces;
pub mod workspaces;
