//! One test an attack.

use std::time::Duration;

use stoa_identity::oauth::TokenError;
use stoa_identity::{MountId, Rejected, workspaces};
use stoa_testing::on_both;

use super::support::{CHALLENGE, Client, VERIFIER, audited, profile_of, texts};
use crate::house::{House, MIGRATIONS};

/// What a refusal of a code or refresh token says: nothing else ever.
const REFUSAL: (&str, &str) = ("invalid_grant", "the code or the refresh token is not good; authorize again");

fn said(refused: &TokenError) -> (&'static str, String) {
    (refused.code().as_str(), refused.to_string())
}

fn is_refusal(refused: Result<stoa_identity::TokenAnswer, TokenError>) -> bool {
    let (code, text) = said(&refused.unwrap_err());
    (code, text.as_str()) == REFUSAL
}

on_both! {
    async fn a_code_used_twice_revokes_what_it_gave(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let kept = client.tokens().await;
        let code = client.code().await;
        let tokens = client.redeem(&code, &[]).await.unwrap();
        let refreshed = client.refresh(&tokens, &[]).await.unwrap();
        client.show(&refreshed).await.unwrap();
        assert!(is_refusal(client.redeem(&code, &[("code_verifier", "a wrong one, of another client")]).await));
        for given in [&tokens, &refreshed] {
            assert_eq!(client.show(given).await, Err(Rejected::Revoked));
            assert!(is_refusal(client.refresh(given, &[]).await));
        }
        client.show(&kept).await.unwrap();
        let last = audited(&house).await.pop().unwrap();
        assert_eq!(last, ("oauth token".to_owned(), "denied".to_owned(), Some("invalid_grant".to_owned())));
    }
}

on_both! {
    async fn of_two_uses_of_a_code_at_once_neither_leaves_tokens(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let code = client.code().await;
        let (one, other) = tokio::join!(client.redeem(&code, &[]), client.redeem(&code, &[]));
        let (good, bad): (Vec<_>, Vec<_>) = [one, other].into_iter().partition(Result::is_ok);
        assert_eq!((good.len(), bad.len()), (1, 1));
        let given = good.into_iter().next().unwrap().unwrap();
        assert_eq!(client.show(&given).await, Err(Rejected::Revoked));
    }
}

on_both! {
    async fn a_code_is_good_for_a_minute(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let (code, late) = (client.code().await, client.code().await);
        house.clock.advance(Duration::from_secs(59));
        client.redeem(&code, &[]).await.unwrap();
        house.clock.advance(Duration::from_secs(1));
        assert!(is_refusal(client.redeem(&late, &[]).await));
    }
}

on_both! {
    async fn a_code_injected_by_another_client_gives_nothing_and_stays_good(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (client, other) = (Client::registered(&house).await, Client::named(&house, "Other").await);
        let code = client.code().await;
        assert!(is_refusal(other.redeem(&code, &[]).await));
        assert!(is_refusal(client.redeem(&code, &[("client_id", other.id.as_str())]).await));
        client.redeem(&code, &[]).await.unwrap();
    }
}

on_both! {
    async fn a_verifier_that_is_missing_wrong_or_plain_proves_nothing(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let code = client.code().await;
        let missing = client.redeem(&code, &[("code_verifier", "")]).await.unwrap_err();
        assert_eq!(missing.code().as_str(), "invalid_request");
        let wrong = VERIFIER.replace('d', "e");
        for verifier in [CHALLENGE, wrong.as_str(), "short", &VERIFIER[1..], &"a".repeat(129)] {
            assert!(is_refusal(client.redeem(&code, &[("code_verifier", verifier)]).await), "{verifier}");
        }
        client.redeem(&code, &[]).await.unwrap();
    }
}

on_both! {
    async fn a_code_is_redeemed_with_the_very_redirect_it_was_sent_to(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let code = client.code().await;
        for redirect_uri in [
            "http://127.0.0.1:4712/cb",
            "http://127.0.0.1/cb",
            "http://127.0.0.1:4711/CB",
            "http://127.0.0.1:4711/cb/",
            "http://127.0.0.1:4711/cb%2F",
            "http://user@127.0.0.1:4711/cb",
            "http://localhost:4711/cb",
            "my-app://cb",
        ] {
            assert!(is_refusal(client.redeem(&code, &[("redirect_uri", redirect_uri)]).await), "{redirect_uri}");
        }
        client.redeem(&code, &[]).await.unwrap();
    }
}

on_both! {
    async fn each_failure_is_the_same_failure(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (client, other) = (Client::registered(&house).await, Client::named(&house, "Other").await);
        let code = client.code().await;
        let tokens = other.tokens().await;
        let (access, refresh) = texts(&tokens);
        let unknown = code.replace("stoa_oac_", "stoa_oac_x");
        for code in ["x", "a\0b", unknown.as_str(), access, refresh, VERIFIER] {
            assert!(is_refusal(client.redeem(code, &[]).await), "{code}");
        }
        for shown in ["x", "a\0b", access, refresh, code.as_str()] {
            assert!(is_refusal(client.refresh(&tokens, &[("refresh_token", shown)]).await), "{shown}");
        }
    }
}

on_both! {
    async fn what_is_wrong_with_a_token_request_itself_is_said(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let code = client.code().await;
        for (name, value, error) in [
            ("grant_type", "", "invalid_request"),
            ("grant_type", "password", "unsupported_grant_type"),
            ("grant_type", "client_credentials", "unsupported_grant_type"),
            ("code", "", "invalid_request"),
            ("client_id", "", "invalid_client"),
            ("client_id", "unknown", "invalid_client"),
            ("client_id", "a\0b", "invalid_client"),
            ("resource", "https://stoa.example.com/rooms/mcp", "invalid_target"),
        ] {
            let refused = client.redeem(&code, &[(name, value)]).await.unwrap_err();
            assert_eq!(refused.code().as_str(), error, "{name}={value}");
        }
        let twice = client.redeem(&code, &[("code", code.as_str()), ("code", code.as_str())]).await.unwrap_err();
        assert_eq!(twice.code().as_str(), "invalid_request");
        client.redeem(&code, &[]).await.unwrap();
    }
}

on_both! {
    async fn a_token_of_another_tenant_or_mount_is_good_for_nothing_here(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (db, ambient, act) = (house.db(), &house.ambient, house.act("workspace add"));
        let acme = "acme".parse().unwrap();
        let acme = workspaces::add(db, ambient, &act, acme, &house.ann.email).await.unwrap();
        let client = Client::registered(&house).await;
        let (tokens, code) = (client.tokens().await, client.code().await);
        for mount in [MountId::new(acme.id, "things"), MountId::new(house.workspace.id, "rooms")] {
            // The same client registered there, so that only the mount differs.
            let there = Client::at(&house, profile_of(mount), "Example").await;
            assert_eq!(there.show(&tokens).await, Err(Rejected::OtherMount));
            assert!(is_refusal(there.redeem(&code, &[]).await));
            assert!(is_refusal(there.refresh(&tokens, &[]).await));
            let as_here = [("client_id", client.id.as_str())];
            assert_eq!(there.refresh(&tokens, &as_here).await.unwrap_err().code().as_str(), "invalid_client");
        }
        client.redeem(&code, &[]).await.unwrap();
        client.refresh(&tokens, &[]).await.unwrap();
    }
}

on_both! {
    async fn a_refresh_token_or_a_code_is_no_bearer(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let code = client.code().await;
        let tokens = client.tokens().await;
        for text in [code.as_str(), tokens.refresh_token.expose()] {
            let shown = house.authenticator.authenticate(text, &client.profile.mount).await.unwrap();
            assert_eq!(shown, Err(Rejected::Malformed));
        }
    }
}
