//! The pages of things: who may do what, and what another's ids are worth.

use stoa_identity::Role;
use stoa_testing::on_both;

use super::agents::send;
use super::{member, set_role};
use crate::support::{Anonymous, App, MIGRATIONS};

const UNKNOWN: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

async fn shown(browser: &Anonymous, path: &str) -> (u16, String) {
    let page = browser.get(path).await;
    (page.status.as_u16(), page.body.as_str().unwrap_or_default().to_owned())
}

/// The address of the first thing on the page of a search.
async fn first_thing(browser: &Anonymous, query: &str) -> String {
    let (_, page) = shown(browser, &format!("/things/?q={query}")).await;
    let (_, rest) = page.split_once("/things/thing/").unwrap_or_else(|| panic!("{page}"));
    format!("/things/thing/{}", rest.split('"').next().unwrap())
}

on_both! {
    async fn a_member_searches_reads_and_syncs_but_connects_nothing(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let place = app.folder(app.house.default, "docs", &[("lamp.md", "# Lamp\n\nlit <by> hand")]).await;
        let browser = member(&app, Role::Member).await;
        let thing = first_thing(&browser, "lamp").await;
        let (status, page) = shown(&browser, &thing).await;
        assert_eq!(status, 200);
        assert!(page.contains("lit &#60;by&#62; hand") && page.contains("lamp.md"), "{page}");
        let (status, _) = send(&browser, &format!("{thing}/analyze"), &[]).await;
        assert_eq!(status, 303);
        let (status, _) = send(&browser, &format!("/things/resources/{place}/sync"), &[]).await;
        assert_eq!(status, 303);
        let (_, runs) = shown(&browser, "/things/runs").await;
        assert!(runs.contains("Sync: docs") && runs.contains("data-going"), "{runs}");

        let (status, _) = shown(&browser, "/things/resources/new").await;
        assert_eq!(status, 403);
        let wanted = [("connector", "folder"), ("name", "mine"), ("path", "/")];
        let (status, page) = send(&browser, "/things/resources/new", &wanted).await;
        assert_eq!(status, 403);
        assert!(page.contains("Ask an owner or admin"), "{page}");
    }
}

on_both! {
    async fn a_search_is_narrowed_by_folder_and_day_and_says_what_it_can_not_read(test) with MIGRATIONS; {
        let app = App::on(test).await;
        app.folder(app.house.default, "docs", &[("lamp.md", "# Lamp\n\nolives")]).await;
        let browser = member(&app, Role::Member).await;
        let day = app.house.ambient.now().to_string();
        let day = day.split('T').next().unwrap();
        for (narrowed, finds) in [
            (format!("since={day}"), true),
            (format!("before={day}"), false),
            ("folder=elsewhere".to_owned(), false),
            ("folder=&since=&before=".to_owned(), true),
        ] {
            let (status, page) = shown(&browser, &format!("/things/?q=olives&{narrowed}")).await;
            assert_eq!((status, page.contains("Lamp")), (200, finds), "{narrowed}");
        }
        let (status, page) = shown(&browser, "/things/?q=olives&since=yesterday").await;
        assert!(status == 400 && page.contains("value=\"yesterday\"") && page.contains("role=\"alert\""), "{page}");
        let thing = first_thing(&browser, "olives").await;
        assert_eq!(shown(&browser, &format!("{thing}?offset=x")).await.0, 200);
    }
}

on_both! {
    async fn what_is_another_workspace_s_is_as_what_never_was(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let other = app.other_workspace().await;
        let place = app.folder(other, "secret", &[("plan.md", "# Plan\n\nhidden")]).await;
        let browser = member(&app, Role::Owner).await;
        let (_, found) = shown(&browser, "/things/?q=hidden").await;
        assert!(found.contains("Nothing matches"), "{found}");
        let (_, listed) = shown(&browser, "/things/runs").await;
        assert!(listed.contains("Nothing was started yet"), "{listed}");
        for act in ["sync", "check"] {
            let theirs = send(&browser, &format!("/things/resources/{place}/{act}"), &[]).await;
            let nobodys = send(&browser, &format!("/things/resources/{UNKNOWN}/{act}"), &[]).await;
            assert_eq!(theirs.0, 404, "{act}");
            assert_eq!(theirs.1.replace(&place.to_string(), UNKNOWN), nobodys.1, "{act}");
        }
        for path in ["/things/thing/x", &format!("/things/thing/{UNKNOWN}")] {
            assert_eq!(shown(&browser, path).await.0, 404, "{path}");
        }
        assert_eq!(send(&browser, &format!("/things/runs/{UNKNOWN}/cancel"), &[]).await.0, 404);
        // The same pages of the other workspace are not this person's.
        assert_eq!(shown(&browser, "/w/other/things/").await.0, 403);
    }
}

on_both! {
    async fn a_person_cancels_what_their_agent_started_and_nobody_else_s(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let place = app.folder(app.house.default, "docs", &[("lamp.md", "# Lamp")]).await;
        let owner = app.token(app.house.default).await;
        let asked = serde_json::json!({ "resource_id": place });
        let queued = owner.call("sync_resource", asked).await.structured();
        let run = queued["run_id"].as_str().unwrap();
        let browser = member(&app, Role::Member).await;
        let (_, runs) = shown(&browser, "/things/runs").await;
        assert!(!runs.contains(run), "a member sees their own: {runs}");
        assert_eq!(send(&browser, &format!("/things/runs/{run}/cancel"), &[]).await.0, 404);
        set_role(&app, Role::Admin).await;
        let (_, runs) = shown(&browser, "/things/runs").await;
        assert!(runs.contains(run), "an admin sees all: {runs}");
        assert_eq!(send(&browser, &format!("/things/runs/{run}/cancel"), &[]).await.0, 303);
        let (_, runs) = shown(&browser, "/things/runs").await;
        assert!(runs.contains("Cancelled"), "{runs}");
    }
}

on_both! {
    async fn an_admin_connects_only_below_what_the_operator_named(test) with MIGRATIONS; {
        let root = tempfile::tempdir().unwrap();
        let inside = root.path().join("inside");
        std::fs::create_dir(&inside).unwrap();
        let roots = root.path().to_str().unwrap().to_owned();
        let app = App::with(test, &[("STOA_THINGS__FOLDER_ROOTS", &roots)]).await;
        let browser = member(&app, Role::Admin).await;
        let connect = |path: String| {
            let browser = browser.clone();
            async move {
                let wanted = [("connector", "folder"), ("name", "notes"), ("path", &path), ("exclude", "")];
                send(&browser, "/things/resources/new", &wanted).await
            }
        };
        let outside = inside.join("../../..").to_str().unwrap().to_owned();
        // Nor is told what else there is on the machine.
        let elsewhere = ["/", "/etc", "/etc/shadow", "/nowhere at all"].map(str::to_owned);
        for path in elsewhere.into_iter().chain([outside]) {
            let (status, page) = connect(path.clone()).await;
            assert_eq!(status, 400, "{path}");
            assert!(page.contains("lets no such folder be connected here") && page.contains("notes"), "{page}");
        }
        assert_eq!(connect(inside.to_str().unwrap().to_owned()).await.0, 303);
        let (_, listed) = shown(&browser, "/things/resources").await;
        assert!(listed.contains("notes") && listed.contains("Never synced"), "{listed}");
    }
}
