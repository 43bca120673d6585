//! Identity on both databases.

#![cfg(test)]

mod accounts;
mod audit;
mod authenticate;
mod authorize;
mod house;
mod members;
mod oauth;
mod queries;
mod revocation;
mod tokens;
mod workspaces;
