//! The real binary, as a newcomer and an operator meet it: started, killed, restarted, several at once.
#![cfg(test)]

mod bad_input;
mod catalog;
mod commands;
mod documents;
mod hostile;
mod kill;
mod nodes;
mod proxies;
mod raw;
mod rmcp_client;
mod setup;
mod support;
mod tls;
