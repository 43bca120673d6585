use std::collections::BTreeSet;
use std::sync::Arc;

use stoa_base::WorkspaceId;
use stoa_identity::{
    Authorized, Caller, MountId, Reach, Refusal, Right, Role, Target, authorize, authorize_workspace,
    installations,
};
use stoa_store::{Database, StoreError};
use stoa_testing::on_both;
use uuid::Uuid;

use crate::house::{House, MIGRATIONS};

struct Read;
impl Right for Read {
    const NAME: &'static str = "read";
    const SCOPE: &'static str = "things:read";
    const LEAST_ROLE: Role = Role::Member;
}

struct Export;
impl Right for Export {
    const NAME: &'static str = "export";
    const SCOPE: &'static str = "things:read";
    const LEAST_ROLE: Role = Role::Admin;
}

struct Command;
impl Right for Command {
    const NAME: &'static str = "command";
    const SCOPE: &'static str = "resources:command";
    const LEAST_ROLE: Role = Role::Member;
}

/// An installation stands in for a service's resource: it, too, belongs to a workspace.
#[derive(Debug)]
struct Resource(Uuid);
impl Target for Resource {
    type Id = Uuid;

    async fn find(db: &Database, caller: &Caller, id: &Uuid) -> Result<Option<Self>, StoreError> {
        let own = installations::list(db, caller.workspace).await?;
        let found = own.iter().any(|own| own.id.uuid() == *id) && caller.reach.includes(*id);
        Ok(found.then_some(Self(*id)))
    }
}

/// A caller of the house, and a resource that is there.
async fn caller_and_resource(house: &House) -> (Arc<Caller>, Uuid) {
    let token = house.add_token(None).await;
    (house.show(&token).await.unwrap(), token.installation.uuid())
}

on_both! {
    async fn what_is_granted_and_found_is_authorized(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (caller, resource) = caller_and_resource(&house).await;
        let authorized: Authorized<Resource, Read> =
            authorize(house.db(), &caller, &resource).await.unwrap();
        assert_eq!(authorized.target().0, resource);
        assert_eq!(authorized.caller(), &*caller);
    }
}

on_both! {
    async fn foreign_and_out_of_reach_are_answered_as_unknown_is(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (caller, resource) = caller_and_resource(&house).await;
        let workspace = WorkspaceId::new(&house.ambient);
        let mount = MountId::new(workspace, "things");
        let stranger = Arc::new(Caller { workspace, mount, ..(*caller).clone() });
        let bounded = Arc::new(Caller { reach: Reach::Only(BTreeSet::new()), ..(*caller).clone() });
        let foreign = authorize::<Resource, Read>(house.db(), &stranger, &resource).await.unwrap_err();
        let outside = authorize::<Resource, Read>(house.db(), &bounded, &resource).await.unwrap_err();
        let unknown = authorize::<Resource, Read>(house.db(), &caller, &Uuid::nil()).await.unwrap_err();
        for refusal in [foreign, outside, unknown] {
            assert!(matches!(refusal, Refusal::NotFound));
            assert_eq!(refusal.to_string(), "not found");
        }
    }
}

on_both! {
    async fn a_role_too_low_and_a_scope_not_granted_are_denied_whatever_the_id(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (caller, resource) = caller_and_resource(&house).await;
        let member = Arc::new(Caller { role: Role::Member, ..(*caller).clone() });
        for id in [resource, Uuid::nil()] {
            let refused = authorize::<Resource, Export>(house.db(), &member, &id).await.unwrap_err();
            assert!(matches!(refused, Refusal::Denied { right: "export" }));
            let refused = authorize::<Resource, Command>(house.db(), &caller, &id).await.unwrap_err();
            assert!(matches!(refused, Refusal::Denied { right: "command" }));
        }
        authorize::<Resource, Export>(house.db(), &caller, &resource).await.unwrap();
    }
}

on_both! {
    async fn a_right_in_the_workspace_needs_scope_and_role(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (caller, _) = caller_and_resource(&house).await;
        let member = Arc::new(Caller { role: Role::Member, ..(*caller).clone() });
        assert_eq!(authorize_workspace::<Read>(&member).unwrap().caller().workspace, house.workspace.id);
        assert!(matches!(authorize_workspace::<Export>(&member), Err(Refusal::Denied { .. })));
        assert!(matches!(authorize_workspace::<Command>(&caller), Err(Refusal::Denied { .. })));
        authorize_workspace::<Export>(&caller).unwrap();
    }
}
