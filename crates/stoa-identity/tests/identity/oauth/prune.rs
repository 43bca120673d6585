use std::time::Duration;

use stoa_identity::oauth;
use stoa_testing::on_both;

use super::support::{Client, count, decision, metadata};
use crate::house::{House, MIGRATIONS};

on_both! {
    async fn each_kind_of_row_dies_when_its_time_is_over(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let client = Client::registered(&house).await;
        Client::named(&house, "never connected").await;
        let kept = client.tokens().await;
        client.waits(&[]).await;
        client.code().await;
        let rows = async || {
            let mut rows = Vec::new();
            for table in [
                "SELECT COUNT(*) FROM oauth_request",
                "SELECT COUNT(*) FROM oauth_code",
                "SELECT COUNT(*) FROM token",
                "SELECT COUNT(*) FROM oauth_client",
                "SELECT COUNT(*) FROM installation WHERE revoked_at IS NULL",
            ] {
                rows.push(count(&house, table).await);
            }
            rows
        };
        let prune = async || oauth::prune(house.db(), &house.ambient).await.unwrap();
        prune().await;
        assert_eq!(rows().await, [1, 2, 2, 2, 2]);
        house.clock.advance(Duration::from_mins(15));
        prune().await;
        assert_eq!(rows().await, [0, 2, 2, 2, 2]);
        house.clock.advance(Duration::from_hours(25));
        let refreshed = client.refresh(&kept, &[]).await.unwrap();
        prune().await;
        assert_eq!(rows().await, [0, 0, 3, 2, 2], "codes, and the first access token");
        prune().await;
        assert_eq!(rows().await, [0, 0, 3, 2, 1], "and then what its code was for");
        house.clock.advance(Duration::from_hours(24 * 7));
        prune().await;
        assert_eq!(rows().await, [0, 0, 2, 1, 1], "who was connected stays");
        client.refresh(&refreshed, &[]).await.unwrap();
        house.clock.advance(Duration::from_hours(24 * 40));
        prune().await;
        assert_eq!(rows().await, [0, 0, 0, 1, 1]);
        // A client id from long ago still works.
        let handle = client.waits(&[]).await;
        client.approve(&handle, decision()).await;
    }
}

on_both! {
    async fn personal_tokens_and_configured_clients_stay(test) with MIGRATIONS; {
        let house = House::on(test).await;
        house.add_token(Some(Duration::from_secs(1))).await;
        let client = Client::registered(&house).await;
        let named = metadata("Named", &["http://127.0.0.1/cb"]);
        let act = house.act("client add");
        client.server.configure_client(&act, &client.profile.mount, "named", &named).await.unwrap();
        house.clock.advance(Duration::from_hours(24 * 365));
        oauth::prune(house.db(), &house.ambient).await.unwrap();
        assert_eq!(count(&house, "SELECT COUNT(*) FROM token").await, 1);
        assert_eq!(count(&house, "SELECT COUNT(*) FROM oauth_client").await, 1);
        assert_eq!(count(&house, "SELECT COUNT(*) FROM installation WHERE revoked_at IS NULL").await, 1);
    }
}
