//! Plain types of the authorization server (OAuth 2.1).

pub mod answer;
pub mod authorization;
pub mod client;
pub mod connection;
pub mod document;
pub mod error;
pub mod metadata;
pub mod pkce;
pub mod profile;
pub mod redirect_uri;
pub mod request;
pub mod trace;
