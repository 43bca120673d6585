//! `/things/…`.

mod mcp;
