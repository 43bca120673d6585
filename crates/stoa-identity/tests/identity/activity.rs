use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use stoa_base::{AccountId, InstallationId};
use stoa_identity::{Activity, ActivityFilter, Caller, HOUSE_SCOPES, Role, activity, installations, members};
use stoa_store::audit::{AddressClass, Channel, Credential, Opening, Status};
use stoa_testing::on_both;

use crate::house::{House, MIGRATIONS};

/// A person on their own pages.
async fn person(house: &House, role: Role, account: AccountId) -> Arc<Caller> {
    let caller = house.show(&house.add_token(None).await).await.unwrap();
    Arc::new(Caller { account, role, scopes: HOUSE_SCOPES.iter().copied().collect(), ..(*caller).clone() })
}

/// Somebody calls a tool, a second later than the one before.
async fn call(house: &House, account: AccountId, by: Option<InstallationId>, tool: &str, status: Status) {
    house.clock.advance(Duration::from_secs(1));
    let act = house.audit.open(Opening {
        workspace: house.workspace.id,
        channel: Channel::Mcp,
        tool: tool.to_owned(),
        scope: None,
        arguments: json!({ "query": tool }),
        account: Some(account),
        installation: by,
        credential: Credential::Personal,
        client: None,
        address: AddressClass::Loopback,
        trace_id: None,
    });
    act.close(status, (status != Status::Ok).then_some("not_found")).await.unwrap();
    house.audit.stop().await;
}

async fn list(house: &House, caller: &Arc<Caller>, filter: ActivityFilter) -> Vec<Activity> {
    activity::list(house.db(), caller, &filter, None, 100).await.unwrap()
}

fn tools(entries: &[Activity]) -> Vec<&str> {
    entries.iter().filter(|entry| entry.channel == Channel::Mcp).map(|entry| entry.tool.as_str()).collect()
}

on_both! {
    async fn a_member_sees_their_own_acts_and_an_owner_everybody_s_without_what_was_said(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let bob = house.add_account("bob@example.com").await;
        let act = house.act("member add");
        members::add(house.db(), &house.ambient, &act, house.workspace.id, bob.id, Role::Member).await.unwrap();
        call(&house, house.ann.id, None, "search", Status::Ok).await;
        call(&house, bob.id, None, "read", Status::Ok).await;
        let (ann, bob) = (person(&house, Role::Owner, house.ann.id).await, person(&house, Role::Member, bob.id).await);
        let own = list(&house, &bob, ActivityFilter::default()).await;
        assert_eq!(tools(&own), ["read"]);
        assert_eq!(own[0].arguments, Some(json!({ "query": "read" })));
        let all = list(&house, &ann, ActivityFilter::default()).await;
        assert_eq!(tools(&all), ["read", "search"]);
        let of = |tool| all.iter().find(|entry| entry.tool == tool).unwrap();
        let (read, search) = (of("read"), of("search"));
        assert_eq!((read.arguments.as_ref(), read.email.as_ref().unwrap().to_string()), (None, "bob@example.com".into()));
        assert_eq!(search.arguments, Some(json!({ "query": "search" })));
        // Whose role does not allow it any more sees their own only.
        let demoted = person(&house, Role::Member, house.ann.id).await;
        assert_eq!(tools(&list(&house, &demoted, ActivityFilter::default()).await), ["search"]);
    }
}

on_both! {
    async fn another_workspace_s_acts_are_not_there(test) with MIGRATIONS; {
        let house = House::on(test).await;
        call(&house, house.ann.id, None, "search", Status::Ok).await;
        let ann = person(&house, Role::Owner, house.ann.id).await;
        let elsewhere = Arc::new(Caller { workspace: stoa_base::WorkspaceId::new(&house.ambient), ..(*ann).clone() });
        assert!(list(&house, &elsewhere, ActivityFilter::default()).await.is_empty());
    }
}

on_both! {
    async fn filters_meet_and_pages_neither_skip_nor_repeat(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let agent = house.add_token(None).await.installation;
        for (tool, status) in [("a", Status::Ok), ("b", Status::Denied), ("a", Status::Denied), ("a", Status::Ok)] {
            call(&house, house.ann.id, Some(agent), tool, status).await;
        }
        call(&house, house.ann.id, None, "a", Status::Ok).await;
        let ann = person(&house, Role::Owner, house.ann.id).await;
        let of = |filter| list(&house, &ann, filter);
        let agents = ActivityFilter { installation: Some(agent), ..ActivityFilter::default() };
        assert_eq!(tools(&of(agents.clone()).await), ["a", "a", "b", "a"]);
        assert_eq!(of(agents.clone()).await[0].agent.as_deref(), Some("laptop"));
        let denied = ActivityFilter { status: Some(Status::Denied), tool: Some("a".into()), ..agents.clone() };
        assert_eq!(tools(&of(denied).await), ["a"]);
        let now = house.ambient.now();
        let late = ActivityFilter { from: Some(now.minus(Duration::from_secs(1))), until: Some(now), ..agents.clone() };
        assert_eq!(tools(&of(late).await), ["a"]);

        let mut place = None;
        let mut seen = Vec::new();
        loop {
            let page = activity::list(house.db(), &ann, &agents, place, 3).await.unwrap();
            let Some(last) = page.last() else { break };
            place = Some(last.place());
            seen.extend(page.iter().map(|entry| entry.id));
        }
        let whole: Vec<_> = of(agents).await.iter().map(|entry| entry.id).collect();
        assert_eq!(seen, whole);
    }
}

on_both! {
    async fn what_an_agent_did_lately_is_counted_by_tool(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let agent = house.add_token(None).await.installation;
        call(&house, house.ann.id, Some(agent), "old", Status::Ok).await;
        house.clock.advance(Duration::from_hours(8 * 24));
        for (tool, status) in [("b", Status::Denied), ("a", Status::Ok), ("a", Status::Error), ("a", Status::Ok)] {
            call(&house, house.ann.id, Some(agent), tool, status).await;
        }
        let all = installations::list(house.db(), house.workspace.id).await.unwrap();
        let installation = all.iter().find(|one| one.id == agent).unwrap();
        let doings = activity::doings(house.db(), &house.ambient, installation).await.unwrap();
        let counts: Vec<_> = doings.iter().map(|doing| (doing.tool.as_str(), doing.done, doing.refused)).collect();
        assert_eq!(counts, [("a", 2, 1), ("b", 0, 1)]);
    }
}
