//! Who calls operations in these tests.

use std::sync::Arc;

use serde_json::json;
use stoa_base::{Id, WorkspaceId};
use stoa_identity::{Caller, MountId, Reach, Role};
use stoa_store::audit::{Act, AddressClass, Audit, Channel, Credential, Opening};
use things::model::ResourceId;

use crate::house::House;

impl House {
    /// A member of the workspace, with a grant of everything.
    pub fn member(&self) -> Caller {
        self.member_of(self.workspace)
    }

    /// A member of some workspace.
    pub fn member_of(&self, workspace: WorkspaceId) -> Caller {
        Caller {
            workspace,
            account: Id::new(self.ambient()),
            role: Role::Member,
            installation: Id::new(self.ambient()),
            label: "test".to_owned(),
            client: None,
            mount: MountId::new(workspace, "things"),
            scopes: things::SCOPES.iter().map(|scope| scope.name).collect(),
            reach: Reach::Everything,
            run_budget: None,
            credential: Credential::Personal,
        }
    }

    /// A member whose grant reaches these resources only.
    pub fn member_reaching(&self, resources: &[ResourceId]) -> Arc<Caller> {
        let reach = Reach::Only(resources.iter().map(ResourceId::uuid).collect());
        Arc::new(Caller { reach, ..self.member() })
    }

    /// A call of a tool under audit.
    pub fn act(&self, caller: &Caller) -> Act {
        let audit = Audit::start(self.test.db.clone(), self.ambient().clone());
        audit.open(Opening {
            workspace: caller.workspace,
            channel: Channel::Mcp,
            tool: "test".to_owned(),
            scope: None,
            arguments: json!({}),
            account: Some(caller.account),
            installation: Some(caller.installation),
            credential: caller.credential,
            client: None,
            address: AddressClass::Loopback,
            trace_id: None,
        })
    }
}
