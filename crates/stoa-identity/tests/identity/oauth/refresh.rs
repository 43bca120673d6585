use std::time::Duration;

use stoa_identity::oauth::TokenError;
use stoa_identity::{OAuthSettings, Rejected};
use stoa_store::Database;
use stoa_testing::on_both;

use super::support::{Client, audited, server_on, settings, texts};
use crate::house::{House, MIGRATIONS};

on_both! {
    async fn within_the_grace_the_same_token_gives_the_identical_pair(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let first = client.tokens().await;
        let second = client.refresh(&first, &[]).await.unwrap();
        house.clock.advance(Duration::from_secs(59));
        let again = client.refresh(&first, &[]).await.unwrap();
        assert_eq!(texts(&again), texts(&second));
        assert_eq!(again.expires_in, Duration::from_secs(3_600 - 59));
        client.show(&again).await.unwrap();
        // Also after the successor was used itself.
        let third = client.refresh(&second, &[]).await.unwrap();
        let again = client.refresh(&first, &[]).await.unwrap();
        assert_eq!(texts(&again), texts(&second));
        client.show(&third).await.unwrap();
    }
}

on_both! {
    async fn later_it_is_theft_and_the_client_s_tokens_from_this_person_here_are_revoked(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (client, other) = (Client::registered(&house).await, Client::named(&house, "Other").await);
        let (first, beside, others) = (client.tokens().await, client.tokens().await, other.tokens().await);
        let personal = house.add_token(None).await;
        let code = client.code().await;
        let second = client.refresh(&first, &[]).await.unwrap();
        client.show(&second).await.unwrap();
        house.clock.advance(Duration::from_mins(1));
        let code_too_late = client.code().await;
        let stolen = client.refresh(&first, &[]).await;
        assert!(matches!(stolen, Err(TokenError::InvalidGrant)));
        for tokens in [&first, &second, &beside] {
            assert_eq!(client.show(tokens).await, Err(Rejected::Revoked));
            assert!(matches!(client.refresh(tokens, &[]).await, Err(TokenError::InvalidGrant)));
        }
        for code in [code, code_too_late] {
            assert!(client.redeem(&code, &[]).await.is_err(), "codes on their way are spoiled");
        }
        other.show(&others).await.unwrap();
        house.show(&personal).await.unwrap();
        let denied = ("oauth refresh".to_owned(), "denied".to_owned(), Some("invalid_grant".to_owned()));
        assert!(audited(&house).await.contains(&denied));
        // The person connects it again.
        client.show(&client.tokens().await).await.unwrap();
    }
}

on_both! {
    async fn without_a_grace_the_second_use_is_theft_at_once(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let mut client = Client::registered(&house).await;
        let strict = OAuthSettings { refresh_grace: Duration::ZERO, ..settings() };
        client.server = server_on(&house, house.db().clone(), strict);
        let first = client.tokens().await;
        let second = client.refresh(&first, &[]).await.unwrap();
        assert!(client.refresh(&first, &[]).await.is_err());
        assert_eq!(client.show(&second).await, Err(Rejected::Revoked));
    }
}

on_both! {
    async fn a_used_token_shown_by_another_client_revokes_nothing(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (client, other) = (Client::registered(&house).await, Client::named(&house, "Other").await);
        let first = client.tokens().await;
        let second = client.refresh(&first, &[]).await.unwrap();
        house.clock.advance(Duration::from_hours(2));
        assert!(other.refresh(&first, &[]).await.is_err());
        client.refresh(&second, &[]).await.unwrap();
    }
}

on_both! {
    async fn nodes_that_refresh_the_same_token_at_once_give_the_same_pair(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let mut servers = Vec::new();
        for _ in 0..4 {
            servers.push(server_on(&house, Database::open(&house.test.url).await.unwrap(), settings()));
        }
        let mut tokens = client.tokens().await;
        for _ in 0..5 {
            let uses = servers.iter().map(|server| client.refresh_by(server, &tokens, &[]));
            let pairs: Vec<_> = futures_of(uses).await.into_iter().map(Result::unwrap).collect();
            for pair in &pairs {
                assert_eq!(texts(pair), texts(&pairs[0]));
                client.show(pair).await.unwrap();
            }
            tokens = pairs.into_iter().next().unwrap();
        }
    }
}

async fn futures_of<F: Future>(futures: impl Iterator<Item = F>) -> Vec<F::Output> {
    futures::future::join_all(futures).await
}

on_both! {
    async fn theft_and_a_refresh_at_once_leave_no_token(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let elsewhere = server_on(&house, Database::open(&house.test.url).await.unwrap(), settings());
        for _ in 0..5 {
            let first = client.tokens().await;
            let second = client.refresh(&first, &[]).await.unwrap();
            house.clock.advance(Duration::from_mins(1));
            let (stolen, refreshed) =
                tokio::join!(client.refresh_by(&elsewhere, &first, &[]), client.refresh(&second, &[]));
            assert!(stolen.is_err());
            assert!(client.show(&second).await.is_err());
            if let Ok(third) = refreshed {
                assert_eq!(client.show(&third).await, Err(Rejected::Revoked));
            }
        }
    }
}

on_both! {
    async fn a_refresh_may_narrow_the_scope_and_never_widen_it(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let first = client.tokens().await;
        for scope in ["resources:command", "things:read resources:command"] {
            let refused = client.refresh(&first, &[("scope", scope)]).await;
            assert!(matches!(refused, Err(TokenError::InvalidScope)), "{scope}");
        }
        let second = client.refresh(&first, &[("scope", "things:read offline_access")]).await.unwrap();
        assert_eq!(second.scope.to_string(), "things:read");
        assert_eq!(client.show(&second).await.unwrap().scopes, second.scope);
        let widened = client.refresh(&second, &[("scope", "things:read things:write")]).await;
        assert!(matches!(widened, Err(TokenError::InvalidScope)));
        let third = client.refresh(&second, &[("scope", "openid profile")]).await.unwrap();
        assert_eq!(third.scope.to_string(), "things:read", "words that mean nothing here narrow nothing");
    }
}

on_both! {
    async fn a_refresh_needs_no_resource_and_takes_this_one_only(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        let first = client.tokens().await;
        let foreign = client.refresh(&first, &[("resource", "https://stoa.example.com/rooms/mcp")]).await;
        assert!(matches!(foreign, Err(TokenError::InvalidTarget)));
        let second = client.refresh(&first, &[]).await.unwrap();
        client.refresh(&second, &[("resource", "https://stoa.example.com/things/mcp/")]).await.unwrap();
    }
}
