//! `stoa setup-link`: the link that makes the owner's account.

use std::fmt;

use serde::Serialize;
use serde_json::json;
use stoa_base::Timestamp;
use stoa_identity::setup_links;

use crate::commands::Context;
use crate::failure::Failure;
use crate::house::{House, end};

/// What is printed: without `--json` the link alone.
#[derive(Debug, Serialize)]
struct Link {
    url: String,
    expires_at: Timestamp,
}

/// Makes a new link; the one before it is no longer good.
///
/// # Errors
/// [`Failure::SetupLink`] where there are accounts, or the database's failure.
pub async fn run(context: &Context, house: &House) -> Result<(), Failure> {
    let act = house.act(house.default, "setup-link", json!({}));
    let link = end(&act, setup_links::issue(&house.db, &house.ambient, &act).await).await?;
    let url = house.config.page("setup", &link.secret);
    context.output.print(&Link { url, expires_at: link.expires_at })
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}
