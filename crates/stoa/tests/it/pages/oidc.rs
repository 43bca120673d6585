//! Signing in at an OpenID provider, whole: with its discovery, its keys and its tokens.

use serde_json::{Value, json};
use stoa_identity::Role;
use stoa_testing::{TestDatabase, on_both};

use super::{EMAIL, add_member, add_person, cookie, sign_in};
use crate::support::{Anonymous, Answer, App, MIGRATIONS, OpenId, form, post};

const BOB: &str = "bob@example.org";

/// A house that has a provider.
struct Stage {
    app: App,
    provider: OpenId,
    browser: Anonymous,
}

impl Stage {
    /// The settings are laid over those of the provider.
    async fn on(test: TestDatabase, settings: &[(&str, &str)]) -> Self {
        let provider = OpenId::start().await;
        let own = provider.settings();
        let own = own.iter().map(|(name, value)| (*name, value.as_str()));
        let all: Vec<_> = own.chain(settings.iter().copied()).collect();
        let app = App::with(test, &all).await;
        let browser = app.anonymous();
        Self { app, provider, browser }
    }

    /// Goes to the provider and signs in there; gives the query to come back with, and the cookie that lets one.
    async fn go(&self, next: &str, claims: &Value) -> (Vec<(String, String)>, String) {
        let sent = self.browser.get(&format!("/sign-in/oidc?next={next}")).await;
        assert_eq!(sent.status, 303, "{}", sent.body);
        let answer = self.provider.sign_in(location(&sent), &self.app, claims);
        (answer, cookie(&sent))
    }

    /// The whole way, unchanged.
    async fn sign_in(&self, claims: &Value) -> Answer {
        let (query, bound) = self.go("/agents", claims).await;
        self.come_back(&bound, &query).await
    }

    async fn come_back(&self, cookie: &str, query: &[(String, String)]) -> Answer {
        let query = form(query.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        self.browser.with("cookie", cookie).get(&format!("/sign-in/oidc/back?{query}")).await
    }

    /// Nobody is signed in, the page says this, and the audit has this word for it.
    async fn refused(&self, answer: &Answer, said: &str, code: &str) {
        let page = answer.body.as_str().unwrap();
        assert_eq!(answer.status, 403, "{page}");
        assert!(page.contains(said), "{said}: {page}");
        let cookies = answer.headers.get_all("set-cookie").iter();
        assert!(cookies.map(|line| line.to_str().unwrap()).all(|line| !line.starts_with("stoa-session")));
        assert_eq!(self.audited().await, ("denied".to_owned(), Some(code.to_owned())));
    }

    /// Nobody is signed in, and there is nothing to note: anybody can come back to nothing.
    async fn late(&self, bound: &str, query: &[(String, String)]) {
        let before = self.entries().await;
        let answer = self.come_back(bound, query).await;
        let page = answer.body.as_str().unwrap();
        assert_eq!(answer.status, 403, "{page}");
        assert!(page.contains("This took too long, or was begun in another browser"), "{page}");
        assert_eq!(self.entries().await, before);
    }

    async fn entries(&self) -> i64 {
        stoa_store::on!(read self.app.house.db, c => sqlx::query_scalar(
            "SELECT COUNT(*) FROM audit_entry WHERE tool = 'sign in at a provider'"
        ).fetch_one(c).await)
        .unwrap()
    }

    /// How the last way ended, as the audit has it.
    async fn audited(&self) -> (String, Option<String>) {
        stoa_store::on!(read self.app.house.db, c => sqlx::query_as(
            "SELECT status, code FROM audit_entry WHERE tool = 'sign in at a provider' ORDER BY seq DESC LIMIT 1"
        ).fetch_one(c).await).unwrap()
    }
}

fn location(answer: &Answer) -> &str {
    answer.headers["location"].to_str().unwrap()
}

/// Who is known to the provider, and how well.
fn person(email: &str, email_verified: bool) -> Value {
    json!({ "sub": "248289761001", "email": email, "email_verified": email_verified })
}

on_both! {
    async fn without_a_provider_there_is_no_way_to_one(test) with MIGRATIONS; {
        let browser = App::on(test).await.anonymous();
        assert!(!browser.get("/sign-in").await.body.as_str().unwrap().contains("oidc"));
        assert_eq!(location(&browser.get("/sign-in/oidc?next=/agents").await), "/sign-in?next=%2Fagents");
        assert_eq!(location(&browser.get("/sign-in/oidc/back?code=c1&state=s").await), "/sign-in");
    }
}

on_both! {
    async fn a_person_of_an_allowed_domain_signs_in_at_the_provider_and_goes_on(test) with MIGRATIONS; {
        let stage = Stage::on(test, &[("STOA_OIDC__ALLOWED_DOMAINS", "Example.org")]).await;
        let page = stage.browser.get("/sign-in?next=/agents").await;
        let page = page.body.as_str().unwrap().to_owned();
        assert!(page.contains("href=\"/sign-in/oidc?next=%2Fagents\""), "{page}");
        assert!(page.contains("Sign in with Example"), "{page}");

        let entered = stage.sign_in(&person(BOB, true)).await;
        assert_eq!((entered.status.as_u16(), location(&entered)), (303, "/agents"), "{}", entered.body);
        let home = stage.browser.with("cookie", &cookie(&entered));
        assert_eq!(home.get("/agents").await.status, 200);
        assert!(home.get("/security").await.body.as_str().unwrap().contains(BOB));
        assert_eq!(stage.audited().await, ("ok".to_owned(), None));

        // Whatever the address is there by now, it is the same person.
        let moved = json!({ "sub": "248289761001" });
        stage.provider.tell(moved.clone());
        let again = stage.sign_in(&moved).await;
        assert_eq!(again.status, 303, "{}", again.body);
        // A session that the browser had is over when it begins another.
        let (query, bound) = stage.go("/", &person(BOB, true)).await;
        let before = cookie(&again);
        assert_eq!(stage.come_back(&format!("{before}; {bound}"), &query).await.status, 303);
        assert_eq!(stage.browser.with("cookie", &before).get("/agents").await.status, 303);
    }
}

on_both! {
    async fn a_provider_is_asked_for_the_address_where_its_token_does_not_say_it(test) with MIGRATIONS; {
        let stage = Stage::on(test, &[("STOA_OIDC__ALLOWED_DOMAINS", "example.org")]).await;
        stage.provider.tell(person(BOB, true));
        assert_eq!(stage.sign_in(&json!({ "sub": "248289761001" })).await.status, 303);
        stage.provider.tell(json!({ "sub": "another", "email": "eve@example.org", "email_verified": true }));
        let crossed = stage.sign_in(&json!({ "sub": "mallory" })).await;
        stage.refused(&crossed, "Example did not sign you in", "not_proven").await;
    }
}

on_both! {
    async fn an_account_is_linked_by_its_address_only_where_the_operator_says_so(test) with MIGRATIONS; {
        let stage = Stage::on(test, &[]).await;
        add_person(&stage.app, EMAIL).await;
        let told = stage.sign_in(&person(EMAIL, true)).await;
        stage.refused(&told, "sign in to it as you did before", "not_linked").await;
        let stranger = stage.sign_in(&person("eve@example.net", true)).await;
        stage.refused(&stranger, "There is no account for you here", "not_invited").await;
    }
}

on_both! {
    async fn a_linked_account_is_the_persons_own(test) with MIGRATIONS; {
        let stage = Stage::on(test, &[("STOA_OIDC__LINK_BY_EMAIL", "true")]).await;
        add_person(&stage.app, EMAIL).await;
        add_member(&stage.app, EMAIL, Role::Member).await;
        let unsure = stage.sign_in(&person(EMAIL, false)).await;
        stage.refused(&unsure, "Example has not verified your email address", "not_verified").await;
        let entered = stage.sign_in(&person(EMAIL, true)).await;
        assert_eq!(entered.status, 303, "{}", entered.body);
        let browser = stage.browser.with("cookie", &cookie(&entered));
        assert_eq!(browser.get("/agents").await.status, 200);
        // The password is as good as before.
        sign_in(&stage.app, EMAIL).await;
    }
}

on_both! {
    async fn what_the_provider_did_not_say_to_this_browser_signs_nobody_in(test) with MIGRATIONS; {
        let stage = Stage::on(test, &[("STOA_OIDC__ALLOWED_DOMAINS", "example.org")]).await;
        let bob = person(BOB, true);
        let (query, bound) = stage.go("/", &bob).await;
        stage.late("", &query).await;
        let other = [query[0].clone(), ("state".to_owned(), "guessed".to_owned())];
        stage.late(&bound, &other).await;
        // With that the ceremony was used up.
        stage.late(&bound, &query).await;

        let (query, bound) = stage.go("/", &bob).await;
        assert_eq!(stage.come_back(&bound, &query).await.status, 303);
        stage.late(&bound, &query).await;

        let unproven = "Example did not sign you in";
        let (query, bound) = stage.go("/", &bob).await;
        let mixed_up = [query.as_slice(), &[("iss".to_owned(), "https://evil.example.com".to_owned())]].concat();
        stage.refused(&stage.come_back(&bound, &mixed_up).await, unproven, "not_proven").await;
        let (query, bound) = stage.go("/", &bob).await;
        let turned_away = [query[1].clone(), ("error".to_owned(), "access_denied".to_owned())];
        stage.refused(&stage.come_back(&bound, &turned_away).await, unproven, "not_proven").await;
        let (query, bound) = stage.go("/", &bob).await;
        let other_code = [("code".to_owned(), "c2".to_owned()), query[1].clone()];
        stage.refused(&stage.come_back(&bound, &other_code).await, unproven, "not_proven").await;
    }
}

on_both! {
    async fn a_token_that_is_not_for_this_sign_in_signs_nobody_in(test) with MIGRATIONS; {
        let stage = Stage::on(test, &[("STOA_OIDC__ALLOWED_DOMAINS", "example.org")]).await;
        let lies = [
            json!({ "iss": "https://evil.example.com" }),
            json!({ "aud": "another" }),
            json!({ "aud": ["stoa", "another"] }),
            json!({ "azp": "another" }),
            json!({ "nonce": "another" }),
            json!({ "nonce": null }),
            json!({ "exp": 1_000_000_000 }),
            json!({ "sub": null }),
            json!({ "at_hash": "AAAAAAAAAAAAAAAAAAAAAA" }),
        ];
        for lie in lies {
            let mut claims = person(BOB, true);
            claims.as_object_mut().unwrap().extend(lie.as_object().unwrap().clone());
            let answer = stage.sign_in(&claims).await;
            stage.refused(&answer, "Example did not sign you in", "not_proven").await;
        }
        stage.provider.sign_with_another_key();
        let answer = stage.sign_in(&person(BOB, true)).await;
        stage.refused(&answer, "Example did not sign you in", "not_proven").await;
    }
}

on_both! {
    async fn a_provider_that_is_away_is_said_to_be(test) with MIGRATIONS; {
        let stage = Stage::on(test, &[]).await;
        drop(stage.provider);
        let spanish = stage.browser.with("accept-language", "es");
        let page = spanish.get("/sign-in/oidc?next=/agents").await;
        assert_eq!(page.status, 502);
        let said = page.body.as_str().unwrap();
        assert!(said.contains("no se puede llegar a Example"), "{said}");
        // And then on to where they wanted.
        assert!(said.contains("value=\"/agents\""), "{said}");
    }
}

on_both! {
    async fn a_person_sees_the_link_and_unlinks_it_when_there_is_another_way_in(test) with MIGRATIONS; {
        let stage = Stage::on(test, &[("STOA_OIDC__ALLOWED_DOMAINS", "example.org")]).await;
        let now = stage.app.house.ambient.now().as_micros() / 1_000_000;
        let claims = json!({ "sub": "248289761001", "email": BOB, "email_verified": true, "auth_time": now });
        let browser = stage.browser.with("cookie", &cookie(&stage.sign_in(&claims).await));
        let browser = browser.with("origin", "http://localhost:8787");
        let page = browser.get("/security").await;
        assert!(page.body.as_str().unwrap().contains("<dd>248289761001</dd>"), "{}", page.body);
        let link = [("issuer", stage.provider.issuer.as_str()), ("subject", "248289761001")];
        let last = post(&browser, "/security/providers/unlink", &link).await;
        assert_eq!(last.status, 409, "{}", last.body);
        let other = [link[0], ("subject", "somebody else's")];
        assert_eq!(post(&browser, "/security/providers/unlink", &other).await.status, 404);
        let password = [("password", "a stoa at noon")];
        assert_eq!(post(&browser, "/security/password", &password).await.status, 303);
        let done = post(&browser, "/security/providers/unlink", &link).await;
        assert_eq!(location(&done), "/security?done=provider-unlinked");
        let again = stage.sign_in(&claims).await;
        stage.refused(&again, "sign in to it as you did before", "not_linked").await;
    }
}

on_both! {
    async fn a_proof_that_is_old_or_of_unknown_age_changes_no_way_of_signing_in(test) with MIGRATIONS; {
        let stage = Stage::on(test, &[("STOA_OIDC__ALLOWED_DOMAINS", "example.org")]).await;
        let unknown = person(BOB, true);
        let mut old = unknown.clone();
        old["auth_time"] = json!(1_000);
        for claims in [unknown, old] {
            let browser = stage.browser.with("cookie", &cookie(&stage.sign_in(&claims).await));
            let browser = browser.with("origin", "http://localhost:8787");
            let refused = post(&browser, "/security/password", &[("password", "a stoa at noon")]).await;
            assert!(location(&refused).starts_with("/sign-in?next=%2Fsecurity"), "{}", location(&refused));
        }
        // Once more is asked for in earnest.
        let sent = stage.browser.get("/sign-in/oidc?next=/security&again=1").await;
        assert!(location(&sent).contains("prompt=login") && location(&sent).contains("max_age=0"));
    }
}
