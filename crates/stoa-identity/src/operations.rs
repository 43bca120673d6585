//! What can be done to accounts, workspaces, members, installations and tokens, and how people sign in, one file a
//! verb.
//!
//! Who writes passes the [`Act`](stoa_store::audit::Act) under which it happens, opened in the workspace
//! concerned; the entry is in the write's own transaction. An operation that refuses leaves the act open:
//! whoever opened it closes it with the code of the refusal.
//!
//! Their front doors are the pages, where a person acts who is signed in (what they may do to others is decided by
//! an [`Authorized`](crate::Authorized), as everywhere), and the command line on the machine itself, whose user owns
//! the data folder and needs nobody's leave. What a person does for themselves takes the person's account and touches
//! nothing of anybody else's. What concerns how people sign in takes a [`Door`](crate::Door).

pub mod accounts;
pub mod activity;
mod ceremonies;
pub mod installations;
pub mod invitations;
pub mod members;
pub mod oauth;
pub mod oidc;
pub mod passkeys;
pub mod passwords;
pub mod prune;
pub mod resets;
pub mod second_factors;
pub mod sessions;
pub mod setup_links;
mod throttle;
pub mod tokens;
pub mod traces;
pub mod workspaces;
