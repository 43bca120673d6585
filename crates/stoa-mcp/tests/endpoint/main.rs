//! The whole way of a request, in process, on a database of each test's own.

mod audit;
mod calls;
mod eras;
mod fixture;
mod limits;
mod manifest;
mod refusals;
mod rude_clients;
mod stand;
mod streams;
