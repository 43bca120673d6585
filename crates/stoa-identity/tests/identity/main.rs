//! Identity on both databases.

#![cfg(test)]

mod accounts;
mod activity;
mod audit;
mod authenticate;
mod authorize;
mod house;
mod invitations;
mod lodge;
mod members;
mod oauth;
mod oidc;
mod passkeys;
mod passwords;
mod pruning;
mod queries;
mod resets;
mod revocation;
mod second_factors;
mod sessions;
mod setup_links;
mod tokens;
mod workspaces;
