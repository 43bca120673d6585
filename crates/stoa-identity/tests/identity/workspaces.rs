use stoa_identity::workspaces::AddWorkspaceError;
use stoa_identity::{MountId, Rejected, WorkspaceName, workspaces};
use stoa_testing::on_both;

use crate::house::{House, MIGRATIONS, email};

fn name(text: &str) -> WorkspaceName {
    text.parse().unwrap()
}

on_both! {
    async fn default_is_made_once(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let again = workspaces::ensure_default(house.db(), &house.ambient).await.unwrap();
        assert_eq!(again, house.workspace);
        assert_eq!(again.name.as_str(), "default");
    }
}

on_both! {
    async fn a_new_workspace_is_found_by_its_name_and_its_owner_owns_it(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let act = house.act("workspace add");
        let ann = &house.ann.email;
        let acme = workspaces::add(house.db(), &house.ambient, &act, name("acme"), ann).await.unwrap();
        assert_eq!(workspaces::by_name(house.db(), &name("acme")).await.unwrap(), Some(acme.clone()));
        let mut new = house.new_token(None);
        new.mount = MountId::new(acme.id, "things");
        let token = house.add_this_token(new).await;
        let caller = house.show_at(&token, &MountId::new(acme.id, "things")).await.unwrap();
        assert_eq!((caller.workspace, caller.role.as_str()), (acme.id, "owner"));
        assert_eq!(house.show(&token).await, Err(Rejected::OtherMount));
    }
}

on_both! {
    async fn a_taken_name_and_an_unknown_owner_are_refused(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (db, ambient, act) = (house.db(), &house.ambient, house.act("workspace add"));
        let taken = workspaces::add(db, ambient, &act, name("default"), &house.ann.email).await;
        assert!(matches!(taken, Err(AddWorkspaceError::NameTaken(_))));
        let unowned = workspaces::add(db, ambient, &act, name("acme"), &email("eve@example.com")).await;
        assert!(matches!(unowned, Err(AddWorkspaceError::UnknownOwner(_))));
        assert_eq!(workspaces::by_name(db, &name("acme")).await.unwrap(), None);
    }
}
