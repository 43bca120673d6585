//! At the page where a person says yes.

use stoa_identity::Role;
use stoa_testing::on_both;

use crate::oauth::{Stage, local};
use crate::pages::{add_member, add_person, enter};
use crate::support::{MIGRATIONS, post};

/// Somebody else who belongs to the same workspace.
const MALLORY: &str = "mallory@example.com";

on_both! {
    async fn another_person_who_is_signed_in_can_not_decide_nor_look(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        add_person(&stage.app, MALLORY).await;
        add_member(&stage.app, MALLORY, Role::Owner).await;
        let browser = stage.app.anonymous().with("origin", "http://localhost:8787");
        let mallory = browser.with("cookie", &enter(&browser, MALLORY).await);
        let asked = stage.ask(&[]).await;
        let page = local(&asked);
        let (looked, never_there) = (mallory.get(&page).await, mallory.get(&format!("{page}x")).await);
        assert_eq!((looked.status.as_u16(), never_there.status.as_u16()), (410, 410));
        for decision in ["connect", "cancel"] {
            let decided = post(&mallory, &page, &[("decision", decision), ("scope", "things:read")]).await;
            assert_eq!(decided.status, 410, "{decision}");
        }
        // Whose page it is, for them it waits as before.
        stage.decide(&asked, &[("decision", "connect"), ("scope", "things:read")]).await;
    }
}

on_both! {
    async fn nobody_frames_the_page_or_what_comes_after_it(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        let asked = stage.ask(&[]).await;
        let page = stage.browser.get(&local(&asked)).await;
        let after = stage.decide(&asked, &[("decision", "connect"), ("scope", "things:read")]).await;
        for shown in [page, after] {
            assert_eq!(shown.status, 200);
            assert_eq!(shown.headers["x-frame-options"], "DENY");
            assert_eq!(shown.headers["cache-control"], "no-store");
            assert_eq!(shown.headers["referrer-policy"], "same-origin");
            let policy = shown.headers["content-security-policy"].to_str().unwrap();
            for rule in ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'"] {
                assert!(policy.contains(rule), "{policy}");
            }
            assert!(!policy.contains("unsafe"), "{policy}");
        }
    }
}
