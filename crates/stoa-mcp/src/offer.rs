//! What a mount can do (MCP, Server Capabilities): exactly what its services have.

use std::sync::Arc;

use serde::Serialize;

use crate::era::Era;
use crate::{Courtesy, Resources, Service};

/// Every method there is. Which of them a mount answers, its services decide.
pub const METHODS: [&str; 18] = [
    "completion/complete",
    "initialize",
    "logging/setLevel",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "server/discover",
    "subscriptions/listen",
    "tasks/cancel",
    "tasks/get",
    "tasks/update",
    "tools/call",
    "tools/list",
];

/// The capabilities of one mount, in the form of either era.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a capability of its own")]
pub(crate) struct Capabilities {
    tools: bool,
    prompts: bool,
    resources: bool,
    watchable: bool,
    completions: bool,
    tasks: bool,
    /// Whether a service answers what needs a session.
    courteous: bool,
}

/// As the wire has them. No list announces its changes: what is listed changes with the grant only.
#[derive(Debug, Serialize)]
pub(crate) struct Offered {
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Nothing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompts: Option<Nothing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resources: Option<OfferedResources>,
    #[serde(skip_serializing_if = "Option::is_none")]
    completions: Option<Nothing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    logging: Option<Nothing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extensions: Option<Extensions>,
}

#[derive(Debug, Serialize)]
struct Nothing {}

#[derive(Debug, Serialize)]
struct Extensions {
    #[serde(rename = "io.modelcontextprotocol/tasks")]
    tasks: Nothing,
}

#[derive(Debug, Serialize)]
struct OfferedResources {
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    subscribe: bool,
}

impl Capabilities {
    /// What these services can do together.
    pub fn of(services: &[Arc<Service>]) -> Self {
        let any = |has: fn(&Service) -> bool| services.iter().any(|service| has(service));
        let resources = |has: fn(&dyn Resources) -> bool| {
            services.iter().filter_map(|service| service.resources.as_deref()).any(has)
        };
        Self {
            tools: any(|service| !service.tools.is_empty()),
            prompts: any(|service| !service.prompts.is_empty()),
            resources: any(|service| service.resources.is_some()),
            watchable: resources(|it| it.spec().watchable),
            completions: resources(|it| it.spec().completes)
                || any(|service| service.prompts.iter().any(|prompt| prompt.spec().completes)),
            tasks: any(|service| service.tasks.is_some()),
            courteous: any(|service| service.policy.courtesy == Courtesy::Answered),
        }
    }

    /// What is offered to a client of this era.
    pub fn offered(&self, era: Era) -> Offered {
        let modern = era == Era::Modern;
        let has = |there: bool| there.then_some(Nothing {});
        let subscribe = self.watchable && (modern || self.courteous);
        Offered {
            tools: has(self.tools),
            prompts: has(self.prompts),
            resources: self.resources.then_some(OfferedResources { subscribe }),
            completions: has(self.completions),
            logging: has(self.courteous),
            extensions: (self.tasks && modern).then_some(Extensions { tasks: Nothing {} }),
        }
    }

    /// Whether tools may tell their clients something beside the answer.
    pub const fn logs(&self) -> bool {
        self.courteous
    }

    /// Whether a request for this method finds anybody.
    pub const fn answers(&self, era: Era, method: &str) -> bool {
        let modern = matches!(era, Era::Modern);
        match method.as_bytes() {
            b"tools/list" | b"tools/call" => self.tools,
            b"prompts/list" | b"prompts/get" => self.prompts,
            b"resources/list" | b"resources/templates/list" | b"resources/read" => self.resources,
            b"completion/complete" => self.completions,
            b"subscriptions/listen" => modern && self.watchable,
            b"tasks/get" | b"tasks/update" | b"tasks/cancel" => modern && self.tasks,
            b"logging/setLevel" => !modern && self.courteous,
            b"resources/subscribe" | b"resources/unsubscribe" => !modern && self.courteous && self.watchable,
            b"initialize" | b"ping" => !modern,
            b"server/discover" => modern,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_methods_holds_all_that_can_be_answered() {
        let all = Capabilities {
            tools: true,
            prompts: true,
            resources: true,
            watchable: true,
            completions: true,
            tasks: true,
            courteous: true,
        };
        let answered = |method: &str| all.answers(Era::Legacy, method) || all.answers(Era::Modern, method);
        assert!(METHODS.iter().all(|method| answered(method)), "{METHODS:?}");
        for gone in ["tasks/result", "tasks/list", "roots/list", ""] {
            assert!(!answered(gone));
        }
    }
}
