use std::time::Duration;

use stoa_identity::oauth::TokenError;
use stoa_identity::{Rejected, TokenAnswer};
use stoa_store::Database;
use stoa_testing::on_both;

use super::support::{Client, audited, parameters, server_on, settings, visit};
use crate::house::{House, MIGRATIONS};

async fn revoke(client: &Client<'_>, token: &str, other: &[(&str, &str)]) -> Result<(), TokenError> {
    let usual = [("client_id", client.id.as_str()), ("token", token)];
    client.server.revoke(&client.profile, &parameters(&usual, other), &visit()).await
}

on_both! {
    async fn a_refresh_token_goes_with_its_family_and_an_access_token_alone(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let (first, beside) = (client.tokens().await, client.tokens().await);
        let second = client.refresh(&first, &[]).await.unwrap();
        client.show(&second).await.unwrap();
        revoke(&client, second.access_token.expose(), &[("token_type_hint", "refresh_token")]).await.unwrap();
        assert_eq!(client.show(&second).await, Err(Rejected::Revoked));
        client.show(&first).await.unwrap();
        let third = client.refresh(&second, &[]).await.unwrap();
        revoke(&client, third.refresh_token.expose(), &[]).await.unwrap();
        for tokens in [&first, &second, &third] {
            assert_eq!(client.show(tokens).await, Err(Rejected::Revoked));
        }
        assert!(client.refresh(&third, &[]).await.is_err());
        client.show(&beside).await.unwrap();
        let entries = audited(&house).await;
        assert_eq!(entries.iter().filter(|(tool, ..)| tool == "oauth revoke").count(), 2);
    }
}

async fn still_good(client: &Client<'_>, tokens: &TokenAnswer) -> bool {
    client.show(tokens).await.is_ok()
}

on_both! {
    async fn what_is_not_this_client_s_changes_nothing_and_is_no_error(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (client, other) = (Client::registered(&house).await, Client::named(&house, "Other").await);
        let tokens = client.tokens().await;
        let personal = house.add_token(None).await;
        let used = client.code().await;
        let unknown = tokens.access_token.expose().replace("stoa_oat_", "stoa_oat_x");
        for token in ["x", "a\0b", unknown.as_str(), personal.secret.expose(), used.as_str()] {
            revoke(&client, token, &[]).await.unwrap();
        }
        for token in [tokens.access_token.expose(), tokens.refresh_token.expose()] {
            revoke(&other, token, &[]).await.unwrap();
        }
        assert!(still_good(&client, &tokens).await && house.show(&personal).await.is_ok());
        client.refresh(&tokens, &[]).await.unwrap();
    }
}

on_both! {
    async fn a_request_names_a_known_client_and_a_token(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let unknown = revoke(&client, "x", &[("client_id", "unknown")]).await;
        assert!(matches!(unknown, Err(TokenError::InvalidClient)));
        assert!(matches!(revoke(&client, "", &[]).await, Err(TokenError::InvalidRequest(_))));
    }
}

on_both! {
    async fn a_revocation_elsewhere_whose_ring_is_lost_holds_after_a_second(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let mut client = Client::registered(&house).await;
        let tokens = client.tokens().await;
        client.show(&tokens).await.unwrap();
        client.server = server_on(&house, Database::open(&house.test.url).await.unwrap(), settings());
        revoke(&client, tokens.refresh_token.expose(), &[]).await.unwrap();
        house.clock.advance(Duration::from_secs(1));
        assert_eq!(client.show(&tokens).await, Err(Rejected::Revoked));
    }
}
