//! Saying that this server is somewhere else: what it says of itself comes from its configuration alone.

use stoa_testing::on_both;

use crate::oauth::{Stage, local};
use crate::support::{Answer, MIGRATIONS, post};

/// What proxies say of the host that was asked, and attackers say, too.
const FORWARDED: [(&str, &str); 6] = [
    ("x-forwarded-host", "evil.example.com"),
    ("x-forwarded-server", "evil.example.com"),
    ("x-original-host", "evil.example.com"),
    ("x-host", "evil.example.com"),
    ("x-forwarded-prefix", "/evil.example.com"),
    ("forwarded", "host=evil.example.com;proto=https"),
];

/// All that an answer says.
fn said(answer: &Answer) -> String {
    format!("{:?} {}", answer.headers, String::from_utf8_lossy(&answer.raw))
}

/// Addresses whose answers tell where this server is.
const TELLING: [&str; 7] = [
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/things/mcp",
    "/.well-known/oauth-authorization-server",
    "/things/.well-known/openid-configuration",
    "/things/mcp",
    "/",
    "/agents/new",
];

on_both! {
    async fn no_header_of_a_request_changes_what_the_server_says_of_itself(test) with MIGRATIONS; {
        let mut stage = Stage::on(test).await;
        let honest = stage.browser.clone();
        for (header, value) in FORWARDED {
            let lied = honest.with(header, value).with("x-forwarded-proto", "https");
            for path in TELLING {
                let (plain, answer) = (honest.get(path).await, lied.get(path).await);
                assert_eq!(said(&answer), said(&plain), "{header} {path}");
            }
            // On the way to the person's yes each answer has a secret of its own.
            stage.browser = lied;
            let asked = stage.ask(&[]).await;
            let location = asked.headers["location"].to_str().unwrap();
            assert!(location.starts_with("http://localhost:8787/things/oauth/consent/"), "{location}");
            let page = stage.browser.get(&local(&asked)).await;
            let yes = [("decision", "connect"), ("scope", "things:read")];
            let after = post(&stage.browser, &local(&asked), &yes).await;
            for answer in [&asked, &page, &after] {
                assert!(!said(answer).contains("evil.example.com"), "{header}: {}", said(answer));
            }
            assert!(after.body.as_str().unwrap().contains("iss=http%3A%2F%2Flocalhost%3A8787%2Fthings"));
        }
    }
}

on_both! {
    async fn a_foreign_host_is_answered_nothing_however_it_is_named(test) with MIGRATIONS; {
        let stage = Stage::on(test).await;
        for path in TELLING.into_iter().chain(["/sign-in", "/things/oauth/authorize", "/nothing"]) {
            for host in ["evil.example.com", "localhost:8787.evil.example.com", "evil.example.com:8787", "localhost"] {
                let answer = stage.browser.with("host", host).get(path).await;
                assert_eq!(answer.status, 403, "{host} {path}");
                assert!(!said(&answer).contains("evil.example.com/"), "{host} {path}");
            }
            // In the request's own line it stands above the header (RFC 9112 section 3.2.2).
            let absolute = stage.browser.get(&format!("http://evil.example.com{path}")).await;
            assert_eq!(absolute.status, 403, "{path}");
        }
    }
}
