//! The real binary, as a newcomer and an operator meet it: started, killed, restarted, several at once.
#![cfg(test)]

mod catalog;
mod commands;
mod documents;
mod hostile;
mod kill;
mod nodes;
mod rmcp_client;
mod support;
