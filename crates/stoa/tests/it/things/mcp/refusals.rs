//! Every tool refuses whom it must. A tool without a case here fails the first test.

use std::time::Duration;

use serde_json::{Value, json};
use stoa_base::Id;
use stoa_runs::Run;
use stoa_testing::on_both;

use super::audit::entries;
use crate::support::{Answer, App, Bearer, MIGRATIONS};

/// How a tool is refused.
struct Case {
    tool: &'static str,
    /// A scope that does not open it.
    other_scope: &'static str,
    /// The argument that names a target, if any, and which of the foreign tenant's ids goes there.
    target: Option<(&'static str, IdOf)>,
    /// Whether it debits the run budget.
    starts_run: bool,
}

/// Which of the foreign tenant's ids.
type IdOf = fn(&Foreign) -> String;

/// Ids of another tenant.
struct Foreign {
    thing: String,
    resource: String,
    run: String,
}

const fn case(tool: &'static str, other_scope: &'static str) -> Case {
    Case { tool, other_scope, target: None, starts_run: false }
}

fn cases() -> Vec<Case> {
    let thing: IdOf = |foreign| foreign.thing.clone();
    let resource: IdOf = |foreign| foreign.resource.clone();
    let run: IdOf = |foreign| foreign.run.clone();
    vec![
        case("search_things", "resources:read"),
        Case { target: Some(("id", thing)), ..case("get_thing", "resources:read") },
        Case { target: Some(("id", thing)), starts_run: true, ..case("analyze_thing", "things:read") },
        case("list_resources", "things:read"),
        Case { target: Some(("resource_id", resource)), ..case("describe_resource", "things:read") },
        Case { target: Some(("resource_id", resource)), ..case("check_resource", "things:read") },
        Case {
            target: Some(("resource_id", resource)),
            starts_run: true,
            ..case("sync_resource", "things:read")
        },
        case("list_runs", "things:read"),
        Case { target: Some(("run_id", run)), ..case("cancel_run", "things:read") },
    ]
}

impl Case {
    /// Arguments that are well formed and name nothing that is there.
    fn arguments(&self) -> Value {
        match self.target {
            Some((name, _)) => json!({ name: Id::<Run>::new(&stoa_base::Ambient::system()) }),
            None => json!({}),
        }
    }
}

on_both! {
    async fn every_tool_has_a_refusal_case(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let tools = app.token(app.house.default).await.tools_at("/things/mcp").await;
        let covered: Vec<_> = cases().iter().map(|case| case.tool.to_owned()).collect();
        assert_eq!(tools, covered);
    }
}

on_both! {
    async fn without_a_good_token_of_this_mount_every_tool_is_a_401(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let default = app.house.default;
        let other = app.other_workspace().await;
        let scopes = || things::SCOPES.iter().map(|scope| scope.name);
        let expired = app.token_for(default, "things", scopes(), None, Some(Duration::from_mins(1))).await;
        app.clock.advance(Duration::from_secs(61));
        let revoked = app.token(default).await;
        app.revoke(&revoked).await;
        let unknown = stoa_identity::SecretToken::personal(&app.house.ambient);
        let callers = [
            ("no token", app.anonymous()),
            ("malformed", app.anonymous().with_token("stoa_pat_nonsense").caller().clone()),
            ("unknown", app.anonymous().with_token(unknown.expose()).caller().clone()),
            ("expired", expired.caller().clone()),
            ("revoked", revoked.caller().clone()),
            ("of another mount", app.token_at(default, "all", scopes()).await.caller().clone()),
            ("of another workspace", app.token(other).await.caller().clone()),
        ];
        for case in cases() {
            for (which, caller) in &callers {
                let answer = caller.call(case.tool, case.arguments()).await;
                assert_eq!(answer.status, 401, "{}: {which}", case.tool);
                assert!(answer.headers.contains_key("www-authenticate"), "{}: {which}", case.tool);
            }
        }
    }
}

on_both! {
    async fn outside_the_grant_a_tool_does_not_exist_and_the_denial_is_audited(test) with MIGRATIONS; {
        let app = App::on(test).await;
        for case in cases() {
            let bearer = app.token_at(app.house.default, "things", [case.other_scope]).await;
            assert!(!bearer.tools_at("/things/mcp").await.contains(&case.tool.to_owned()));
            let hidden = bearer.call(case.tool, case.arguments()).await;
            assert_eq!(hidden.body["error"]["code"], -32602, "{}", hidden.body);
            assert_eq!(hidden.body["error"]["message"], format!("Tool not found: {}", case.tool));
            let denied = entries(&app, "denied").await;
            assert!(denied.contains(&(case.tool.to_owned(), Some("Grant::Denied".to_owned()))), "{denied:?}");
        }
    }
}

on_both! {
    async fn ids_of_another_tenant_are_answered_like_unknown_ones(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let foreign = foreign(&app).await;
        let bearer = app.token(app.house.default).await;
        for case in cases() {
            let Some((name, of)) = case.target else { continue };
            let theirs = bearer.call(case.tool, json!({ name: of(&foreign) })).await;
            let unknown = bearer.call(case.tool, case.arguments()).await;
            assert_eq!(theirs.error(), "ActiveRecord::RecordNotFound", "{}: {}", case.tool, theirs.body);
            assert_eq!(theirs.body, unknown.body, "{}", case.tool);
            let no_id = bearer.call(case.tool, json!({ name: "no id at all" })).await;
            assert_eq!(no_id.body, unknown.body, "{}", case.tool);
        }
    }
}

async fn foreign(app: &App) -> Foreign {
    let other = app.other_workspace().await;
    let resource = app.folder(other, "docs", &[("a.txt", "words of another tenant")]).await;
    let bearer = app.token(other).await;
    let at = "/w/other/things/mcp";
    let found = bearer.caller().call_at(at, "search_things", json!({})).await.structured();
    let queued = bearer.caller().call_at(at, "sync_resource", json!({ "resource_id": resource })).await;
    Foreign {
        thing: found["things"][0]["id"].as_str().unwrap().to_owned(),
        resource: resource.to_string(),
        run: queued.structured()["run_id"].as_str().unwrap().to_owned(),
    }
}

on_both! {
    async fn bad_arguments_are_argument_errors_that_name_the_argument(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let bearer = app.token(app.house.default).await;
        for case in cases() {
            let mut arguments = case.arguments();
            arguments["no_such_argument"] = json!(1);
            let refused = bearer.call(case.tool, arguments).await;
            assert_eq!(refused.error(), "ArgumentError", "{}: {}", case.tool, refused.body);
            assert!(message(&refused).contains("no_such_argument"), "{}", refused.body);
            if let Some((name, _)) = case.target {
                let missing = bearer.call(case.tool, json!({})).await;
                assert!(message(&missing).contains(name), "{}", missing.body);
                let wrong = bearer.call(case.tool, json!({ name: 7 })).await;
                assert_eq!(wrong.error(), "ArgumentError", "{}", wrong.body);
            }
        }
    }
}

fn message(answer: &Answer) -> String {
    answer.structured()["message"].as_str().unwrap().to_owned()
}

on_both! {
    async fn over_the_limit_every_tool_says_when_to_come_back(test) with MIGRATIONS; {
        let app = App::with(test, &[("STOA_THINGS__MCP_LIMIT", "1")]).await;
        for case in cases() {
            let bearer = app.token(app.house.default).await;
            bearer.call(case.tool, case.arguments()).await;
            let over = bearer.call(case.tool, case.arguments()).await;
            assert_over(&over, 1, 1);
        }
    }
}

on_both! {
    async fn over_the_run_budget_nothing_starts(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let default = app.house.default;
        let resource = app.folder(default, "docs", &[("a.txt", "words")]).await;
        let found = app.token(default).await.call("search_things", json!({})).await.structured();
        let thing = found["things"][0]["id"].clone();
        for case in cases().iter().filter(|case| case.starts_run) {
            let bearer = spent(&app, &resource.to_string()).await;
            let arguments = if case.tool == "sync_resource" {
                // The live sync would be the answer; another resource has none.
                json!({ "resource_id": app.folder(default, case.tool, &[]).await })
            } else {
                json!({ "id": thing })
            };
            let over = bearer.call(case.tool, arguments).await;
            assert_over(&over, 1, 1);
            let denied = entries(&app, "denied").await;
            assert!(denied.contains(&(case.tool.to_owned(), Some("OverBudget".to_owned()))), "{denied:?}");
        }
    }
}

/// A token whose budget of one run is spent.
async fn spent(app: &App, resource: &str) -> Bearer {
    let default = app.house.default;
    let scopes = things::SCOPES.iter().map(|scope| scope.name);
    let bearer = app.token_for(default, "things", scopes, Some(1), None).await;
    let queued = bearer.call("sync_resource", json!({ "resource_id": resource })).await.structured();
    app.work(default, queued["run_id"].as_str().unwrap().parse().unwrap()).await;
    bearer
}

fn assert_over(answer: &Answer, limit: u32, used: u32) {
    assert_eq!(answer.status, 200);
    assert_eq!(answer.error(), "OverBudget", "{}", answer.body);
    let extras = answer.structured();
    assert_eq!((&extras["limit"], &extras["used"]), (&json!(limit), &json!(used)));
    assert!(extras["retry_after_ms"].as_u64().unwrap() > 0);
    assert!(extras["resets_at"].as_str().unwrap().ends_with('Z'));
}
