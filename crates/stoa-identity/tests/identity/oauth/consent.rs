use std::time::Duration;

use stoa_base::InstallationId;
use stoa_identity::oauth::{Asked, ConsentError};
use stoa_identity::{ClientMetadata, Decision, Person, Reach, TokenPlace, installations};
use stoa_testing::on_both;
use uuid::Uuid;

use super::support::{Client, ann, count, decision, metadata, query, visit};
use crate::house::{House, MIGRATIONS};

const INSTALLATIONS: &str = "SELECT COUNT(*) FROM installation";

on_both! {
    async fn loading_the_page_twice_breaks_nothing_and_of_two_clicks_one_counts(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let (server, profile) = (&client.server, &client.profile);
        let handle = client.waits(&[]).await;
        for _ in 0..3 {
            let page = server.page(profile, &handle, ann(&house)).await.unwrap().unwrap();
            assert_eq!(page.scopes.to_string(), "resources:command things:read things:write");
            assert_eq!((page.required.to_string().as_str(), page.client.name.as_deref()), ("things:read", Some("Example")));
            assert_eq!((page.before, page.earlier, page.preselected), (None, vec![], None));
        }
        let (visit, ann) = (visit(), ann(&house));
        let click = || server.approve(profile, &handle, ann, decision(), &visit);
        let (one, other) = tokio::join!(click(), click());
        let (good, bad): (Vec<_>, Vec<_>) = [one, other].into_iter().partition(Result::is_ok);
        assert_eq!(good.len(), 1);
        assert!(matches!(bad[0], Err(ConsentError::NothingWaits)));
        assert!(matches!(click().await, Err(ConsentError::NothingWaits)));
        assert!(server.page(profile, &handle, ann).await.unwrap().is_none());
        assert_eq!(count(&house, INSTALLATIONS).await, 1);
    }
}

on_both! {
    async fn a_page_is_good_in_its_session_for_a_quarter_of_an_hour(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let bob = house.add_account("bob@example.com").await;
        let client = Client::registered(&house).await;
        let (server, profile) = (&client.server, &client.profile);
        let handle = client.waits(&[]).await;
        let other_session = Person { session: Uuid::from_u128(2), ..ann(&house) };
        let other_person = Person { account: bob.id, ..ann(&house) };
        for person in [other_session, other_person] {
            assert!(server.page(profile, &handle, person).await.unwrap().is_none());
            let refused = server.approve(profile, &handle, person, decision(), &visit()).await;
            assert!(matches!(refused, Err(ConsentError::NothingWaits)));
            let refused = server.cancel(profile, &handle, person, &visit()).await;
            assert!(matches!(refused, Err(ConsentError::NothingWaits)));
        }
        let mut elsewhere = profile.clone();
        elsewhere.mount.service = "rooms".to_owned();
        assert!(server.page(&elsewhere, &handle, ann(&house)).await.unwrap().is_none());
        for handle in ["", "x", &handle[1..], &handle.replace("con", "oat")] {
            assert!(server.page(profile, handle, ann(&house)).await.unwrap().is_none());
        }
        house.clock.advance(Duration::from_secs(899));
        assert!(server.page(profile, &handle, ann(&house)).await.unwrap().is_some());
        house.clock.advance(Duration::from_secs(1));
        assert!(server.page(profile, &handle, ann(&house)).await.unwrap().is_none());
        let refused = server.approve(profile, &handle, ann(&house), decision(), &visit()).await;
        assert!(matches!(refused, Err(ConsentError::NothingWaits)));
        assert_eq!(count(&house, INSTALLATIONS).await, 0);
    }
}

on_both! {
    async fn cancel_answers_access_denied_and_grants_nothing(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let handle = client.waits(&[]).await;
        let to = client.server.cancel(&client.profile, &handle, ann(&house), &visit()).await.unwrap();
        let answer = query(&to);
        assert_eq!((answer["error"].as_str(), answer["state"].as_str()), ("access_denied", "s1"));
        assert_eq!(answer["iss"], "https://stoa.example.com/things");
        let refused = client.server.approve(&client.profile, &handle, ann(&house), decision(), &visit()).await;
        assert!(matches!(refused, Err(ConsentError::NothingWaits)));
        assert_eq!(count(&house, INSTALLATIONS).await, 0);
    }
}

on_both! {
    async fn no_more_is_granted_than_was_asked_for_and_the_required_always(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let handle = client.waits(&[("scope", "things:read things:write")]).await;
        for scopes in ["resources:command", "things:read resources:command", "admin"] {
            let more = Decision { scopes: scopes.parse().unwrap(), ..decision() };
            let refused = client.server.approve(&client.profile, &handle, ann(&house), more, &visit()).await;
            assert!(matches!(refused, Err(ConsentError::NotAsked)), "{scopes}");
        }
        let nothing = Decision { scopes: "".parse().unwrap(), ..decision() };
        let to = client.approve(&handle, nothing).await;
        let tokens = client.redeem(&query(&to)["code"], &[]).await.unwrap();
        assert_eq!(tokens.scope.to_string(), "things:read");
    }
}

on_both! {
    async fn a_new_installation_or_an_earlier_one(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let first = client.show(&client.tokens().await).await.unwrap().installation;
        let page = async |handle: &str| {
            client.server.page(&client.profile, handle, ann(&house)).await.unwrap().unwrap()
        };
        let handle = client.waits(&[]).await;
        let shown = page(&handle).await;
        assert_eq!((shown.earlier.len(), shown.earlier[0].id, shown.preselected), (1, first, None), "it is live");
        assert_eq!(shown.before.as_ref().map(|before| before.run_budget), Some(Some(5)));
        client.approve(&handle, Decision { label: String::new(), ..decision() }).await;
        // The first one's tokens end, so that its client comes again.
        house.clock.advance(Duration::from_hours(721));
        let handle = client.waits(&[]).await;
        let shown = page(&handle).await;
        assert_eq!((shown.earlier.len(), shown.preselected), (2, None), "two are idle");
        let place = TokenPlace { workspace: house.workspace.id, installation: shown.earlier[1].id };
        let other = shown.earlier.iter().find(|one| one.id != first).unwrap();
        assert_eq!(other.label, "Example", "without a label, the client's name");
        let ended = TokenPlace { installation: other.id, ..place };
        installations::end(house.db(), &house.ambient, &house.act("end"), house.ann.id, &ended).await.unwrap();
        assert_eq!(page(&handle).await.preselected, Some(first));
        let again = Decision { continue_as: Some(first), label: "desk".to_owned(), ..decision() };
        let to = client.approve(&handle, again).await;
        let tokens = client.redeem(&query(&to)["code"], &[]).await.unwrap();
        let caller = client.show(&tokens).await.unwrap();
        assert_eq!((caller.installation, caller.label.as_str()), (first, "desk"));
    }
}

on_both! {
    async fn what_is_gone_on_as_is_the_same_client_s_and_person_s_here(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (client, other) = (Client::registered(&house).await, Client::named(&house, "Other").await);
        let bob = house.add_account("bob@example.com").await;
        let foreign = other.show(&other.tokens().await).await.unwrap().installation;
        let personal = house.add_token(None).await.installation;
        let handle = client.waits(&[]).await;
        for id in [foreign, personal, InstallationId::new(&house.ambient)] {
            let stolen = Decision { continue_as: Some(id), ..decision() };
            let refused = client.server.approve(&client.profile, &handle, ann(&house), stolen, &visit()).await;
            assert!(matches!(refused, Err(ConsentError::NotThere)));
        }
        assert!(client.server.page(&client.profile, &handle, ann(&house)).await.unwrap().is_some(), "it still waits");
        let place = TokenPlace { workspace: house.workspace.id, installation: foreign };
        let act = house.act("end");
        assert!(!installations::end(house.db(), &house.ambient, &act, bob.id, &place).await.unwrap());
    }
}

on_both! {
    async fn at_most_twenty_pages_of_a_person_wait(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let first = client.waits(&[]).await;
        let mut last = String::new();
        for _ in 0..20 {
            house.clock.advance(Duration::from_millis(1));
            last = client.waits(&[]).await;
        }
        assert_eq!(count(&house, "SELECT COUNT(*) FROM oauth_request").await, 20);
        let page = async |handle: &str| client.server.page(&client.profile, handle, ann(&house)).await.unwrap();
        assert!(page(&first).await.is_none() && page(&last).await.is_some());
    }
}

/// A client that an operator named.
async fn configured(house: &House) -> Client<'_> {
    let mut client = Client::registered(house).await;
    let named: ClientMetadata = metadata("Named", &["https://app.example.com/cb", "http://127.0.0.1/cb"]);
    let act = house.act("client add");
    client.server.configure_client(&act, &client.profile.mount, "named", &named).await.unwrap();
    client.id = "named".to_owned();
    client
}

const SITE: (&str, &str) = ("redirect_uri", "https://app.example.com/cb");

on_both! {
    async fn who_agreed_to_the_same_before_is_not_asked_where_a_site_is_vouched_for(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = configured(&house).await;
        let ask = async |other: &[(&str, &str)]| {
            let authorization = client.authorize(other).await.unwrap();
            client.server.ask(&client.profile, authorization, ann(&house), &visit()).await.unwrap()
        };
        let never = ask(&[SITE, ("prompt", "none")]).await;
        assert!(matches!(&never, Asked::Refused(to) if query(to)["error"] == "consent_required"));
        let handle = client.waits(&[SITE]).await;
        let bounded = Decision { reach: Reach::Only([house.ann.id.uuid()].into()), ..decision() };
        client.approve(&handle, bounded).await;
        let asked = [SITE, ("scope", "things:read things:write")];
        for prompt in ["", "none"] {
            let agreed = ask(&[asked[0], asked[1], ("prompt", prompt)]).await;
            let Asked::Agreed(to) = agreed else { panic!("agreed before: {agreed:?}") };
            let redeemed = client.redeem(&query(&to)["code"], &[SITE]).await.unwrap();
            assert!(!client.show(&redeemed).await.unwrap().reach.includes(house.workspace.id.uuid()));
        }
        assert_eq!(count(&house, INSTALLATIONS).await, 1);
        for other in [
            &[SITE, ("scope", "things:read resources:command")][..],
            &[asked[0], asked[1], ("prompt", "consent")],
            &[asked[0], asked[1], ("prompt", "login")],
            &[("redirect_uri", "http://127.0.0.1:4711/cb"), asked[1]],
        ] {
            assert!(matches!(ask(other).await, Asked::Waits(_)), "{other:?}");
        }
        // Who ended it is asked again.
        let all = installations::list(house.db(), house.workspace.id).await.unwrap();
        let place = TokenPlace { workspace: house.workspace.id, installation: all[0].id };
        installations::end(house.db(), &house.ambient, &house.act("end"), house.ann.id, &place).await.unwrap();
        assert!(matches!(ask(&asked).await, Asked::Waits(_)));
    }
}

on_both! {
    async fn a_client_that_registered_itself_is_always_asked_about(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        for redirect_uri in ["https://app.example.com/cb", "my-app://cb", "http://127.0.0.1:1/cb"] {
            for _ in 0..2 {
                let handle = client.waits(&[("redirect_uri", redirect_uri)]).await;
                client.approve(&handle, decision()).await;
            }
        }
        let authorization = client.authorize(&[("prompt", "none")]).await.unwrap();
        let never = client.server.ask(&client.profile, authorization, ann(&house), &visit()).await.unwrap();
        assert!(matches!(never, Asked::Refused(_)));
    }
}
