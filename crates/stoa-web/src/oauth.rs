//! The authorization server of every mount: its documents, the endpoints that programs call, and the page where a
//! person says yes. What is right is decided by [`stoa_identity::OAuth`]; here it is read and said.

pub(crate) mod authorize;
pub(crate) mod consent;
mod here;
pub(crate) mod metadata;
pub(crate) mod register;
pub(crate) mod token;

pub(crate) use here::Here;
