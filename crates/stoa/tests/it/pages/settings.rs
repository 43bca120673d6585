//! The page of a workspace as a whole: its owners', and nobody else's.

use http::Method;
use stoa_identity::{Role, members, workspaces};
use stoa_testing::on_both;

use super::agents::send;
use super::{EMAIL, member, set_role, signed_in};
use crate::support::{Anonymous, App, MIGRATIONS};

/// A person who is this in the workspace `other`, signed in.
async fn of_other(app: &App, role: Role) -> Anonymous {
    let other = app.other_workspace().await;
    let browser = signed_in(app).await;
    let (db, ambient) = (&app.house.db, &app.house.ambient);
    let account = stoa_identity::accounts::by_email(db, &EMAIL.parse().unwrap()).await.unwrap().unwrap().id;
    let act = app.house.act(other, "member add", serde_json::json!({}));
    members::add(db, ambient, &act, other, account, role).await.unwrap();
    browser
}

async fn is_there(app: &App) -> bool {
    workspaces::by_name(&app.house.db, &"other".parse().unwrap()).await.unwrap().is_some()
}

on_both! {
    async fn settings_are_for_owners(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = member(&app, Role::Admin).await;
        assert!(!browser.get("/").await.body.as_str().unwrap().contains("/settings"));
        assert_eq!(browser.get("/settings").await.status, 403);
        assert_eq!(send(&browser, "/settings/export", &[]).await.0, 403);
        assert_eq!(send(&browser, "/settings/delete", &[("name", "default")]).await.0, 403);
        set_role(&app, Role::Owner).await;
        assert!(browser.get("/").await.body.as_str().unwrap().contains("href=\"/settings\""));
        let page = browser.get("/settings").await;
        assert_eq!(page.status, 200);
        let said = page.body.as_str().unwrap();
        assert!(said.contains("<dd>120</dd>") && said.contains("<dd>60</dd>"), "{said}");
        assert!(!said.contains("/settings/delete"), "default is not deleted: {said}");
        assert_eq!(send(&browser, "/settings/delete", &[("name", "default")]).await.0, 409);
    }
}

on_both! {
    async fn an_admin_of_another_workspace_neither_takes_nor_deletes_it(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = of_other(&app, Role::Admin).await;
        assert_eq!(send(&browser, "/w/other/settings/export", &[]).await.0, 403);
        assert_eq!(send(&browser, "/w/other/settings/delete", &[("name", "other")]).await.0, 403);
        assert!(is_there(&app).await);
    }
}

on_both! {
    async fn an_owner_takes_everything_away_and_deletes_the_workspace_by_its_name(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = of_other(&app, Role::Owner).await;
        let archive = browser.send(Method::POST, "/w/other/settings/export", axum::body::Body::empty()).await;
        assert_eq!(archive.status, 200);
        assert_eq!(archive.headers["content-disposition"], "attachment; filename=\"stoa-other.tar.gz\"");
        assert_eq!(archive.headers["content-type"], "application/gzip");
        let (status, page) = send(&browser, "/w/other/settings/delete", &[("name", "Other")]).await;
        assert_eq!(status, 400);
        assert!(page.contains("Nothing was deleted") && is_there(&app).await, "{page}");
        let (status, page) = send(&browser, "/w/other/settings/delete", &[("name", " other ")]).await;
        assert_eq!(status, 200);
        assert!(page.contains("The workspace is gone") && !is_there(&app).await, "{page}");
        // From now on it is as one that never was.
        assert_eq!(browser.get("/w/other/settings").await.status, 403);
        assert_eq!(browser.get("/w/nowhere/settings").await.status, 403);
    }
}
