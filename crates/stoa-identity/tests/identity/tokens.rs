use std::time::Duration;

use stoa_base::Id;
use stoa_identity::tokens::AddTokenError;
use stoa_identity::{ClientInfo, MountId, TokenPlace, installations, tokens, workspaces};
use stoa_testing::{START, on_both};

use crate::house::{House, MIGRATIONS, email};

on_both! {
    async fn a_list_shows_all_of_a_token_but_its_secret(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let token = house.add_token(Some(Duration::from_mins(1))).await;
        let listed = tokens::list(house.db(), house.workspace.id).await.unwrap();
        let [record] = listed.as_slice() else { panic!("one token: {listed:?}") };
        assert_eq!((record.id, record.installation.id), (token.id, token.installation));
        assert_eq!((record.email.as_str(), record.workspace.as_str()), ("ann@example.com", "default"));
        assert_eq!(record.installation.mount, house.things());
        assert_eq!(record.installation.grant.scopes.to_string(), "things:read things:run");
        assert_eq!(record.created_at, START);
        assert_eq!(record.expires_at, Some(START.plus(Duration::from_mins(1))));
        assert_eq!(record.revoked_at, None);
        let shown = serde_json::to_string(record).unwrap();
        assert!(!shown.contains(token.secret.expose()) && !shown.contains("hash"));
    }
}

on_both! {
    async fn a_token_is_found_and_revoked_by_its_id_or_its_installation_s(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let token = house.add_token(None).await;
        let place = TokenPlace { workspace: house.workspace.id, installation: token.installation };
        assert_eq!(tokens::find(house.db(), token.id.uuid()).await.unwrap(), Some(place));
        assert_eq!(tokens::find(house.db(), token.installation.uuid()).await.unwrap(), Some(place));
        assert_eq!(tokens::find(house.db(), house.ann.id.uuid()).await.unwrap(), None);
        house.clock.advance(Duration::from_secs(5));
        let act = house.act("token revoke");
        assert!(tokens::revoke(house.db(), &house.ambient, &act, &place).await.unwrap());
        let listed = tokens::list(house.db(), house.workspace.id).await.unwrap();
        assert_eq!(listed[0].revoked_at, Some(START.plus(Duration::from_secs(5))));
    }
}

on_both! {
    async fn the_list_and_revocation_of_one_workspace_leave_another_alone(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (db, ambient, act) = (house.db(), &house.ambient, house.act("workspace add"));
        let acme = "acme".parse().unwrap();
        let acme = workspaces::add(db, ambient, &act, acme, &house.ann.email).await.unwrap();
        let token = house.add_token(None).await;
        assert_eq!(tokens::list(db, acme.id).await.unwrap(), []);
        assert_eq!(installations::list(db, acme.id).await.unwrap(), []);
        let wrong = TokenPlace { workspace: acme.id, installation: token.installation };
        assert!(!tokens::revoke(db, ambient, &house.act("token revoke"), &wrong).await.unwrap());
        house.show(&token).await.unwrap();
    }
}

on_both! {
    async fn only_members_get_tokens(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let mut unknown = house.new_token(None);
        unknown.email = email("eve@example.com");
        let mut foreign = house.new_token(None);
        foreign.mount = MountId::new(Id::new(&house.ambient), "things");
        let (db, ambient, act) = (house.db(), &house.ambient, house.act("token add"));
        let refused = tokens::add(db, ambient, &act, unknown).await;
        assert!(matches!(refused, Err(AddTokenError::UnknownAccount(_))));
        let refused = tokens::add(db, ambient, &act, foreign).await;
        assert!(matches!(refused, Err(AddTokenError::NotAMember(_))));
        assert_eq!(tokens::list(db, house.workspace.id).await.unwrap(), []);
    }
}

on_both! {
    async fn label_and_client_are_kept_as_one_clean_line(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let mut new = house.new_token(None);
        new.label = format!(" my\n\0laptop {}", "x".repeat(200));
        let token = house.add_this_token(new).await;
        let caller = house.show(&token).await.unwrap();
        assert!(caller.label.starts_with("my \u{fffd}laptop x") && caller.label.chars().count() == 100);
        let client = ClientInfo { name: "claude\u{202e}-code".to_owned(), version: "2.1.0".to_owned() };
        installations::note_client(house.db(), &caller, &client).await.unwrap();
        let listed = installations::list(house.db(), house.workspace.id).await.unwrap();
        let clean = ClientInfo { name: "claude-code".to_owned(), version: "2.1.0".to_owned() };
        assert_eq!(listed[0].client, Some(clean));
    }
}
