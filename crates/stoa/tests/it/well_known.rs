//! `/.well-known/…`: what a client finds before it has a token.

use stoa_testing::on_both;

use crate::support::{App, MIGRATIONS};

on_both! {
    async fn protected_resource_metadata_names_the_resource_and_the_issuer_to_come(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let anonymous = app.anonymous();
        for (document, resource, issuer) in [
            ("/.well-known/oauth-protected-resource/things/mcp", "/things/mcp", "/things"),
            ("/.well-known/oauth-protected-resource/mcp", "/mcp", ""),
            ("/.well-known/oauth-protected-resource", "/mcp", ""),
        ] {
            let answer = anonymous.get(document).await;
            assert_eq!(answer.status, 200, "{document}");
            assert_eq!(answer.body["resource"], format!("http://localhost:8787{resource}"));
            assert_eq!(answer.body["authorization_servers"][0], format!("http://localhost:8787{issuer}"));
            assert_eq!(answer.body["bearer_methods_supported"][0], "header");
        }
    }
}

on_both! {
    async fn the_issuer_answers_404_in_json_until_there_is_a_sign_in(test) with MIGRATIONS; {
        let app = App::on(test).await;
        for document in [
            "/.well-known/oauth-authorization-server/things",
            "/.well-known/oauth-authorization-server",
            "/.well-known/openid-configuration",
            "/things/.well-known/openid-configuration",
        ] {
            let answer = app.anonymous().get(document).await;
            assert_eq!(answer.status, 404, "{document}");
            assert!(answer.body.is_object(), "{document}: {}", answer.body);
        }
    }
}

on_both! {
    async fn the_challenge_names_the_document_of_its_own_mount(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let refused = app.anonymous().call("search_things", serde_json::json!({})).await;
        let challenge = refused.headers["www-authenticate"].to_str().unwrap();
        let document = "http://localhost:8787/.well-known/oauth-protected-resource/things/mcp";
        assert!(challenge.contains(&format!("resource_metadata=\"{document}\"")), "{challenge}");
        assert!(challenge.contains("things:read"), "{challenge}");
    }
}
