//! `stoa serve` with a certificate: who is served over it, how it is renewed, and what is refused.

use std::path::PathBuf;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Certificate, ClientBuilder, Version};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

use crate::raw;
use crate::setup::make_owner;
use crate::support::{Place, Server, free_port, until};

/// More than the server has with a handshake.
const PATIENCE: Duration = Duration::from_secs(20);

/// A certificate for `localhost` and its key, in files.
struct Files {
    folder: TempDir,
}

impl Files {
    /// The files, and a client that trusts the certificate in them.
    fn new() -> (Self, ClientBuilder) {
        let files = Self { folder: tempfile::tempdir().unwrap() };
        let made = Made::new();
        files.write("cert.pem", &made.cert);
        files.write("key.pem", &made.key);
        (files, made.trusting())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// The binary, told of them.
    fn binary(&self, place: &Place) -> Command {
        let mut binary = place.binary();
        binary.env("STOA_TLS__CERT", self.path("cert.pem")).env("STOA_TLS__KEY", self.path("key.pem"));
        binary
    }

    /// A server that serves them.
    fn serve(&self, place: &Place) -> Server {
        let port = free_port();
        place.spawn(self.binary(place), port, format!("https://localhost:{port}"))
    }
}

/// A certificate and its key, as PEM.
struct Made {
    cert: String,
    key: String,
}

impl Made {
    fn new() -> Self {
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        Self { cert: made.cert.pem(), key: made.signing_key.serialize_pem() }
    }

    /// A client that trusts this certificate and no other.
    fn trusting(&self) -> ClientBuilder {
        let certificate = Certificate::from_pem(self.cert.as_bytes()).unwrap();
        reqwest::Client::builder().tls_certs_only([certificate])
    }
}

#[tokio::test]
async fn people_sign_in_and_agents_call_over_https() {
    for place in Place::both().await {
        let (files, trusting) = Files::new();
        let server = files.serve(&place);
        let browser = trusting.redirect(Policy::none()).build().unwrap();
        server.ready(&browser).await;

        let home = make_owner(&place, &server, &browser).await;
        assert_eq!(home.version(), Version::HTTP_2);

        let token = place.token(&["--mount", "things"]).await;
        let runs = server.client_over(browser, &token).call("list_runs", json!({})).await;
        assert_eq!(runs["runs"], json!([]));
        assert!(server.stop().await.success());
    }
}

#[tokio::test]
async fn a_client_of_http_1_is_served_too() {
    let place = Place::sqlite();
    let (files, trusting) = Files::new();
    let server = files.serve(&place);
    let client = trusting.http1_only().build().unwrap();
    server.ready(&client).await;
    let answer = client.get(server.url("/sign-in")).send().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.version()), (200, Version::HTTP_11));
}

#[tokio::test]
async fn a_renewed_certificate_is_served_without_a_restart() {
    let place = Place::sqlite();
    let (files, trusting) = Files::new();
    let server = files.serve(&place);
    server.ready(&trusting.build().unwrap()).await;

    let renewed = Made::new();
    let client = renewed.trusting().build().unwrap();
    let ask = async || client.get(server.url("/healthz")).send().await;
    files.write("cert.pem", &renewed.cert);
    server.signal("-HUP").await;
    until("half of it is not taken", || async { place.log().contains("is served on").then_some(()) }).await;
    assert!(place.log().contains("was made for another key"), "{}", place.log());
    assert!(ask().await.is_err(), "the one of before is served");

    files.write("key.pem", &renewed.key);
    server.signal("-HUP").await;
    until("the renewed one is served", || async { ask().await.ok() }).await;
    assert!(place.log().contains("a renewed certificate is served"), "{}", place.log());
}

#[tokio::test]
async fn who_speaks_no_tls_is_told_or_let_go_and_holds_nobody_up() {
    let place = Place::sqlite();
    let (files, trusting) = Files::new();
    let server = files.serve(&place);
    let client = trusting.build().unwrap();
    server.ready(&client).await;

    let plain = raw::exchange(server.port, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    assert_eq!((plain.status, plain.body.as_str()), (400, "This port speaks https: begin with https://"));
    // Nothing at all, and the beginning of a handshake that never goes on.
    for begun in [&b""[..], &[22, 3, 1]] {
        let mut silent = raw::connect(server.port).await;
        silent.write_all(begun).await.unwrap();
        assert_eq!(client.get(server.url("/healthz")).send().await.unwrap().status(), 200);
        let closed = tokio::time::timeout(PATIENCE, silent.read(&mut [0; 64])).await;
        assert_eq!(closed.expect("it is let go").unwrap(), 0);
    }
}

#[tokio::test]
async fn what_can_not_be_served_is_refused_with_its_reason() {
    let place = Place::sqlite();
    let (files, _) = Files::new();
    files.write("other.pem", &Made::new().key);
    files.write("broken.pem", "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n");
    files.write("empty.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    for (cert, key, reason) in [
        ("missing.pem", "key.pem", "missing.pem can't be read: No such file"),
        ("cert.pem", "missing.pem", "missing.pem can't be read: No such file"),
        ("key.pem", "key.pem", "key.pem holds no certificate: give the whole chain"),
        ("cert.pem", "cert.pem", "cert.pem holds no private key"),
        ("cert.pem", "other.pem", "was made for another key than the one in"),
        ("broken.pem", "key.pem", "broken.pem is no PEM file"),
        ("empty.pem", "key.pem", "can't be served: "),
    ] {
        let (cert, key) = (files.path(cert), files.path(key));
        let flags = ["serve", "--tls-cert", cert.to_str().unwrap(), "--tls-key", key.to_str().unwrap()];
        let told = place.refused(1, &flags).await;
        assert!(told.contains(reason), "{reason}: {told}");
    }
    let (cert, key) = (files.path("cert.pem"), files.path("key.pem"));
    for half in
        [["serve", "--tls-cert", cert.to_str().unwrap()], ["serve", "--tls-key", key.to_str().unwrap()]]
    {
        let told = place.refused(1, &half).await;
        assert!(told.starts_with("stoa: TLS takes both or neither"), "{told}");
    }
    assert!(!place.data.path().join("stoa.db").exists(), "nothing was opened");
}

#[tokio::test]
async fn commands_beside_the_server_know_of_the_certificate() {
    let place = Place::sqlite();
    let (files, _) = Files::new();
    let printed = async |arguments: &[&str]| {
        let output = files.binary(&place).args(arguments).output().await.unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let link = printed(&["setup-link"]).await;
    assert!(link.starts_with("https://localhost:8787/setup#stoa_set_"), "{link}");

    let found = async || {
        let report: Value = serde_json::from_str(&printed(&["doctor", "--json"]).await).unwrap();
        let mut parts = report["parts"].as_array().unwrap().iter();
        parts.find(|part| part["part"] == "certificate").unwrap()["state"].clone()
    };
    assert_eq!(found().await, "ok");
    files.write("key.pem", &Made::new().key);
    assert_eq!(found().await, "broken");
}
