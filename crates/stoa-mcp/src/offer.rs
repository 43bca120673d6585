//! What a mount can do (MCP, Server Capabilities): exactly what its services have.

use std::sync::Arc;

use serde::Serialize;

use crate::era::Era;
use crate::{Courtesy, Method, Resources, Service};

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
    pub const fn answers(&self, era: Era, method: Method) -> bool {
        let modern = matches!(era, Era::Modern);
        match method {
            Method::ToolsList | Method::ToolsCall => self.tools,
            Method::PromptsList | Method::PromptsGet => self.prompts,
            Method::ResourcesList | Method::ResourcesTemplatesList | Method::ResourcesRead => self.resources,
            Method::CompletionComplete => self.completions,
            Method::SubscriptionsListen => modern && self.watchable,
            Method::TasksGet | Method::TasksUpdate | Method::TasksCancel => modern && self.tasks,
            Method::LoggingSetLevel => !modern && self.courteous,
            Method::ResourcesSubscribe | Method::ResourcesUnsubscribe => {
                !modern && self.courteous && self.watchable
            }
            Method::Initialize | Method::Ping => !modern,
            Method::ServerDiscover => modern,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_answered_in_some_era_where_the_services_have_everything() {
        let all = Capabilities {
            tools: true,
            prompts: true,
            resources: true,
            watchable: true,
            completions: true,
            tasks: true,
            courteous: true,
        };
        let answered = |method| all.answers(Era::Legacy, method) || all.answers(Era::Modern, method);
        assert!(Method::ALL.iter().all(|method| answered(*method)));
    }
}
