//! The pages of a workspace: who decides about whom, and what an invitation is good for.

use serde_json::json;
use stoa_base::AccountId;
use stoa_identity::accounts::NewAccount;
use stoa_identity::{Role, accounts, members};
use stoa_testing::on_both;

use super::agents::send;
use super::{EMAIL, PASSWORD, member, signed_in};
use crate::support::{Anonymous, App, MIGRATIONS, post};

const OWNER: &str = "owner@example.com";
const UNKNOWN: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

async fn account(app: &App, email: &str) -> AccountId {
    accounts::by_email(&app.house.db, &email.parse().unwrap()).await.unwrap().unwrap().id
}

/// What somebody is in `default`.
async fn role(app: &App, email: &str) -> Option<Role> {
    let all = members::list(&app.house.db, app.house.default).await.unwrap();
    all.iter().find(|one| one.email.to_string() == email).map(|one| one.role)
}

async fn set_role(browser: &Anonymous, id: &str, role: &str) -> u16 {
    send(browser, &format!("/members/{id}/role"), &[("role", role)]).await.0
}

/// The secret of an invitation that this person makes.
async fn invited(browser: &Anonymous, email: &str, role: &str) -> String {
    let (status, page) = send(browser, "/invitations", &[("email", email), ("role", role)]).await;
    assert_eq!(status, 200, "{page}");
    let (_, rest) = page.split_once("http://localhost:8787/invite#").unwrap();
    rest.split('<').next().unwrap().to_owned()
}

/// A browser that keeps the secret. `None`: it was refused.
async fn opened(app: &App, secret: &str) -> Option<Anonymous> {
    let browser = app.anonymous().with("origin", "http://localhost:8787");
    let answer = post(&browser, "/invite", &[("secret", secret)]).await;
    if answer.status != 303 {
        assert_eq!(answer.status, 400);
        assert!(answer.body.as_str().unwrap().contains("This invitation is not good"), "{}", answer.body);
        return None;
    }
    let cookie = answer.headers["set-cookie"].to_str().unwrap();
    assert!(cookie.contains("HttpOnly"), "{cookie}");
    Some(browser.with("cookie", cookie.split(';').next().unwrap()))
}

on_both! {
    async fn a_member_sees_who_is_there_and_decides_nothing(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = member(&app, Role::Member).await;
        let page = browser.get("/members").await.body.as_str().unwrap().to_owned();
        assert!(page.contains(OWNER) && page.contains(EMAIL), "{page}");
        assert!(!page.contains("/role") && !page.contains("/remove") && !page.contains("/invitations"), "{page}");
        let owner = account(&app, OWNER).await.to_string();
        assert_eq!(set_role(&browser, &owner, "member").await, 403);
        assert_eq!(send(&browser, &format!("/members/{owner}/remove"), &[]).await.0, 403);
        assert_eq!(send(&browser, "/invitations", &[("role", "member")]).await.0, 403);
        assert_eq!(role(&app, OWNER).await, Some(Role::Owner));
    }
}

on_both! {
    async fn an_admin_neither_makes_nor_unmakes_owners(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = member(&app, Role::Admin).await;
        let (owner, me) = (account(&app, OWNER).await.to_string(), account(&app, EMAIL).await.to_string());
        assert_eq!(set_role(&browser, &owner, "member").await, 403);
        assert_eq!(set_role(&browser, &me, "owner").await, 403);
        assert_eq!(send(&browser, &format!("/members/{owner}/remove"), &[]).await.0, 403);
        assert_eq!(send(&browser, "/invitations", &[("role", "owner")]).await.0, 403);
        assert_eq!((role(&app, OWNER).await, role(&app, EMAIL).await), (Some(Role::Owner), Some(Role::Admin)));
        // What an admin may: step down, after which nothing is theirs to decide.
        assert_eq!(set_role(&browser, &me, "member").await, 303);
        assert_eq!(set_role(&browser, &me, "admin").await, 403);
    }
}

on_both! {
    async fn a_workspace_keeps_an_owner(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = member(&app, Role::Owner).await;
        let (owner, me) = (account(&app, OWNER).await.to_string(), account(&app, EMAIL).await.to_string());
        assert_eq!(set_role(&browser, &owner, "member").await, 303);
        assert_eq!(set_role(&browser, &me, "member").await, 409);
        assert_eq!(send(&browser, &format!("/members/{me}/remove"), &[]).await.0, 409);
        assert_eq!(send(&browser, "/members/leave", &[]).await.0, 409);
        assert_eq!(role(&app, EMAIL).await, Some(Role::Owner));
        assert_eq!(set_role(&browser, &owner, "owner").await, 303);
        assert_eq!(send(&browser, "/members/leave", &[]).await.0, 303);
        assert_eq!(browser.get("/members").await.status, 403);
    }
}

on_both! {
    async fn who_belongs_elsewhere_is_as_one_who_never_was(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = member(&app, Role::Owner).await;
        let other = app.other_workspace().await;
        let (db, ambient) = (&app.house.db, &app.house.ambient);
        let act = || app.house.act(other, "member add", json!({}));
        let new = NewAccount { email: "else@example.com".parse().unwrap(), password: None };
        accounts::add(db, ambient, &act(), new).await.unwrap();
        let foreign = account(&app, "else@example.com").await;
        members::add(db, ambient, &act(), other, foreign, Role::Member).await.unwrap();
        let all = members::list(db, other).await.unwrap();
        let foreign = foreign.to_string();
        for id in [foreign.as_str(), UNKNOWN, "x"] {
            assert_eq!(set_role(&browser, id, "member").await, 404, "{id}");
            assert_eq!(send(&browser, &format!("/members/{id}/remove"), &[]).await.0, 404, "{id}");
        }
        assert_eq!(members::list(db, other).await.unwrap(), all);
    }
}

on_both! {
    async fn an_invitation_makes_one_account_once_and_a_removed_person_is_refused(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let owner = member(&app, Role::Owner).await;
        let secret = invited(&owner, "", "member").await;
        let page = owner.get("/members").await.body.as_str().unwrap().to_owned();
        assert!(page.contains("Whoever has the link") && !page.contains(&secret), "a link is shown once");
        let browser = opened(&app, &secret).await.unwrap();
        assert!(browser.get("/invite/offer").await.body.as_str().unwrap().contains(EMAIL), "who invites");
        let new = [("email", "new@example.com"), ("password", PASSWORD)];
        let made = post(&browser, "/invite/new", &new).await;
        assert_eq!(made.status, 303, "{}", made.body);
        let session = made.headers.get_all("set-cookie").iter().next().unwrap().to_str().unwrap();
        let session = session.split(';').next().unwrap();
        let joined = app.anonymous().with("origin", "http://localhost:8787").with("cookie", session);
        assert_eq!(joined.get("/members").await.status, 200);
        assert!(opened(&app, &secret).await.is_none(), "used once");
        let id = account(&app, "new@example.com").await.to_string();
        assert_eq!(send(&owner, &format!("/members/{id}/remove"), &[]).await.0, 303);
        assert_eq!(joined.get("/members").await.status, 403);
    }
}

on_both! {
    async fn a_withdrawn_and_an_unknown_invitation_are_refused_alike(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let owner = member(&app, Role::Owner).await;
        let secret = invited(&owner, "else@example.com", "admin").await;
        let browser = opened(&app, &secret).await.unwrap();
        let wrong = [("email", "new@example.com"), ("password", PASSWORD)];
        let refused = post(&browser, "/invite/new", &wrong).await;
        assert!(refused.body.as_str().unwrap().contains("for another address"), "{}", refused.body);
        let page = owner.get("/members").await.body.as_str().unwrap().to_owned();
        let (before, _) = page.split_once("/withdraw").unwrap();
        let id = before.rsplit('/').next().unwrap().to_owned();
        assert_eq!(send(&owner, &format!("/invitations/{id}/withdraw"), &[]).await.0, 303);
        assert_eq!(browser.get("/invite/offer").await.status, 400);
        assert!(opened(&app, &secret).await.is_none());
        assert!(opened(&app, "nothing").await.is_none());
    }
}

on_both! {
    async fn an_owner_of_default_founds_a_workspace_and_nobody_else_does(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let browser = signed_in(&app).await;
        assert_eq!(send(&browser, "/workspaces", &[("name", "acme")]).await.0, 403);
        assert_eq!(browser.get("/w/acme/members").await.status, 403);
        let me = account(&app, EMAIL).await;
        let act = app.house.act(app.house.default, "member add", json!({}));
        let (db, ambient) = (&app.house.db, &app.house.ambient);
        members::add(db, ambient, &act, app.house.default, me, Role::Owner).await.unwrap();
        assert_eq!(send(&browser, "/workspaces", &[("name", "acme")]).await.0, 303);
        assert_eq!(send(&browser, "/workspaces", &[("name", "acme")]).await.0, 409);
        assert_eq!(send(&browser, "/workspaces", &[("name", "A b")]).await.0, 400);
        let page = browser.get("/workspaces").await.body.as_str().unwrap().to_owned();
        assert!(page.contains("href=\"/w/acme/\"") && page.contains("href=\"/\""), "{page}");
        // What `stoa workspace add` gives one: the default storage.
        let places = browser.get("/w/acme/things/resources").await;
        assert_eq!(places.status, 200);
        assert!(places.body.as_str().unwrap().contains("/sync"), "{}", places.body);
    }
}
