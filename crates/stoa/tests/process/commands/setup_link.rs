//! `stoa setup-link`.

use crate::support::Place;

#[tokio::test]
async fn an_empty_house_has_a_link_and_each_new_one_replaces_it() {
    for place in Place::both().await {
        let first = place.stoa(&["setup-link"]).await;
        let (page, secret) = first.split_once('#').unwrap();
        assert_eq!(page, "http://localhost:8787/setup");
        assert!(secret.starts_with("stoa_set_") && !secret.contains(char::is_whitespace), "{secret}");
        assert_ne!(place.stoa(&["setup-link"]).await, first);
        assert!(!place.stoa(&["audit", "export"]).await.contains("stoa_set_"));
        place.stoa(&["account", "add", "ann@example.com"]).await;
        let refusal = place.refused(1, &["setup-link"]).await;
        assert!(
            refusal.starts_with("stoa: there are accounts already: `stoa account reset EMAIL`"),
            "{refusal}"
        );
    }
}
