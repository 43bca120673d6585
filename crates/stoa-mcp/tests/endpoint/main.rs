//! The whole way of a request, in process, on a database of each test's own.

mod abandoned;
mod audit;
mod beyond;
mod calls;
mod eras;
mod fixture;
mod limits;
mod listen;
mod manifest;
mod prompts_resources;
mod refusals;
mod rounds;
mod rude_clients;
mod stand;
mod streams;
mod tasks;
