//! An OpenID provider inside the test process, over TLS. It signs whatever a test has it say.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use axum::extract::{Form, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use http::header::AUTHORIZATION;
use http::{HeaderMap, StatusCode};
use openidconnect::core::{CoreEdDsaPrivateSigningKey, CoreJsonWebKeySet, CoreJwsSigningAlgorithm};
use openidconnect::{JsonWebKeyId, PrivateSigningKey};
use rcgen::{KeyPair, PKCS_ED25519};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use stoa::config::CertificateFiles;
use stoa::serve::connections::{self, Bounds, Door};
use stoa::serve::tls::Tls;
use stoa_base::Timestamp;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};
use url::Url;

use super::App;

const CLIENT: &str = "stoa";
const SECRET: &str = "known to both";

/// The provider. It ends when it is dropped.
pub struct OpenId {
    pub issuer: String,
    folder: TempDir,
    said: Arc<Said>,
    _ends: DropGuard,
}

struct Said {
    issuer: String,
    key: Mutex<CoreEdDsaPrivateSigningKey>,
    published: CoreEdDsaPrivateSigningKey,
    /// Of the request that was answered with a code.
    asked: Mutex<Option<Asked>>,
    userinfo: Mutex<Value>,
}

#[derive(Clone)]
struct Asked {
    challenge: String,
    redirect_uri: String,
    claims: Value,
}

impl OpenId {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("https://localhost:{}", listener.local_addr().unwrap().port());
        let folder = tempfile::tempdir().unwrap();
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        let files =
            CertificateFiles { cert: folder.path().join("cert.pem"), key: folder.path().join("key.pem") };
        std::fs::write(&files.cert, made.cert.pem()).unwrap();
        std::fs::write(&files.key, made.signing_key.serialize_pem()).unwrap();
        let pem = KeyPair::generate_for(&PKCS_ED25519).unwrap().serialize_pem();
        let said = Arc::new(Said {
            issuer: issuer.clone(),
            key: Mutex::new(signing_key(&pem)),
            published: signing_key(&pem),
            asked: Mutex::default(),
            userinfo: Mutex::new(Value::Null),
        });
        let stop = CancellationToken::new();
        let door = Door { router: router(said.clone()), tls: Some(Tls::load(files).unwrap()) };
        tokio::spawn(connections::serve(listener, door, Bounds::of_system(), stop.clone()));
        Self { issuer, folder, said, _ends: stop.drop_guard() }
    }

    /// What an operator sets for it.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let ca: PathBuf = self.folder.path().join("cert.pem");
        vec![
            ("STOA_OIDC__NAME", "Example".to_owned()),
            ("STOA_OIDC__ISSUER", self.issuer.clone()),
            ("STOA_OIDC__CLIENT_ID", CLIENT.to_owned()),
            ("STOA_OIDC__CLIENT_SECRET", SECRET.to_owned()),
            ("STOA_OIDC__CA_FILE", ca.to_str().unwrap().to_owned()),
        ]
    }

    /// From now on it signs with a key that it does not publish.
    pub fn sign_with_another_key(&self) {
        let pem = KeyPair::generate_for(&PKCS_ED25519).unwrap().serialize_pem();
        *self.said.key.lock().unwrap() = signing_key(&pem);
    }

    /// What it says at its userinfo endpoint.
    pub fn tell(&self, userinfo: Value) {
        *self.said.userinfo.lock().unwrap() = userinfo;
    }

    /// A person is sent there and signs in as these claims say: the query that they come back with.
    pub fn sign_in(&self, sent: &str, app: &App, claims: &Value) -> Vec<(String, String)> {
        let url = Url::parse(sent).unwrap();
        assert_eq!(url.origin().ascii_serialization(), self.issuer, "{sent}");
        let asked = |name: &str| {
            let mut pairs = url.query_pairs().filter(|(key, _)| key == name);
            let value = pairs.next().unwrap_or_else(|| panic!("no {name} in {sent}")).1.into_owned();
            assert!(pairs.next().is_none(), "{name} twice in {sent}");
            value
        };
        assert_eq!((asked("response_type"), asked("client_id")), ("code".to_owned(), CLIENT.to_owned()));
        assert_eq!(
            (asked("scope"), asked("code_challenge_method")),
            ("openid email".to_owned(), "S256".to_owned())
        );
        let now = app.house.ambient.now();
        let mut all = json!({
            "iss": self.issuer, "aud": CLIENT, "nonce": asked("nonce"),
            "iat": seconds(now), "exp": seconds(now) + 300,
        });
        all.as_object_mut().unwrap().extend(claims.as_object().unwrap().clone());
        let (challenge, redirect_uri) = (asked("code_challenge"), asked("redirect_uri"));
        *self.said.asked.lock().unwrap() = Some(Asked { challenge, redirect_uri, claims: all });
        vec![("code".to_owned(), "c1".to_owned()), ("state".to_owned(), asked("state"))]
    }
}

fn seconds(at: Timestamp) -> i64 {
    at.as_micros() / 1_000_000
}

fn signing_key(pem: &str) -> CoreEdDsaPrivateSigningKey {
    CoreEdDsaPrivateSigningKey::from_ed25519_pem(pem, Some(JsonWebKeyId::new("k1".to_owned()))).unwrap()
}

fn router(said: Arc<Said>) -> Router {
    Router::new()
        .route("/.well-known/openid-configuration", get(metadata))
        .route("/jwks", get(keys))
        .route("/token", post(token))
        .route("/userinfo", get(userinfo))
        .with_state(said)
}

async fn metadata(State(said): State<Arc<Said>>) -> Json<Value> {
    let at = |path: &str| format!("{}/{path}", said.issuer);
    Json(json!({
        "issuer": said.issuer,
        "authorization_endpoint": at("authorize"), "token_endpoint": at("token"),
        "userinfo_endpoint": at("userinfo"), "jwks_uri": at("jwks"),
        "response_types_supported": ["code"], "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["EdDSA"],
    }))
}

async fn keys(State(said): State<Arc<Said>>) -> Json<CoreJsonWebKeySet> {
    Json(CoreJsonWebKeySet::new(vec![said.published.as_verification_key()]))
}

/// Gives a token once for a code, to who proves to be the client and to have asked for it.
async fn token(
    State(said): State<Arc<Said>>,
    headers: HeaderMap,
    Form(form): Form<Vec<(String, String)>>,
) -> Result<Json<Value>, StatusCode> {
    let sent = |name: &str| form.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let proof = format!("Basic {}", BASE64_STANDARD.encode(format!("{CLIENT}:{}", SECRET.replace(' ', "+"))));
    let asked = said.asked.lock().unwrap().take().ok_or(StatusCode::BAD_REQUEST)?;
    let challenge = sent("code_verifier").map(|it| BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(it)));
    let is_right = headers[AUTHORIZATION] == proof.as_str()
        && sent("grant_type") == Some("authorization_code")
        && sent("code") == Some("c1")
        && sent("redirect_uri") == Some(asked.redirect_uri.as_str())
        && challenge.as_deref() == Some(asked.challenge.as_str());
    if !is_right {
        return Err(StatusCode::BAD_REQUEST);
    }
    let id_token = signed(&said.key.lock().unwrap(), &asked.claims);
    Ok(Json(json!({ "access_token": "a1", "token_type": "Bearer", "id_token": id_token })))
}

async fn userinfo(State(said): State<Arc<Said>>) -> Json<Value> {
    Json(said.userinfo.lock().unwrap().clone())
}

/// A JWT (RFC 7519), signed (RFC 8037).
fn signed(key: &CoreEdDsaPrivateSigningKey, claims: &Value) -> String {
    let part = |json: &Value| BASE64_URL_SAFE_NO_PAD.encode(json.to_string());
    let head = json!({ "alg": "EdDSA", "kid": "k1", "typ": "JWT" });
    let signing = format!("{}.{}", part(&head), part(claims));
    let signature = key.sign(&CoreJwsSigningAlgorithm::EdDsa, signing.as_bytes()).unwrap();
    format!("{signing}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature))
}
