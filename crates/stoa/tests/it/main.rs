//! The whole house in one process, on a private database for each test. The folders mirror the URLs.
#![cfg(test)]

mod flood;
mod house;
mod metrics;
mod oauth;
mod pages;
mod ready;
mod rude_clients;
mod support;
mod tenancy;
mod things;
mod well_known;
