//! The store on real databases: every test that touches one runs on SQLite and on PostgreSQL.

#![cfg(test)]

mod audit;
mod audit_chain;
mod blob;
mod lease;
mod migrations;
mod queries;
mod secret;
mod support;
mod tx;
mod wake;
