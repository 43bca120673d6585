use std::time::Duration;

use stoa_base::InstallationId;
use stoa_identity::{ClientKind, Connection, Rejected, TokenPlace, installations, workspaces};
use stoa_store::audit::AddressClass;
use stoa_testing::on_both;

use super::support::{CALLBACK, Client};
use crate::house::{House, MIGRATIONS};

async fn connections(house: &House) -> Vec<Connection> {
    let (db, ambient) = (house.db(), &house.ambient);
    installations::of_account(db, ambient, house.workspace.id, house.ann.id).await.unwrap()
}

fn place(house: &House, installation: InstallationId) -> TokenPlace {
    TokenPlace { workspace: house.workspace.id, installation }
}

on_both! {
    async fn a_person_sees_what_is_connected_and_where_from(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let personal = house.add_token(None).await;
        house.clock.advance(Duration::from_millis(1));
        let client = Client::registered(&house).await;
        client.tokens().await;
        let shown = connections(&house).await;
        let [connected, by_hand] = shown.as_slice() else { panic!("two: {shown:?}") };
        let registered = connected.client.as_ref().unwrap();
        assert_eq!((registered.kind, registered.name.as_deref()), (ClientKind::Registered, Some("Example")));
        assert_eq!((registered.client_id.as_str(), registered.redirect_uri.as_deref()),
            (client.id.as_str(), Some(CALLBACK)));
        assert_eq!((connected.address, connected.has_tokens), (AddressClass::Public, true));
        assert_eq!(connected.installation.grant.run_budget, Some(5));
        assert_eq!((by_hand.installation.id, by_hand.client.as_ref()), (personal.installation, None));
        house.clock.advance(Duration::from_hours(721));
        let live: Vec<_> = connections(&house).await.iter().map(|one| one.has_tokens).collect();
        assert_eq!(live, [false, true]);
    }
}

on_both! {
    async fn others_and_other_workspaces_are_not_in_the_list(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        client.tokens().await;
        let bob = house.add_account("bob@example.com").await;
        let (db, ambient, act) = (house.db(), &house.ambient, house.act("workspace add"));
        let acme = workspaces::add(db, ambient, &act, "acme".parse().unwrap(), &house.ann.email).await.unwrap();
        assert_eq!(installations::of_account(db, ambient, house.workspace.id, bob.id).await.unwrap(), []);
        assert_eq!(installations::of_account(db, ambient, acme.id, house.ann.id).await.unwrap(), []);
    }
}

on_both! {
    async fn ending_one_ends_its_tokens_and_codes_and_no_other_s(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let (tokens, other) = (client.tokens().await, client.tokens().await);
        let installation = client.show(&tokens).await.unwrap().installation;
        let (db, ambient, act) = (house.db(), &house.ambient, house.act("installation end"));
        assert!(installations::end(db, ambient, &act, house.ann.id, &place(&house, installation)).await.unwrap());
        assert_eq!(client.show(&tokens).await, Err(Rejected::Revoked));
        assert!(client.refresh(&tokens, &[]).await.is_err());
        client.show(&other).await.unwrap();
        let act = house.act("installation end");
        assert!(!installations::end(db, ambient, &act, house.ann.id, &place(&house, installation)).await.unwrap());
    }
}

on_both! {
    async fn only_its_person_renames_an_installation(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let tokens = client.tokens().await;
        let installation = place(&house, client.show(&tokens).await.unwrap().installation);
        let bob = house.add_account("bob@example.com").await;
        let rename = async |account, label: &str| {
            installations::rename(house.db(), &house.act("rename"), account, &installation, label).await.unwrap()
        };
        assert!(!rename(bob.id, "mine").await && !rename(house.ann.id, " \n ").await);
        assert_eq!(client.show(&tokens).await.unwrap().label, "laptop");
        assert!(rename(house.ann.id, "the\ndesk").await);
        assert_eq!(client.show(&tokens).await.unwrap().label, "the desk");
    }
}
