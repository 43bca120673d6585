//! `/things/mcp`: the tools, as a client meets them.

mod audit;
mod beyond;
mod refusals;
mod walk;
