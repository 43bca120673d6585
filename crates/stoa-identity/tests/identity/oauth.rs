//! The authorization server, as its clients and its persons see it.

mod attacks;
mod authorize;
mod connections;
mod consent;
mod documents;
mod flow;
mod prune;
mod refresh;
mod register;
mod revoke;
mod support;
mod traces;
