//! Finding the client that a request names.

use std::time::Duration;

use stoa_store::StoreError;
use url::Url;

use super::OAuth;
use super::register::RegisterError;
use crate::Visit;
use crate::model::oauth::client::{ClientKind, OAuthClient, OAuthClientId};
use crate::model::oauth::document::{BadDocument, document_url, read_document};
use crate::store::oauth_client::Origin;
use crate::{MountId, store};

/// How long a document is taken as it was read.
const FRESH_DOCUMENT: Duration = Duration::from_hours(1);
/// How long a document still counts that can't be read any more.
const STALE_DOCUMENT: Duration = Duration::from_hours(24 * 7);
/// The longest `client_id`, in bytes.
const LONGEST_CLIENT_ID: usize = 500;

/// Why there is no such client.
#[derive(Debug, thiserror::Error)]
pub enum ClientRefused {
    /// Nobody is known by this name here.
    #[error("this client is not known here")]
    Unknown,
    /// Its metadata document could not be had.
    #[error("the client's metadata document could not be read: {0}")]
    Unreachable(String),
    /// Its metadata document can't be taken.
    #[error(transparent)]
    Document(#[from] BadDocument),
    /// Too many new clients came, from this address or all together.
    #[error("too many new clients; try again in an hour")]
    TooMany,
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<RegisterError> for ClientRefused {
    fn from(error: RegisterError) -> Self {
        match error {
            RegisterError::Store(error) => Self::Store(error),
            RegisterError::TooMany => Self::TooMany,
            RegisterError::Metadata(bad) => Self::Document(bad.into()),
        }
    }
}

impl OAuth {
    /// The client that calls itself so, at the authorization endpoint: if its name is a document's address, that
    /// document is read, unless that was done within the hour.
    pub(super) async fn client_to_authorize(
        &self,
        mount: &MountId,
        client_id: &str,
        visit: &Visit,
    ) -> Result<OAuthClient, ClientRefused> {
        let known = self.known_client(mount, client_id).await?;
        let is_settled = known.as_ref().is_some_and(|client| client.kind != ClientKind::Document);
        match (document_url(client_id), &self.documents) {
            (Some(url), Some(_)) if !is_settled => self.documented_client(mount, &url, known, visit).await,
            _ => Ok(self.note_seen(known.ok_or(ClientRefused::Unknown)?).await?),
        }
    }

    /// The client that calls itself so, as far as the database knows. The network is never asked.
    pub(super) async fn known_client(
        &self,
        mount: &MountId,
        client_id: &str,
    ) -> Result<Option<OAuthClient>, StoreError> {
        if client_id.len() > LONGEST_CLIENT_ID || client_id.contains(char::is_control) {
            return Ok(None);
        }
        store::oauth_client::by_client_id(&self.db, mount, client_id).await
    }

    async fn documented_client(
        &self,
        mount: &MountId,
        url: &Url,
        known: Option<OAuthClient>,
        visit: &Visit,
    ) -> Result<OAuthClient, ClientRefused> {
        let age = known.as_ref().and_then(|client| client.fetched_at).map(|at| self.ambient.now().since(at));
        if let Some(client) = known.clone()
            && age.is_some_and(|age| age < FRESH_DOCUMENT)
        {
            return Ok(client);
        }
        if known.is_none() {
            // No document is asked for that there would be no room for.
            self.check_room(mount, self.source(visit.address).as_ref()).await?;
        }
        match (self.fetch(url).await, known) {
            (Ok(bytes), known) => self.keep_document(mount, url, known, &bytes, visit).await,
            (Err(_), Some(client)) if age.is_some_and(|age| age < STALE_DOCUMENT) => Ok(client),
            (Err(why), _) => Err(ClientRefused::Unreachable(why)),
        }
    }

    async fn fetch(&self, url: &Url) -> Result<Vec<u8>, String> {
        match &self.documents {
            Some(documents) => documents.fetch(url).await,
            None => Err("metadata documents are not read here".to_owned()),
        }
    }

    async fn keep_document(
        &self,
        mount: &MountId,
        url: &Url,
        known: Option<OAuthClient>,
        bytes: &[u8],
        visit: &Visit,
    ) -> Result<OAuthClient, ClientRefused> {
        let checked = read_document(url, bytes)?;
        let now = self.ambient.now();
        let mut tx = self.db.begin().await?;
        if let Some(client) = known {
            store::oauth_client::change(&mut tx, &client, ClientKind::Document, &checked, now).await?;
            tx.commit().await?;
            let (name, redirect_uris) = (checked.name, checked.redirect_uris);
            return Ok(OAuthClient { name, redirect_uris, seen_at: now, fetched_at: Some(now), ..client });
        }
        let source = self.source(visit.address);
        self.make_room(&mut tx, mount, source.as_ref()).await?;
        let id = OAuthClientId::new(&self.ambient);
        let client = self.new_client(mount, id, ClientKind::Document, url.as_str().to_owned(), checked);
        let origin = Origin { fingerprint: None, source: source.as_ref() };
        if store::oauth_client::insert(&mut tx, &client, origin).await? {
            tx.commit().await?;
            return Ok(client);
        }
        tx.rollback().await?;
        self.known_client(mount, url.as_str()).await?.ok_or(ClientRefused::Unknown)
    }
}
