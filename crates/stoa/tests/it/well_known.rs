//! `/.well-known/…`: what a client finds before it has a token.

use serde_json::json;
use stoa_testing::on_both;

use crate::support::{App, MIGRATIONS};

on_both! {
    async fn protected_resource_metadata_names_the_resource_and_its_issuer(test) with MIGRATIONS; {
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
    async fn each_authorization_server_describes_itself_at_every_form_of_the_address(test) with MIGRATIONS; {
        let app = App::on(test).await;
        app.other_workspace().await;
        for base in ["", "/things", "/w/other", "/w/other/things"] {
            let issuer = format!("http://localhost:8787{base}");
            for name in ["oauth-authorization-server", "openid-configuration"] {
                for document in [format!("/.well-known/{name}{base}"), format!("{base}/.well-known/{name}")] {
                    let answer = app.anonymous().get(&document).await;
                    assert_eq!(answer.status, 200, "{document}");
                    let body = &answer.body;
                    assert_eq!(body["issuer"], issuer, "{document}");
                    assert_eq!(body["authorization_endpoint"], format!("{issuer}/oauth/authorize"));
                    assert_eq!(body["token_endpoint"], format!("{issuer}/oauth/token"));
                    assert_eq!(body["registration_endpoint"], format!("{issuer}/oauth/register"));
                    assert_eq!(body["code_challenge_methods_supported"], json!(["S256"]));
                    assert_eq!(body["token_endpoint_auth_methods_supported"], json!(["none"]));
                    assert_eq!(body["authorization_response_iss_parameter_supported"], true);
                    // Off where the public URL is loopback.
                    assert_eq!(body["client_id_metadata_document_supported"], false);
                }
            }
        }
        for document in ["/.well-known/oauth-authorization-server/none", "/w/nobody/.well-known/openid-configuration"] {
            assert_eq!(app.anonymous().get(document).await.status, 404, "{document}");
        }
    }
}

on_both! {
    async fn the_challenge_names_the_document_of_its_own_mount(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let refused = app.anonymous().call("search_things", json!({})).await;
        let challenge = refused.headers["www-authenticate"].to_str().unwrap();
        let document = "http://localhost:8787/.well-known/oauth-protected-resource/things/mcp";
        assert!(challenge.contains(&format!("resource_metadata=\"{document}\"")), "{challenge}");
        assert!(challenge.contains("things:read"), "{challenge}");
    }
}
