//! The argument that names a resource, the same in every tool that takes one.

use serde::Deserialize;
use stoa_mcp::Argument;
use stoa_store::audit::Mark;

/// The arguments of a tool that takes a resource and nothing else.
#[derive(Deserialize)]
pub(super) struct OneResource {
    /// The resource's id.
    pub(super) resource_id: String,
}

/// The argument.
pub(super) fn argument() -> Argument {
    Argument::text("resource_id", "The resource's id, from list_resources.")
        .max_chars(64)
        .required()
        .mark(Mark::Keep)
}
