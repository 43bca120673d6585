//! Client id metadata documents (draft-ietf-oauth-client-id-metadata-document): the `client_id` is the URL of a
//! document about the client, so whoever has the host says who the client is and where answers may go.

use serde::Deserialize;
use url::Url;

use super::metadata::{BadMetadata, CheckedMetadata, ClientMetadata};
use super::redirect_uri::{RedirectKind, RedirectUri};

/// The largest document that is read, in bytes.
pub const LARGEST_DOCUMENT: usize = 5 * 1024;
/// The longest `client_id`, in bytes.
const LONGEST_URL: usize = 500;

/// The document can't be taken.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum BadDocument {
    /// It is over [`LARGEST_DOCUMENT`].
    #[error("the client's metadata document is larger than 5 KiB")]
    TooLarge,
    /// It is not a JSON object of the right shape.
    #[error("the client's metadata document is not the JSON that is expected")]
    NotJson,
    /// It speaks for another client.
    #[error("the client's metadata document does not name itself as client_id, letter by letter")]
    OtherClient,
    /// It speaks of a secret, which is none where anybody can read it, or of a key, which nobody would ask for.
    #[error("the client's metadata document must say nothing of a secret; clients are public here")]
    Secret,
    /// It sends answers to another site than the one that speaks for it.
    #[error("{0} is on another site than the client's metadata document")]
    OtherSite(String),
    /// As at a registration.
    #[error(transparent)]
    Metadata(#[from] BadMetadata),
}

/// The URL, if a document may be behind this `client_id`: `https`, with a path, without user name, fragment or
/// query, without segments of dots, and written as browsers write it.
#[must_use]
pub fn document_url(client_id: &str) -> Option<Url> {
    if client_id.len() > LONGEST_URL || !client_id.is_ascii() {
        return None;
    }
    let url = Url::parse(client_id).ok()?;
    let is_bare = url.username().is_empty() && url.password().is_none();
    let is_page = url.path() != "/" && url.fragment().is_none() && url.query().is_none();
    // What the parser would change (dots, case, a default port, an address in other digits) is not taken.
    let is_canonical = url.as_str() == client_id && !client_id.to_ascii_lowercase().contains("%2e");
    (url.scheme() == "https" && is_bare && is_page && is_canonical && url.host().is_some()).then_some(url)
}

#[derive(Deserialize)]
struct Document {
    client_id: String,
    client_secret: Option<serde_json::Value>,
    client_secret_expires_at: Option<serde_json::Value>,
    #[serde(flatten)]
    metadata: ClientMetadata,
}

/// Reads the document that was found at `client_id`.
///
/// # Errors
/// [`BadDocument`] says what is wrong with it.
pub fn read_document(client_id: &Url, bytes: &[u8]) -> Result<CheckedMetadata, BadDocument> {
    if bytes.len() > LARGEST_DOCUMENT {
        return Err(BadDocument::TooLarge);
    }
    let document: Document = serde_json::from_slice(bytes).map_err(|_| BadDocument::NotJson)?;
    if document.client_id != client_id.as_str() {
        return Err(BadDocument::OtherClient);
    }
    let method = document.metadata.token_endpoint_auth_method.as_deref();
    let has_secret = document.client_secret.is_some() || document.client_secret_expires_at.is_some();
    if has_secret || !matches!(method, None | Some("none")) {
        return Err(BadDocument::Secret);
    }
    document.metadata.check_flow()?;
    let redirect_uris = document.metadata.redirects()?;
    match redirect_uris.iter().find(|uri| !is_own(client_id, uri)) {
        Some(stray) => Err(BadDocument::OtherSite(stray.as_str().to_owned())),
        None => Ok(CheckedMetadata { name: document.metadata.name(), redirect_uris }),
    }
}

/// Whether the document's host may send answers there: to programs and apps on the person's machine, and to its
/// own origin.
fn is_own(client_id: &Url, uri: &RedirectUri) -> bool {
    uri.kind() != RedirectKind::Web
        || Url::parse(uri.as_str()).is_ok_and(|redirect| redirect.origin() == client_id.origin())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const URL: &str = "https://app.example.com/oauth/client.json";

    fn read(document: &serde_json::Value) -> Result<CheckedMetadata, BadDocument> {
        read_document(&document_url(URL).unwrap(), document.to_string().as_bytes())
    }

    #[test]
    fn a_document_of_the_client_is_taken() {
        let document = json!({
            "client_id": URL,
            "client_name": "An app",
            "redirect_uris": ["http://127.0.0.1/cb", "my-app://cb", "https://app.example.com/cb"],
            "token_endpoint_auth_method": "none",
            "logo_uri": "https://app.example.com/logo.png",
        });
        let checked = read(&document).unwrap();
        assert_eq!((checked.name.as_deref(), checked.redirect_uris.len()), (Some("An app"), 3));
    }

    #[test]
    fn only_one_spelling_of_a_url_is_a_document_s() {
        assert!(document_url(URL).is_some() && document_url("https://a.example:8443/c").is_some());
        for client_id in [
            "",
            "claude",
            "http://a.example/c",
            "https://a.example",
            "https://a.example/",
            "https://a.example/c#x",
            "https://a.example/c?x",
            "https://user@a.example/c",
            "https://user:pass@a.example/c",
            "https://a.example:443/c",
            "https://A.example/c",
            "HTTPS://a.example/c",
            "https://a.example/x/../c",
            "https://a.example/./c",
            "https://a.example/%2e%2E/c",
            r"https://a.example\c",
            "https://a.example/c d",
            "https://0x7f.1/c",
            "https://2130706433/c",
            "https://аpple.com/c",
            "file:///etc/passwd",
            " https://a.example/c",
        ] {
            assert_eq!(document_url(client_id), None, "{client_id:?}");
        }
        assert_eq!(document_url(&format!("https://a.example/{}", "c".repeat(500))), None);
    }

    #[test]
    fn a_document_that_is_none_is_refused() {
        let good = json!({ "client_id": URL, "redirect_uris": ["http://127.0.0.1/cb"] });
        read(&good).unwrap();
        let with = |name: &str, value: serde_json::Value| {
            let mut document = good.clone();
            document[name] = value;
            read(&document).unwrap_err()
        };
        assert_eq!(
            with("client_id", json!("https://app.example.com/oauth/client.json/")),
            BadDocument::OtherClient
        );
        assert_eq!(with("client_secret", json!("x")), BadDocument::Secret);
        assert_eq!(with("token_endpoint_auth_method", json!("client_secret_post")), BadDocument::Secret);
        assert_eq!(with("token_endpoint_auth_method", json!("private_key_jwt")), BadDocument::Secret);
        assert_eq!(with("client_name", json!("x".repeat(LARGEST_DOCUMENT))), BadDocument::TooLarge);
        assert_eq!(with("redirect_uris", json!("http://127.0.0.1/cb")), BadDocument::NotJson);
        assert_eq!(with("redirect_uris", json!([])), BadDocument::Metadata(BadMetadata::RedirectCount));
        assert!(matches!(with("redirect_uris", json!(["javascript:x"])), BadDocument::Metadata(_)));
        for stray in ["https://evil.example/cb", "https://example.com/cb", "https://app.example.com:8443/cb"]
        {
            assert!(matches!(
                with("redirect_uris", json!(["http://127.0.0.1/cb", stray])),
                BadDocument::OtherSite(_)
            ));
        }
        let url = document_url(URL).unwrap();
        for bytes in [b"".as_slice(), b"<html>", b"[]", b"null", b"{\"client_id\": 1}", b"\xff"] {
            assert_eq!(read_document(&url, bytes), Err(BadDocument::NotJson));
        }
    }
}
