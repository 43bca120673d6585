//! `stoa token add`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use serde_json::json;
use stoa_base::InstallationId;
use stoa_identity::tokens::{self, NewToken};
use stoa_identity::{Email, Grant, MountId, Reach, Scopes, TokenId, WorkspaceName};

use crate::commands::Context;
use crate::failure::Failure;
use crate::house::{House, end};
use crate::services::{self, Mount};

/// Arguments of `stoa token add`.
#[derive(Debug, Args)]
pub struct Add {
    /// The person whose rights it uses
    #[arg(long, value_name = "EMAIL")]
    account: Email,
    /// Where it is good: all, rambles, things, rooms or articles
    #[arg(long)]
    mount: String,
    /// The workspace [default: default]
    #[arg(long, value_name = "NAME")]
    workspace: Option<WorkspaceName>,
    /// What it allows, separated by spaces [default: what the mount allows without OAuth]
    #[arg(long, value_name = "SCOPES")]
    scopes: Option<Scopes>,
    /// How many runs it may start in an hour [default: as configured]
    #[arg(long, value_name = "N")]
    run_budget: Option<u32>,
    /// How long it is good, such as 12h, 30d or 4w [default: until it is revoked]
    #[arg(long, value_name = "TIME")]
    expires: Option<Lifetime>,
}

/// What is printed: without `--json` the token alone, so that a shell can take it.
#[derive(Debug, Serialize)]
struct Added {
    id: TokenId,
    installation: InstallationId,
    mount: &'static str,
    workspace: WorkspaceName,
    scopes: Scopes,
    token: String,
}

impl Add {
    /// Makes the token.
    ///
    /// # Errors
    /// [`Failure`] names the mount, scope, workspace or account that there is not.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        let mount = services::mount(&self.mount)?;
        let scopes = granted(&mount, self.scopes.clone())?;
        let workspace = house.workspace(self.workspace.as_ref()).await?;
        let act = house.act(workspace.id, "token add", self.arguments(&scopes));
        let new = NewToken {
            email: self.account,
            mount: MountId::new(workspace.id, mount.name),
            grant: Grant { scopes: scopes.clone(), reach: Reach::Everything, run_budget: self.run_budget },
            expires_in: self.expires.map(|lifetime| lifetime.0),
            label: "personal token".to_owned(),
        };
        let added = end(&act, tokens::add(&house.db, &house.ambient, &act, new).await).await?;
        context.output.print(&Added {
            id: added.id,
            installation: added.installation,
            mount: mount.name,
            workspace: workspace.name,
            scopes,
            token: added.secret.expose().to_owned(),
        })
    }

    fn arguments(&self, scopes: &Scopes) -> serde_json::Value {
        json!({
            "account": self.account,
            "mount": self.mount,
            "scopes": scopes.to_string(),
            "run_budget": self.run_budget,
            "expires_seconds": self.expires.map(|lifetime| lifetime.0.as_secs()),
        })
    }
}

/// The scopes asked for, each known to the mount; none asked for stands for all that it allows without OAuth.
fn granted(mount: &Mount, asked: Option<Scopes>) -> Result<Scopes, Failure> {
    let Some(asked) = asked else { return Ok(mount.scopes().collect()) };
    if let Some(unknown) = asked.iter().find(|scope| !mount.scopes().any(|known| known == *scope)) {
        return Err(Failure::UnknownScope {
            mount: mount.name.to_owned(),
            scope: unknown.to_owned(),
            known: mount.scopes().collect::<Vec<_>>().join(" "),
        });
    }
    Ok(asked)
}

impl fmt::Display for Added {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.token)
    }
}

/// A span such as `30d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lifetime(Duration);

/// The text names no span.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("expected a number of minutes, hours, days or weeks, such as 30m, 12h, 30d or 4w")]
struct NotALifetime;

impl FromStr for Lifetime {
    type Err = NotALifetime;

    fn from_str(text: &str) -> Result<Self, NotALifetime> {
        let split = text.len().saturating_sub(1);
        let (number, unit) = text.split_at_checked(split).ok_or(NotALifetime)?;
        let number: u32 = number.parse().map_err(|_| NotALifetime)?;
        let unit = match unit {
            "m" => 60,
            "h" => 3_600,
            "d" => 86_400,
            "w" => 7 * 86_400,
            _ => return Err(NotALifetime),
        };
        if number == 0 {
            return Err(NotALifetime);
        }
        Ok(Self(Duration::from_secs(u64::from(number) * unit)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_a_number_and_a_unit() {
        assert_eq!("30d".parse(), Ok(Lifetime(Duration::from_hours(30 * 24))));
        assert_eq!("4w".parse(), Ok(Lifetime(Duration::from_hours(28 * 24))));
        for wrong in ["", "d", "30", "0d", "-1d", "1y", "1é"] {
            assert_eq!(wrong.parse::<Lifetime>(), Err(NotALifetime), "{wrong}");
        }
    }

    #[test]
    fn an_unknown_scope_is_refused_with_the_known_ones() {
        let things = services::mount("things").unwrap();
        let refusal =
            granted(&things, Some("things:read things:fly".parse().unwrap())).unwrap_err().to_string();
        assert!(refusal.contains("no scope things:fly") && refusal.contains("things:read"), "{refusal}");
        assert_eq!(granted(&things, None).unwrap(), things.scopes().collect());
    }
}
