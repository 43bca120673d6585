//! Plain types: who somebody is, what they hold, what they may do.

pub mod account;
pub mod activity;
pub mod caller;
pub mod email;
pub mod installation;
pub mod invitation;
pub mod link;
pub mod membership;
pub mod mount;
pub mod oauth;
pub mod oidc_link;
pub mod passkey;
pub mod reach;
pub mod role;
pub mod scopes;
pub mod session;
pub mod token;
pub mod visit;
pub mod workspace;
