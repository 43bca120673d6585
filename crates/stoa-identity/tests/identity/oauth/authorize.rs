use stoa_identity::oauth::{AuthorizeError, ClientRefused};
use stoa_identity::{ErrorCode, Prompt};
use stoa_testing::on_both;

use super::support::{
    CHALLENGE, Client, VERIFIER, ann, decision, metadata, parameters, profile, query, told, visit,
};
use crate::house::{House, MIGRATIONS};

on_both! {
    async fn an_unknown_client_and_a_foreign_redirect_are_told_to_nobody_but_the_person(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let long = "x".repeat(501);
        for client_id in ["", "unknown", "a\0b", long.as_str(), "https://app.example.com/c"] {
            let refused = client.authorize(&[("client_id", client_id)]).await.unwrap_err();
            let is_ours = matches!(refused, AuthorizeError::NoClient | AuthorizeError::Client(ClientRefused::Unknown));
            assert!(is_ours, "{client_id:?}: {refused:?}");
        }
        for redirect_uri in [
            "",
            "http://127.0.0.1:4711/CB",
            "http://127.0.0.1:4711/cb/",
            "http://127.0.0.1:4711/cb?x=1",
            "http://127.0.0.1:4711/c%62",
            "http://127.0.0.1:4711/x/../cb",
            "http://localhost:4711/cb",
            "http://127.0.0.1@evil.example/cb",
            "http://evil.example/cb",
            "https://app.example.com/cb/",
            "https://app.example.com/cb%2F",
            "https://app.example.com:443/cb",
            "https://APP.example.com/cb",
            "https://app.example.com./cb",
            "https://user@app.example.com/cb",
            "https://app.example.com/cb#x",
            "https://app.example.com.evil.example/cb",
            r"https://app.example.com\@evil.example/cb",
            "https://app.example.com/cb ",
            "my-app://CB",
            "javascript:alert(1)",
        ] {
            let refused = client.authorize(&[("redirect_uri", redirect_uri)]).await.unwrap_err();
            let is_ours = matches!(refused, AuthorizeError::RedirectUri(_) | AuthorizeError::OtherRedirectUri);
            assert!(is_ours, "{redirect_uri:?}: {refused:?}");
            assert_eq!(refused.code(), "invalid_redirect_uri");
        }
        let twice = [("redirect_uri", "my-app://cb"), ("redirect_uri", "https://evil.example/cb")];
        assert!(matches!(client.authorize(&twice).await, Err(AuthorizeError::OtherRedirectUri)));
        let twice = [("client_id", client.id.as_str()), ("client_id", "x")];
        assert!(matches!(client.authorize(&twice).await, Err(AuthorizeError::NoClient)));
    }
}

on_both! {
    async fn what_else_is_wrong_the_client_is_told_with_state_and_issuer(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        for (name, value, code) in [
            ("response_type", "", "invalid_request"),
            ("response_type", "token", "unsupported_response_type"),
            ("response_type", "code id_token", "unsupported_response_type"),
            ("code_challenge", "", "invalid_request"),
            ("code_challenge", "short", "invalid_request"),
            ("code_challenge_method", "", "invalid_request"),
            ("code_challenge_method", "plain", "invalid_request"),
            ("code_challenge_method", "s256", "invalid_request"),
            ("resource", "https://stoa.example.com/rooms/mcp", "invalid_target"),
            ("resource", "https://evil.example/things/mcp", "invalid_target"),
            ("resource", "things", "invalid_target"),
            ("prompt", "none login", "invalid_request"),
        ] {
            let answer = told(client.authorize(&[(name, value)]).await);
            assert_eq!(answer["error"], code, "{name}={value}");
            assert_eq!((answer["state"].as_str(), answer["iss"].as_str()), ("s1", "https://stoa.example.com/things"));
            assert!(!answer.contains_key("code"));
        }
        let twice = [("resource", client.profile.resource.as_str()), ("resource", "https://evil.example")];
        assert_eq!(told(client.authorize(&twice).await)["error"], "invalid_target");
        let twice = [("scope", "things:read"), ("scope", "things:write")];
        assert_eq!(told(client.authorize(&twice).await)["error"], "invalid_request");
    }
}

on_both! {
    async fn a_state_that_is_too_long_or_repeated_does_not_go_back(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let long = "x".repeat(2_049);
        for state in [&[("state", long.as_str())][..], &[("state", "a"), ("state", "b")], &[("state", "a\nb")]] {
            let answer = told(client.authorize(state).await);
            assert_eq!((answer["error"].as_str(), answer.get("state")), ("invalid_request", None));
        }
        let longest = "&=é".repeat(512);
        let handle = client.waits(&[("state", &longest)]).await;
        assert_eq!(query(&client.approve(&handle, decision()).await)["state"], longest);
    }
}

on_both! {
    async fn the_parameters_may_be_fewer(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let handle = client.waits(&[("state", ""), ("scope", ""), ("resource", "")]).await;
        let page = client.server.page(&client.profile, &handle, ann(&house)).await.unwrap().unwrap();
        assert_eq!(page.scopes, client.profile.default_scopes);
        let to = client.approve(&handle, decision()).await;
        assert!(!query(&to).contains_key("state"));
        client.redeem(&query(&to)["code"], &[("redirect_uri", ""), ("resource", "")]).await.unwrap();
        // Where there is one place only, it need not be named.
        let metadata = metadata("single", &["https://app.example.com/cb?a=b"]);
        let single = client.server.register(&client.profile.mount, &metadata, &visit()).await.unwrap();
        let alone = [("client_id", single.client_id.as_str()), ("redirect_uri", ""), ("scope", "things:read openid email")];
        let handle = client.waits(&alone).await;
        let page = client.server.page(&client.profile, &handle, ann(&house)).await.unwrap().unwrap();
        assert_eq!(page.scopes.to_string(), "things:read");
        let only = stoa_identity::Decision { scopes: page.scopes, ..decision() };
        let to = client.approve(&handle, only).await;
        assert!(to.location.starts_with("https://app.example.com/cb?a=b&code="), "{}", to.location);
    }
}

on_both! {
    async fn a_loopback_port_may_be_another_and_a_private_scheme_is_carried_on_to(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        for redirect_uri in ["http://127.0.0.1:1/cb", "http://127.0.0.1:65535/cb", "http://127.0.0.1/cb", "my-app://cb"] {
            let handle = client.waits(&[("redirect_uri", redirect_uri)]).await;
            let to = client.approve(&handle, decision()).await;
            assert!(to.location.starts_with(&format!("{redirect_uri}?code=")), "{}", to.location);
            let redeemed = client.redeem(&query(&to)["code"], &[("redirect_uri", redirect_uri)]).await;
            redeemed.unwrap();
        }
    }
}

on_both! {
    async fn a_client_of_one_mount_is_none_of_another(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let mut elsewhere = profile(&house);
        elsewhere.mount.service = "rooms".to_owned();
        let sent = parameters(&[
            ("client_id", client.id.as_str()), ("redirect_uri", "my-app://cb"), ("response_type", "code"),
            ("code_challenge", CHALLENGE), ("code_challenge_method", "S256"),
        ], &[]);
        let refused = client.server.authorize(&elsewhere, &sent, &visit()).await;
        assert!(matches!(refused, Err(AuthorizeError::Client(ClientRefused::Unknown))));
    }
}

on_both! {
    async fn prompts_are_read_and_a_refusal_can_be_made(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        for (prompt, read) in [
            ("", Prompt::AsNeeded),
            ("none", Prompt::Never),
            ("login", Prompt::SignIn),
            ("select_account consent", Prompt::SignIn),
            ("consent", Prompt::Consent),
            ("create", Prompt::AsNeeded),
        ] {
            assert_eq!(client.authorize(&[("prompt", prompt)]).await.unwrap().prompt(), read);
        }
        let authorization = client.authorize(&[("prompt", "none")]).await.unwrap();
        let to = authorization.refuse(&client.profile, ErrorCode::LoginRequired, "nobody is signed in");
        assert_eq!((query(&to)["error"].as_str(), query(&to)["state"].as_str()), ("login_required", "s1"));
        assert_ne!(VERIFIER, CHALLENGE);
    }
}
