use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::{Value, json};
use stoa_identity::oauth::{AuthorizeError, ClientRefused, Documents};
use stoa_identity::{BadDocument, ClientKind, OAuth};
use stoa_testing::on_both;
use url::Url;

use super::support::{
    CALLBACK, Client, KEY, ann, count, decision, metadata, profile, query, server, settings,
};
use crate::house::{House, MIGRATIONS};

const URL: &str = "https://app.example.com/oauth/client.json";

/// One document, or none, and how often it was asked for.
struct Host {
    document: Mutex<Option<Value>>,
    asked: AtomicUsize,
}

impl Host {
    fn put(&self, document: Option<Value>) {
        *self.document.lock().unwrap() = document;
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Documents for Host {
    fn fetch<'a>(&'a self, _url: &'a Url) -> BoxFuture<'a, Result<Vec<u8>, String>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let document = self.document.lock().unwrap().clone();
        Box::pin(async move {
            document.map(|document| document.to_string().into_bytes()).ok_or_else(|| "no answer".to_owned())
        })
    }
}

fn document() -> Value {
    json!({
        "client_id": URL,
        "client_name": "Documented",
        "redirect_uris": ["http://127.0.0.1/cb", "https://app.example.com/cb"],
    })
}

/// A client with a document, and the host that has it.
fn documented(house: &House) -> (Client<'_>, Arc<Host>) {
    let host = Arc::new(Host { document: Mutex::new(Some(document())), asked: AtomicUsize::new(0) });
    let (db, ambient, audit) = (house.db().clone(), house.ambient.clone(), house.audit.clone());
    let server = OAuth::new(db, ambient, audit, KEY, Some(host.clone()), settings());
    let profile = profile(house);
    (Client { house, server, profile, id: URL.to_owned() }, host)
}

on_both! {
    async fn a_client_with_a_document_connects_and_refreshes_without_the_network(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (client, host) = documented(&house);
        assert!(client.server.takes_documents());
        let handle = client.waits(&[]).await;
        let page = client.server.page(&client.profile, &handle, ann(&house)).await.unwrap().unwrap();
        assert_eq!((page.client.kind, page.client.host().as_deref()), (ClientKind::Document, Some("app.example.com")));
        assert_eq!(page.client.name.as_deref(), Some("Documented"));
        let to = client.approve(&handle, decision()).await;
        let mut tokens = client.redeem(&query(&to)["code"], &[("redirect_uri", CALLBACK)]).await.unwrap();
        assert_eq!(host.asked(), 1);
        host.put(None);
        for _ in 0..3 {
            house.clock.advance(Duration::from_hours(24 * 20));
            tokens = client.refresh(&tokens, &[]).await.unwrap();
        }
        assert_eq!(host.asked(), 1);
    }
}

on_both! {
    async fn a_document_is_read_again_after_an_hour_and_counts_a_week_without_its_host(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (client, host) = documented(&house);
        client.authorize(&[]).await.unwrap();
        house.clock.advance(Duration::from_secs(3_599));
        client.authorize(&[]).await.unwrap();
        assert_eq!(host.asked(), 1);
        house.clock.advance(Duration::from_secs(1));
        let mut other = document();
        other["redirect_uris"] = json!(["https://app.example.com/other"]);
        host.put(Some(other));
        assert!(matches!(client.authorize(&[]).await, Err(AuthorizeError::OtherRedirectUri)));
        client.authorize(&[("redirect_uri", "https://app.example.com/other")]).await.unwrap();
        assert_eq!(host.asked(), 2);
        host.put(None);
        let there = [("redirect_uri", "https://app.example.com/other")];
        house.clock.advance(Duration::from_hours(24 * 7) - Duration::from_secs(1));
        client.authorize(&there).await.unwrap();
        house.clock.advance(Duration::from_secs(1));
        let gone = client.authorize(&there).await.unwrap_err();
        assert!(matches!(gone, AuthorizeError::Client(ClientRefused::Unreachable(_))), "{gone:?}");
        assert_eq!(count(&house, "SELECT COUNT(*) FROM oauth_client").await, 1);
    }
}

on_both! {
    async fn a_bad_document_makes_no_client(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (client, host) = documented(&house);
        let mut foreign = document();
        foreign["redirect_uris"] = json!(["https://evil.example/cb"]);
        host.put(Some(foreign));
        let refused = client.authorize(&[]).await.unwrap_err();
        let is_bad = matches!(refused, AuthorizeError::Client(ClientRefused::Document(BadDocument::OtherSite(_))));
        assert!(is_bad, "{refused:?}");
        host.put(Some(json!({ "client_id": "https://evil.example/c", "redirect_uris": ["http://127.0.0.1/cb"] })));
        let refused = client.authorize(&[]).await.unwrap_err();
        assert_eq!(refused.code(), "invalid_document");
        assert_eq!(count(&house, "SELECT COUNT(*) FROM oauth_client").await, 0);
    }
}

on_both! {
    async fn only_what_is_a_document_s_address_is_asked_for(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (client, host) = documented(&house);
        for client_id in ["http://app.example.com/c", "https://app.example.com", "https://127.1/c", "file:///etc/passwd"] {
            let refused = client.authorize(&[("client_id", client_id)]).await.unwrap_err();
            assert!(matches!(refused, AuthorizeError::Client(ClientRefused::Unknown)), "{client_id}");
        }
        let unknown = client.redeem("x", &[]).await.unwrap_err();
        assert_eq!(unknown.code().as_str(), "invalid_client", "the token endpoint asks nobody");
        assert_eq!(host.asked(), 0);
        // Where documents are not read, such a client is a stranger.
        let without = Client { server: server(&house), ..documented(&house).0 };
        let refused = without.authorize(&[]).await.unwrap_err();
        assert!(matches!(refused, AuthorizeError::Client(ClientRefused::Unknown)));
    }
}

on_both! {
    async fn an_operator_s_client_is_what_its_operator_says(test) with MIGRATIONS; {
        let house = House::on(test).await;
        let (client, host) = documented(&house);
        let named = metadata("Named", &["http://127.0.0.1/cb"]);
        let mount = &client.profile.mount;
        client.server.configure_client(&house.act("client add"), mount, URL, &named).await.unwrap();
        client.authorize(&[]).await.unwrap();
        assert_eq!(host.asked(), 0);
        let other = metadata("Named again", &["https://app.example.com/cb"]);
        client.server.configure_client(&house.act("client add"), mount, URL, &other).await.unwrap();
        let all = client.server.configured_clients(mount).await.unwrap();
        assert_eq!((all.len(), all[0].name.as_deref()), (1, Some("Named again")));
        assert!(matches!(client.authorize(&[]).await, Err(AuthorizeError::OtherRedirectUri)));
        for client_id in ["", "a b", "a\0b", &"x".repeat(201)] {
            let refused = client.server.configure_client(&house.act("client add"), mount, client_id, &other).await;
            assert!(refused.is_err(), "{client_id:?}");
        }
    }
}
