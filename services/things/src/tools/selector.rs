//! The selector's arguments, the same in every tool that takes one.

use stoa_mcp::Argument;
use stoa_store::audit::Mark;

use crate::model::Kind;

/// The words for the kinds.
const KINDS: &[&str] = &Kind::WORDS;

/// The selector's arguments. What is left out widens it.
pub(super) fn arguments() -> Vec<Argument> {
    vec![
        Argument::text(
            "query",
            "Words to find in titles, paths and text; all must match. \"a phrase\", -without, prefix*. \
             Leave out to list the newest.",
        )
        .max_chars(1_000)
        .mark(Mark::Keep),
        Argument::choice("kind", "Only this kind.", KINDS).mark(Mark::Keep),
        Argument::text("resource_id", "Only what lies in this resource (an id from list_resources).")
            .max_chars(64)
            .mark(Mark::Keep),
        Argument::text("folder", "Only what lies below this folder of a resource, such as 2024/invoices.")
            .max_chars(4_000)
            .mark(Mark::Keep),
        Argument::text("since", "Only what was catalogued at this ISO 8601 instant or later.")
            .max_chars(64)
            .mark(Mark::Keep),
        Argument::text("before", "Only what was catalogued before this ISO 8601 instant.")
            .max_chars(64)
            .mark(Mark::Keep),
    ]
}
