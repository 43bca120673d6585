//! A workspace's end, and what of it may be taken away: over every table that there is.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use stoa::services;
use stoa::tenancy::estate::{Exported, PARTS, PEOPLE};
use stoa::tenancy::{Tenancy, delete, export, sweep};
use stoa_base::WorkspaceId;
use stoa_identity::workspaces::DeleteWorkspaceError;
use stoa_identity::{Role, Workspace, accounts, members, workspaces};
use stoa_store::audit::Status;
use stoa_store::audit::chain::link;
use stoa_store::{Database, PerDialect, on};
use stoa_testing::on_both;

use crate::pages::agents::send;
use crate::pages::{EMAIL, signed_in};
use crate::support::{Anonymous, App, MIGRATIONS};

/// Tables in which no workspace has rows.
const OF_THE_HOUSE: &[&str] = &[
    "account",
    "ceremony",
    "deleted_workspace",
    "lease",
    "meta",
    "oidc_identity",
    "one_time_link",
    "passkey",
    // Counts of a minute, which a node that counted writes again within the second, and forgets within two.
    "rate_count",
    "recovery_code",
    "second_factor",
    "session",
    "sign_in_attempt",
    "wake",
];
/// Where a program of these tests has its answers sent.
const CALLBACK: &str = "http://127.0.0.1:4711/callback";

/// Every table, but for what the migrations keep.
const TABLES: PerDialect = PerDialect {
    sqlite: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
        AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name NOT LIKE '!_migrations!_%' ESCAPE '!'",
    postgres: "SELECT CAST(relname AS TEXT) FROM pg_class WHERE relkind = 'r'
        AND relnamespace = CAST(current_schema() AS regnamespace) AND relname NOT LIKE '!_migrations!_%' ESCAPE '!'",
};
/// Every column that says of which workspace a row is.
const WITH_WORKSPACE: PerDialect = PerDialect {
    sqlite: "SELECT list.name FROM pragma_table_list AS list, pragma_table_xinfo(list.name) AS info
        WHERE list.schema = 'main' AND info.name = 'workspace_id'",
    postgres: "SELECT CAST(table_name AS TEXT) FROM information_schema.columns
        WHERE table_schema = current_schema() AND column_name = 'workspace_id'",
};

async fn names(db: &Database, query: &PerDialect) -> BTreeSet<String> {
    let text = db.dialect().text(query);
    let names: Vec<String> = on!(read db, c => sqlx::query_scalar(text).fetch_all(c).await).unwrap();
    names.into_iter().collect()
}

/// How many rows each table has of a workspace.
async fn rows(db: &Database, workspace: WorkspaceId) -> BTreeMap<&'static str, i64> {
    let mut found = BTreeMap::new();
    for part in PARTS {
        let count = AssertSqlSafe(format!("SELECT COUNT(*) FROM {} WHERE {}", part.table, part.rows));
        let id = workspace.uuid();
        let count: i64 = on!(read db, c => sqlx::query_scalar(count).bind(id).fetch_one(c).await).unwrap();
        found.insert(part.table, count);
    }
    found
}

/// A person who owns every workspace, signed in.
async fn owner(app: &App, workspaces: &[WorkspaceId]) -> Anonymous {
    let browser = signed_in(app).await;
    let (db, ambient) = (&app.house.db, &app.house.ambient);
    let account = accounts::by_email(db, &EMAIL.parse().unwrap()).await.unwrap().unwrap().id;
    for workspace in workspaces {
        let act = app.house.act(*workspace, "member add", json!({}));
        members::add(db, ambient, &act, *workspace, account, Role::Owner).await.unwrap();
    }
    browser
}

/// Something of a workspace's in every table: files, a run that two wait for, a program that is connected and one that
/// asks to be, an invitation.
async fn filled(app: &App, browser: &Anonymous, id: WorkspaceId, base: &str) -> Workspace {
    let db = &app.house.db;
    services::prepare(&services::things(&app.house), id).await.unwrap();
    let place = app.folder(id, "docs", &[("lamp.md", "# Lamp\n\nlit by hand")]).await;
    for _ in 0..2 {
        let bearer = app.token(id).await;
        let asked = json!({ "resource_id": place });
        let queued = bearer.caller().call_at(&format!("{base}/things/mcp"), "sync_resource", asked).await;
        assert!(queued.structured()["run_id"].is_string(), "{}", queued.body);
    }
    let (status, page) = send(browser, &format!("{base}/invitations"), &[("role", "member")]).await;
    assert_eq!(status, 200, "{page}");
    let metadata = json!({ "client_name": "Program", "redirect_uris": [CALLBACK] });
    let registered = app.anonymous().post(&format!("{base}/things/oauth/register"), &metadata).await;
    let client = registered.body["client_id"].as_str().unwrap();
    let consent = consent(browser, base, client).await;
    let (status, page) = send(browser, &consent, &[("decision", "connect"), ("scope", "things:read")]).await;
    assert_eq!(status, 200, "{page}");
    self::consent(browser, base, client).await;
    link(db, &app.house.chain_key()).await.unwrap();
    let name = if base.is_empty() { "default" } else { "other" };
    workspaces::by_name(db, &name.parse().unwrap()).await.unwrap().unwrap()
}

/// The page on which the person is asked for their leave.
async fn consent(browser: &Anonymous, base: &str, client: &str) -> String {
    let query = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs([
            ("response_type", "code"),
            ("client_id", client),
            ("redirect_uri", CALLBACK),
            ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
            ("code_challenge_method", "S256"),
        ])
        .finish();
    let answer = browser.get(&format!("{base}/things/oauth/authorize?{query}")).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let location = answer.headers["location"].to_str().unwrap();
    location.strip_prefix("http://localhost:8787").unwrap_or(location).to_owned()
}

async fn end(app: &App, workspace: &Workspace) -> Result<(), DeleteWorkspaceError> {
    let arguments = json!({ "name": workspace.name, "workspace": workspace.id });
    let act = app.house.act(app.house.default, "workspace delete", arguments);
    let tenancy = Tenancy::new(&app.house, &app.services.things);
    let ended = delete::delete(&tenancy, &act, workspace).await;
    if ended.is_err() {
        act.close(Status::Denied, Some("refused")).await.unwrap();
    }
    ended
}

on_both! {
    async fn every_table_is_some_workspace_s_or_the_house_s(test) with MIGRATIONS; {
        let ours: BTreeSet<String> = PARTS.iter().map(|part| part.table.to_owned()).collect();
        let houses: BTreeSet<String> = OF_THE_HOUSE.iter().map(|name| (*name).to_owned()).collect();
        assert!(ours.is_disjoint(&houses));
        assert_eq!(names(&test.db, &TABLES).await, ours.union(&houses).cloned().collect());
        for table in names(&test.db, &WITH_WORKSPACE).await {
            let part = PARTS.iter().find(|part| part.table == table).unwrap();
            assert_eq!(part.rows, "workspace_id = $1", "{table}");
        }
    }
}

on_both! {
    async fn a_deleted_workspace_leaves_no_row_and_no_other_loses_one(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let (db, other) = (&app.house.db, app.other_workspace().await);
        let browser = owner(&app, &[other, app.house.default]).await;
        let workspace = filled(&app, &browser, other, "/w/other").await;
        filled(&app, &browser, app.house.default, "").await;
        let storage = app.house.config.data.join("storage").join(other.to_string());
        std::fs::create_dir_all(&storage).unwrap();
        std::fs::write(storage.join("export.csv"), "a,b").unwrap();
        let token = app.token(other).await;
        assert_eq!(token.status_at("/w/other/things/mcp").await, 200);
        app.house.audit.stop().await;
        for (table, count) in rows(db, other).await {
            // A thing has an alias when two that were listed turn out to be one content: it goes with its thing.
            assert!(count > 0 || table == "thing_alias", "{table} has nothing to delete");
        }
        let before = rows(db, app.house.default).await;

        end(&app, &workspace).await.unwrap();
        assert_eq!(token.status_at("/w/other/things/mcp").await, 401);
        let left = rows(db, other).await;
        assert!(left.values().all(|count| *count == 0), "{left:?}");
        assert!(!storage.exists());
        let after = rows(db, app.house.default).await;
        let grown: Vec<_> = after.iter().filter(|(table, count)| before[*table] != **count).collect();
        // The entry of the deletion, and none but that.
        assert_eq!(grown, [(&"audit_entry", &(before["audit_entry"] + 1))]);
        assert!(matches!(end(&app, &workspace).await, Err(DeleteWorkspaceError::Gone(_))));
    }
}

on_both! {
    async fn a_name_that_is_another_workspace_s_now_lets_its_own_people_in(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let first = app.other_workspace().await;
        let old = app.token(first).await;
        assert_eq!(old.status_at("/w/other/things/mcp").await, 200);
        let workspace = filled(&app, &owner(&app, &[first]).await, first, "/w/other").await;
        end(&app, &workspace).await.unwrap();
        let second = app.other_workspace().await;
        let new = app.token(second).await;
        assert_eq!(new.status_at("/w/other/things/mcp").await, 200);
        assert_eq!(old.status_at("/w/other/things/mcp").await, 401);
    }
}

on_both! {
    async fn what_comes_late_is_swept_away(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let other = app.other_workspace().await;
        let workspace = filled(&app, &owner(&app, &[other]).await, other, "/w/other").await;
        end(&app, &workspace).await.unwrap();
        // A call that was under way ends now, and its entry is linked.
        app.house.act(other, "late", json!({})).close(Status::Denied, Some("late")).await.unwrap();
        link(&app.house.db, &app.house.chain_key()).await.unwrap();
        let late = rows(&app.house.db, other).await;
        assert_eq!((late["audit_entry"], late["audit_chain"]), (1, 1));
        sweep::sweep_deleted(&app.house.db).await.unwrap();
        assert!(rows(&app.house.db, other).await.values().all(|count| *count == 0));
    }
}

on_both! {
    async fn the_workspace_of_the_server_itself_stays(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let default = app.house.default;
        let workspace = filled(&app, &owner(&app, &[default]).await, default, "").await;
        let before = rows(&app.house.db, workspace.id).await;
        assert!(matches!(end(&app, &workspace).await, Err(DeleteWorkspaceError::IsDefault)));
        assert_eq!(rows(&app.house.db, workspace.id).await["thing"], before["thing"]);
    }
}

/// The rows of each table of an archive.
fn unpacked(archive: &[u8]) -> BTreeMap<String, Vec<Value>> {
    let mut found: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(archive));
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().to_str().unwrap().to_owned();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        if let Some(table) = path.strip_prefix("tables/") {
            let table = table.split('/').next().unwrap().to_owned();
            let rows = text.lines().map(|line| serde_json::from_str(line).unwrap());
            found.entry(table).or_default().extend(rows);
        }
    }
    found
}

on_both! {
    async fn an_export_has_what_is_the_workspace_s_and_nothing_that_opens_anything(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let other = app.other_workspace().await;
        let browser = owner(&app, &[other, app.house.default]).await;
        let workspace = filled(&app, &browser, other, "/w/other").await;
        filled(&app, &browser, app.house.default, "").await;
        app.house.audit.stop().await;
        let mut archive = Vec::new();
        export::write(&app.house.db, &app.house.ambient, &workspace, &mut archive).await.unwrap();
        let tables = unpacked(&archive);
        let counted = rows(&app.house.db, other).await;
        for part in PARTS {
            let written = tables.get(part.table).map_or(0, Vec::len);
            let expected = if part.exported == Exported::Nothing { 0 } else { counted[part.table] };
            assert_eq!(i64::try_from(written).unwrap(), expected, "{}", part.table);
        }
        let own = json!(other.uuid().simple().to_string());
        for row in tables.values().flatten() {
            assert!(row.get("workspace_id").is_none_or(|id| *id == own), "{row}");
            for column in ["password_hash", "chain_mac", "mac", "fingerprint", "source", "arguments"] {
                assert!(row.get(column).is_none(), "{column} in {row}");
            }
        }
        assert!(tables["invitation"].iter().all(|row| row.get("hash").is_none()));
        assert!(tables["thing_text"][0]["body"].as_str().unwrap().contains("lit by hand"));
        assert_eq!(tables[PEOPLE.table].len(), 2);
    }
}
