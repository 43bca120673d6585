use std::time::Duration;

use stoa_base::Ambient;
use stoa_identity::{SecretKind, SecretToken, Sighting, Step, Visit, oauth, traces, workspaces};
use stoa_store::audit::AddressClass;
use stoa_testing::on_both;

use super::support::{count, visit};
use crate::house::{House, MIGRATIONS};

const TRACES: &str = "SELECT COUNT(*) FROM oauth_trace";

fn sighting<'a>(client: Option<&'a str>, code: Option<&'a str>) -> Sighting<'a> {
    Sighting { step: Step::Token, client, installation: None, code }
}

async fn record(house: &House, sighting: Sighting<'_>, visit: &Visit) {
    house.clock.advance(Duration::from_millis(1));
    traces::record(house.db(), &house.ambient, &house.things(), sighting, visit).await.unwrap();
}

on_both! {
    async fn what_a_client_did_is_listed_newest_first_and_by_client(test) with MIGRATIONS; {
        let house = House::on(test).await;
        record(&house, sighting(Some("a"), None), &visit()).await;
        record(&house, sighting(Some("b"), Some("invalid_grant")), &visit()).await;
        record(&house, sighting(None, Some("invalid_request")), &visit()).await;
        let all = traces::list(house.db(), house.workspace.id, None, 2).await.unwrap();
        assert_eq!(all.iter().map(|trace| trace.client.as_deref()).collect::<Vec<_>>(), [None, Some("b")]);
        let of_b = traces::list(house.db(), house.workspace.id, Some("b"), 10).await.unwrap();
        let [trace] = of_b.as_slice() else { panic!("one: {of_b:?}") };
        assert_eq!((trace.step, trace.code.as_deref()), (Step::Token, Some("invalid_grant")));
        assert_eq!((trace.service.as_str(), trace.agent.as_deref()), ("things", Some("tests/1.0")));
        assert_eq!(trace.address, AddressClass::Public);
    }
}

on_both! {
    async fn no_secret_and_no_long_or_hostile_text_is_kept(test) with MIGRATIONS; {
        let house = House::on(test).await;
        for kind in [SecretKind::Access, SecretKind::Refresh, SecretKind::Code, SecretKind::Personal] {
            let secret = SecretToken::new(kind, &Ambient::system());
            let leaky = format!("client {}", secret.expose());
            let visit = Visit { user_agent: Some(leaky.clone()), ..visit() };
            record(&house, sighting(Some(&leaky), Some(&leaky)), &visit).await;
        }
        let long = format!("a\0\n\u{202e}{}", "x".repeat(1_000));
        record(&house, sighting(Some(&long), None), &visit()).await;
        let all = traces::list(house.db(), house.workspace.id, None, 10).await.unwrap();
        let shown = serde_json::to_string(&all).unwrap();
        assert!(!shown.contains("stoa_") && !shown.contains("\\u0000") && !shown.contains('\u{202e}'), "{shown}");
        assert_eq!(all[0].client.as_ref().map(|client| client.chars().count()), Some(200));
    }
}

on_both! {
    async fn a_workspace_keeps_its_newest_two_thousand_for_a_week(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (db, ambient, act) = (house.db(), &house.ambient, house.act("workspace add"));
        let acme = workspaces::add(db, ambient, &act, "acme".parse().unwrap(), &house.ann.email).await.unwrap();
        let there = stoa_identity::MountId::new(acme.id, "things");
        traces::record(db, ambient, &there, sighting(Some("a"), None), &visit()).await.unwrap();
        for number in 0..2_010 {
            record(&house, sighting(Some(&number.to_string()), None), &visit()).await;
        }
        assert_eq!(count(&house, TRACES).await, 2_001);
        let newest = traces::list(db, house.workspace.id, None, 1).await.unwrap();
        assert_eq!(newest[0].client.as_deref(), Some("2009"));
        house.clock.advance(Duration::from_hours(24 * 7));
        oauth::prune(db, ambient).await.unwrap();
        assert_eq!(count(&house, TRACES).await, 0);
    }
}

on_both! {
    async fn discoveries_are_noted_once_a_minute_and_crowd_out_nothing_else(test) with MIGRATIONS; {
        let house = House::on(test).await;
        record(&house, sighting(Some("a"), Some("invalid_grant")), &visit()).await;
        let discovery = || Sighting { step: Step::Discovery, ..sighting(None, None) };
        for _ in 0..5 {
            record(&house, discovery(), &visit()).await;
        }
        assert_eq!(count(&house, TRACES).await, 2);
        house.clock.advance(Duration::from_mins(1));
        record(&house, discovery(), &visit()).await;
        assert_eq!(count(&house, TRACES).await, 3);
        for number in 0..210 {
            let visit = Visit { user_agent: Some(number.to_string()), ..visit() };
            record(&house, discovery(), &visit).await;
        }
        assert_eq!(count(&house, TRACES).await, 201);
        assert_eq!(traces::list(house.db(), house.workspace.id, Some("a"), 10).await.unwrap().len(), 1);
    }
}
