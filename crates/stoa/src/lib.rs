//! The server and its commands as a library, so that tests can put the same house together in one process.

pub mod backup;
pub mod banner;
mod budgets;
pub mod cli;
mod client_documents;
pub mod commands;
pub mod config;
pub mod doctor;
pub mod documents;
pub mod failure;
pub mod files;
pub mod health;
pub mod house;
pub mod logs;
mod mail;
pub mod output;
pub mod provider;
pub mod schema;
pub mod serve;
pub mod services;
pub mod tenancy;
