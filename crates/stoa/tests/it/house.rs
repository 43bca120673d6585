//! What holds for the house as a whole: queries, manifests, and that everything has its refusal test.

mod manifests;
mod queries;
mod routes;
