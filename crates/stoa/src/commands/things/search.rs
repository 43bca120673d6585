//! `stoa things search`.

use std::fmt;

use clap::Args;
use serde::Serialize;
use serde_json::json;
use stoa_identity::WorkspaceName;
use things::model::SelectorArguments;
use things::operations::ThingsError;
use things::operations::search_things::{Found, SearchThings, search_things};

use super::operator;
use crate::commands::Context;
use crate::failure::Failure;
use crate::house::{House, end};
use crate::output::columns;
use crate::services;

/// Arguments of `stoa things search`.
#[derive(Debug, Args)]
pub struct Search {
    /// Words that must all occur; "a phrase", -without, prefix*
    query: String,
    /// How many at most
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u8).range(1..=200))]
    limit: u8,
    /// The workspace [default: default]
    #[arg(long, value_name = "NAME")]
    workspace: Option<WorkspaceName>,
}

#[derive(Debug, Serialize)]
#[serde(transparent)]
struct Page(Found);

impl Search {
    /// Prints what was found, best first.
    ///
    /// # Errors
    /// [`Failure::Things`] says what is wrong with the query.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        let workspace = house.workspace(self.workspace.as_ref()).await?.id;
        let caller = operator(workspace, &house.ambient)?;
        let act = house.act(workspace, "things search", json!({ "query": self.query, "limit": self.limit }));
        let found = async {
            let arguments = SelectorArguments { query: Some(self.query), ..SelectorArguments::default() };
            let selector = arguments.parse().map_err(ThingsError::from)?;
            let asked = SearchThings { selector, limit: self.limit.into(), cursor: None };
            search_things(&services::things(house), &caller, &asked).await
        };
        context.output.print(&Page(end(&act, found.await).await?))
    }
}

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Found { things, total, total_is_lower_bound, completeness, .. } = &self.0;
        let rows = things.iter().map(|thing| {
            let place = thing.references.first().map_or_else(String::new, |reference| reference.key.clone());
            [thing.id.to_string(), thing.kind.to_string(), thing.title.clone(), place]
        });
        if !things.is_empty() {
            columns(f, ["ID", "KIND", "TITLE", "WHERE"], &rows.collect::<Vec<_>>())?;
        }
        let more = if *total_is_lower_bound { " or more" } else { "" };
        let count = things.len();
        write!(
            f,
            "{count} of {total}{more}; {} of {} places are synced",
            completeness.synced, completeness.of
        )
    }
}
