use std::time::Duration;

use stoa_identity::oauth::RegisterError;
use stoa_identity::{OAuthSettings, Registration};
use stoa_testing::on_both;
use tokio::task::JoinSet;

use super::support::{Client, count, metadata, server, server_on, settings, visit, visit_from};
use crate::house::{House, MIGRATIONS};

const CLIENTS: &str = "SELECT COUNT(*) FROM oauth_client";

on_both! {
    async fn the_same_metadata_is_the_same_client(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (server, things) = (server(&house), house.things());
        let register = async |name: &str, port: u16| -> Registration {
            let metadata = metadata(name, &[&format!("http://localhost:{port}/cb"), "my-app://cb"]);
            server.register(&things, &metadata, &visit()).await.unwrap()
        };
        let first = register("Example", 1).await;
        let second = register("Example", 2).await;
        assert_eq!(first.client_id, second.client_id);
        assert_eq!(second.redirect_uris[0], "http://localhost:2/cb", "the answer says what was sent");
        assert_ne!(register("Other", 1).await.client_id, first.client_id);
        assert_eq!(count(&house, CLIENTS).await, 2);
        let shown = serde_json::to_value(&first).unwrap();
        assert_eq!(shown["token_endpoint_auth_method"], "none");
        assert_eq!(shown["client_id_issued_at"], 1_767_225_600);
        assert!(shown.get("client_secret").is_none());
    }
}

on_both! {
    async fn a_program_that_registers_at_once_from_many_places_is_one_client(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let mut registering = JoinSet::new();
        for _ in 0..8 {
            let (server, things) = (server(&house), house.things());
            let metadata = metadata("Example", &["http://localhost/cb"]);
            registering.spawn(async move { server.register(&things, &metadata, &visit()).await.unwrap().client_id });
        }
        let mut ids = registering.join_all().await;
        ids.dedup();
        assert_eq!((ids.len(), count(&house, CLIENTS).await), (1, 1));
    }
}

on_both! {
    async fn bad_metadata_registers_nothing(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let bad = metadata("Example", &["http://localhost/cb", "http://evil.example/cb"]);
        let refused = server(&house).register(&house.things(), &bad, &visit()).await.unwrap_err();
        assert_eq!(refused.code(), "invalid_redirect_uri");
        assert!(refused.to_string().contains("http://evil.example/cb"));
        assert_eq!(count(&house, CLIENTS).await, 0);
    }
}

on_both! {
    async fn an_address_brings_so_many_new_clients_an_hour(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (server, things) = (server(&house), house.things());
        let register = async |number: usize, address: &str| {
            let metadata = metadata(&format!("client {number}"), &["http://localhost/cb"]);
            server.register(&things, &metadata, &visit_from(address)).await
        };
        for number in 0..20 {
            register(number, "2001:db8::1").await.unwrap();
        }
        assert!(matches!(register(20, "2001:db8::2").await, Err(RegisterError::TooMany)), "the same subscriber");
        register(3, "2001:db8::1").await.unwrap();
        register(20, "2001:db8:0:1::1").await.unwrap();
        house.clock.advance(Duration::from_hours(1));
        register(21, "2001:db8::2").await.unwrap();
    }
}

on_both! {
    async fn a_flood_leaves_a_bounded_table_and_whoever_was_ever_connected_in_it(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let connected = Client::registered(&house).await;
        let tokens = connected.tokens().await;
        let bounded = OAuthSettings { most_unused_clients: 50, ..settings() };
        let (server, things) = (server_on(&house, house.db().clone(), bounded), house.things());
        let flood = async |from: u32, to: u32| {
            let mut taken = 0;
            for number in from..to {
                let metadata = metadata(&format!("flood {number}"), &["http://localhost/cb"]);
                let [_, a, b, c] = number.to_be_bytes();
                let visit = visit_from(&format!("11.{a}.{b}.{c}"));
                taken += u32::from(server.register(&things, &metadata, &visit).await.is_ok());
            }
            taken
        };
        assert_eq!(flood(0, 1_000).await, 50);
        assert_eq!(count(&house, CLIENTS).await, 51);
        // Who is connected is not disturbed, and who is known gets its row.
        let again = metadata("Example", &["http://127.0.0.1/cb", "https://app.example.com/cb", "my-app://cb"]);
        assert_eq!(server.register(&things, &again, &visit()).await.unwrap().client_id, connected.id);
        connected.refresh(&tokens, &[]).await.unwrap();
        // An hour later the flood's rows make room for others.
        house.clock.advance(Duration::from_hours(1));
        assert_eq!(flood(1_000, 1_020).await, 20);
        assert_eq!(count(&house, CLIENTS).await, 51);
    }
}

on_both! {
    async fn a_client_whose_person_is_about_to_decide_is_not_crowded_out(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let waiting = Client::registered(&house).await;
        let one = OAuthSettings { most_unused_clients: 1, ..settings() };
        let server = server_on(&house, house.db().clone(), one);
        house.clock.advance(Duration::from_hours(1));
        waiting.waits(&[]).await;
        let other = metadata("Other", &["http://localhost/cb"]);
        let refused = server.register(&house.things(), &other, &visit()).await;
        assert!(matches!(refused, Err(RegisterError::TooMany)));
    }
}
