//! How each agent is told of a mount, as pages show it.

use stoa_site::connect::{Agent, Way};

/// One agent's way.
pub(crate) struct Connecting {
    pub title: &'static str,
    /// The file that the text belongs in; `None`: it is a command.
    pub file: Option<&'static str>,
    pub text: String,
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
