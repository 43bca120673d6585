//! What `stoa serve` prints: what it serves, where the data is, and what to type next.

use std::fmt;

use serde::Serialize;
use serde_json::json;
use stoa_identity::accounts;
use stoa_identity::setup_links::{self, SetupLinkError};
use stoa_site::connect::TOKEN_VARIABLE;

use crate::commands::Context;
use crate::failure::Failure;
use crate::house::{House, end};
use crate::services;

/// The banner.
#[derive(Debug, Serialize)]
pub struct Banner {
    version: &'static str,
    public_url: String,
    endpoints: Vec<Endpoint>,
    data: String,
    database: &'static str,
    /// Where the owner's account is made, as long as there is none. It opens the house: it is printed once.
    #[serde(skip_serializing_if = "Option::is_none")]
    setup_link: Option<String>,
    /// The commands that lead from here to a connected agent.
    next: Vec<Step>,
}

#[derive(Debug, Serialize)]
struct Endpoint {
    name: &'static str,
    url: String,
}

#[derive(Debug, Serialize)]
struct Step {
    command: String,
    purpose: &'static str,
}

impl Banner {
    /// The banner of this house.
    ///
    /// # Errors
    /// [`Failure`] when the database does not answer.
    pub async fn of(context: &Context, house: &House) -> Result<Self, Failure> {
        let setup_link = setup_link(house).await?;
        let public_url = context.config.public_url();
        let endpoint = |mount: services::Mount| Endpoint {
            name: mount.title,
            url: format!("{public_url}{}/mcp", mount.path()),
        };
        Ok(Self {
            version: env!("CARGO_PKG_VERSION"),
            endpoints: services::mounts().map(endpoint).collect(),
            data: std::path::absolute(&house.config.data)
                .unwrap_or_else(|_| house.config.data.clone())
                .display()
                .to_string(),
            database: house.db.dialect().name(),
            next: steps(&context.program(), &public_url, setup_link.as_deref()),
            setup_link,
            public_url,
        })
    }
}

/// The link that makes the owner's account; none where there are accounts.
async fn setup_link(house: &House) -> Result<Option<String>, Failure> {
    if accounts::any(&house.db).await? {
        return Ok(None);
    }
    let act = house.act(house.default, "serve", json!({}));
    match end(&act, setup_links::issue(&house.db, &house.ambient, &act).await).await {
        Ok(link) => Ok(Some(house.config.page("setup", &link.secret))),
        // Somebody made an account just now.
        Err(Failure::SetupLink(SetupLinkError::NotEmpty)) => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// A newcomer begins with an account and something to find; whoever has been here needs only the agent.
fn steps(program: &str, public_url: &str, setup_link: Option<&str>) -> Vec<Step> {
    let step = |command: String, purpose| Step { command, purpose };
    let mut steps = Vec::new();
    if let Some(link) = setup_link {
        steps.push(step(link.to_owned(), "open this in your browser, and make your account"));
        let add = format!("{program} things add --connector folder --name NAME --set path=PATH");
        steps.push(step(add, "connect a folder; prints its ID"));
        steps.push(step(format!("{program} things sync ID --wait"), "catalog it"));
    }
    let add = format!("claude mcp add --transport http stoa {public_url}/mcp");
    steps.push(step(add, "connect an agent, here Claude Code: it opens your browser, and you say yes"));
    let token = format!("export {TOKEN_VARIABLE}=\"$({program} token add --account EMAIL --mount all)\"");
    steps.push(step(token, "or, for an agent without a browser, a token"));
    steps.push(step(
        format!("{program} connect claude"),
        "and what to run with it; also codex, cursor, gemini, vscode",
    ));
    steps
}

impl fmt::Display for Banner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Stoa {} serves {}\n", self.version, self.public_url)?;
        for endpoint in &self.endpoints {
            writeln!(f, "  {:14}{}", endpoint.name, endpoint.url)?;
        }
        writeln!(f, "  {:14}{} ({})", "data", self.data, self.database)?;
        writeln!(f, "\nConnect an agent, in another terminal:\n")?;
        for (place, step) in self.next.iter().enumerate() {
            writeln!(f, "  {}. {}\n     {}", place + 1, step.purpose, step.command)?;
        }
        writeln!(f, "\nCtrl-C stops.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newcomer_is_led_from_the_account_on_and_others_from_the_token_on() {
        let commands = |link| {
            steps("stoa", "http://localhost:8787", link)
                .into_iter()
                .map(|step| step.command)
                .collect::<Vec<_>>()
        };
        let (newcomers, others) = (commands(Some("http://localhost:8787/setup#x")), commands(None));
        assert_eq!(newcomers[0], "http://localhost:8787/setup#x");
        assert!(others[0].contains("mcp add") && others[1].contains("token add"));
        assert!(others.iter().all(|command| newcomers.contains(command)));
    }
}
