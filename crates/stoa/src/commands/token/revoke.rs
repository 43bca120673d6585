//! `stoa token revoke`.

use std::fmt;

use clap::Args;
use serde::Serialize;
use serde_json::json;
use stoa_identity::{TokenId, tokens};

use crate::commands::Context;
use crate::failure::Failure;
use crate::house::{House, end};

/// Arguments of `stoa token revoke`.
#[derive(Debug, Args)]
pub struct Revoke {
    /// The token's id, as `stoa token list` shows it
    id: TokenId,
}

#[derive(Debug, Serialize)]
struct Revoked {
    id: TokenId,
    /// Whether it was good until now.
    revoked: bool,
}

impl Revoke {
    /// Revokes the token, whichever workspace it is in.
    ///
    /// # Errors
    /// [`Failure::UnknownToken`], or the database's failure.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        let place = tokens::find(&house.db, self.id.uuid()).await?;
        let place = place.ok_or_else(|| Failure::UnknownToken(self.id.to_string()))?;
        let act = house.act(place.workspace, "token revoke", json!({ "id": self.id }));
        let revoked = end(&act, tokens::revoke(&house.db, &house.ambient, &act, &place).await).await?;
        context.output.print(&Revoked { id: self.id, revoked })
    }
}

impl fmt::Display for Revoked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.revoked { "revoked" } else { "had ended before:" };
        write!(f, "{how} {}", self.id)
    }
}
