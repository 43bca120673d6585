//! The commands, as a person or a script meets them: what they print where, their exit codes, what they refuse.

mod account;
mod audit;
mod backup;
mod connect;
mod doctor;
mod json;
mod secrecy;
mod serve;
mod settings;
mod setup_link;
mod sync;
mod things;
mod token;
mod workspace;
