//! How each agent is told of a mount, as pages show it.

use stoa_site::ALL;
use stoa_site::connect::{Agent, Way};

/// The server of all services.
const HOUSE: &str = "stoa";

/// One agent's way.
pub(crate) struct Connecting {
    pub title: &'static str,
    /// The file that the text belongs in; `None`: it is a command.
    pub file: Option<&'static str>,
    pub text: String,
}

/// What the server of a service, or of all, is called among an agent's servers.
pub(crate) fn name(service: &str) -> &str {
    if service == ALL { HOUSE } else { service }
}

/// The way of every agent.
pub(crate) fn each(way: impl Fn(Agent) -> Way) -> Vec<Connecting> {
    let one = |agent: Agent| match way(agent) {
        Way::Command(text) => Connecting { title: agent.title(), file: None, text },
        Way::File { path, content } => {
            Connecting { title: agent.title(), file: Some(path), text: format!("{content:#}") }
        }
    };
    Agent::ALL.into_iter().map(one).collect()
}
