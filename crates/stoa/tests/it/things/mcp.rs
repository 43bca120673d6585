//! `/things/mcp`: the tools, as a client meets them.

mod audit;
mod refusals;
mod walk;
