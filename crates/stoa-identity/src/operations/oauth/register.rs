//! Clients that make themselves known (RFC 7591).

use std::time::Duration;

use stoa_store::{StoreError, Tx};

use super::OAuth;
use crate::Visit;
use crate::model::oauth::client::{ClientKind, OAuthClient, OAuthClientId};
use crate::model::oauth::metadata::{BadMetadata, CheckedMetadata, ClientMetadata, Registration};
use crate::store::oauth_client::{Crowd, Newcomer, Origin};
use crate::{MountId, store};

/// The time over which an address's new clients are counted.
const QUOTA_WINDOW: Duration = Duration::from_hours(1);
/// How long a new client may be about to be connected: it is not crowded out.
const FRESH: Duration = Duration::from_hours(1);
/// How exactly it is known when a client was last asked about: well within [`FRESH`].
const SEEN_STEP: Duration = Duration::from_mins(10);

/// Why a client could not register.
#[derive(Debug, thiserror::Error)]
pub enum RegisterError {
    /// The metadata can't be taken; the message says what of it.
    #[error(transparent)]
    Metadata(#[from] BadMetadata),
    /// This address, or all together, brought too many that nobody connected. Later again (HTTP 429).
    #[error("too many new clients; try again in an hour, or ask for a personal token")]
    TooMany,
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl RegisterError {
    /// The error code of RFC 7591 section 3.2.2.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Metadata(bad) => bad.code(),
            Self::TooMany => "temporarily_unavailable",
            Self::Store(_) => "server_error",
        }
    }
}

impl OAuth {
    /// Registers a client at the mount. The same metadata (loopback ports aside) is the same client, so that a
    /// program which registers at each start has one row.
    ///
    /// # Errors
    /// [`RegisterError`]; nothing was registered then.
    pub async fn register(
        &self,
        mount: &MountId,
        metadata: &ClientMetadata,
        visit: &Visit,
    ) -> Result<Registration, RegisterError> {
        let checked = metadata.check()?;
        let fingerprint = checked.fingerprint();
        let known = store::oauth_client::by_fingerprint(&self.db, mount, &fingerprint).await?;
        let client = match known {
            Some(client) => self.note_seen(client).await?,
            None => self.add(mount, checked, &fingerprint, visit).await?,
        };
        Ok(Registration {
            client_id: client.client_id,
            client_id_issued_at: client.created_at.as_millis() / 1_000,
            client_name: client.name,
            redirect_uris: metadata.redirect_uris.clone(),
            token_endpoint_auth_method: "none",
            grant_types: ["authorization_code", "refresh_token"],
            response_types: ["code"],
        })
    }

    async fn add(
        &self,
        mount: &MountId,
        checked: CheckedMetadata,
        fingerprint: &[u8; 32],
        visit: &Visit,
    ) -> Result<OAuthClient, RegisterError> {
        let id = OAuthClientId::new(&self.ambient);
        let client = self.new_client(mount, id, ClientKind::Registered, id.to_string(), checked);
        let source = self.source(visit.address);
        self.check_room(mount, source.as_ref()).await?;
        let mut tx = self.db.begin().await?;
        self.make_room(&mut tx, mount, source.as_ref()).await?;
        let origin = Origin { fingerprint: Some(fingerprint), source: source.as_ref() };
        if store::oauth_client::insert(&mut tx, &client, origin).await? {
            tx.commit().await?;
            return Ok(client);
        }
        tx.rollback().await?;
        // The same program registered twice at once.
        let other = store::oauth_client::by_fingerprint(&self.db, mount, fingerprint).await?;
        other.ok_or(RegisterError::TooMany)
    }

    /// A client that is known from now on.
    pub(super) fn new_client(
        &self,
        mount: &MountId,
        id: OAuthClientId,
        kind: ClientKind,
        client_id: String,
        checked: CheckedMetadata,
    ) -> OAuthClient {
        let now = self.ambient.now();
        OAuthClient {
            id,
            mount: mount.clone(),
            kind,
            client_id,
            name: checked.name,
            redirect_uris: checked.redirect_uris,
            created_at: now,
            seen_at: now,
            granted_at: None,
            fetched_at: (kind == ClientKind::Document).then_some(now),
        }
    }

    /// Whether another client finds room, without making anybody wait: most of a flood ends here.
    pub(super) async fn check_room(
        &self,
        mount: &MountId,
        source: Option<&[u8; 8]>,
    ) -> Result<(), RegisterError> {
        let newcomer = self.newcomer(mount, source);
        self.judge_room(&store::oauth_client::crowd(&self.db, newcomer).await?)
    }

    /// Sees to the quota of the address and the bound of the mount, so that a flood leaves a small table and, for
    /// everybody else, room in it. Clients that were ever connected count for nothing here.
    pub(super) async fn make_room(
        &self,
        tx: &mut Tx,
        mount: &MountId,
        source: Option<&[u8; 8]>,
    ) -> Result<(), RegisterError> {
        // One after another, or many at once would each find room.
        store::workspace::lock(tx, mount.workspace).await?;
        let newcomer = self.newcomer(mount, source);
        let crowd = store::oauth_client::crowd_in(tx, newcomer).await?;
        self.judge_room(&crowd)?;
        if self.is_full(&crowd) {
            store::oauth_client::evict(tx, mount, newcomer.fresh_since).await?;
        }
        Ok(())
    }

    fn newcomer<'a>(&self, mount: &'a MountId, source: Option<&'a [u8; 8]>) -> Newcomer<'a> {
        let now = self.ambient.now();
        Newcomer { mount, source, since: now.minus(QUOTA_WINDOW), fresh_since: now.minus(FRESH) }
    }

    fn judge_room(&self, crowd: &Crowd) -> Result<(), RegisterError> {
        let is_over_quota = crowd.of_source >= i64::from(self.settings.new_clients_per_address);
        if is_over_quota || self.is_full(crowd) && !crowd.has_room {
            return Err(RegisterError::TooMany);
        }
        Ok(())
    }

    fn is_full(&self, crowd: &Crowd) -> bool {
        crowd.unused >= i64::from(self.settings.most_unused_clients)
    }

    /// Notes that the client is in use, if that is not known closely enough.
    pub(super) async fn note_seen(&self, client: OAuthClient) -> Result<OAuthClient, StoreError> {
        let now = self.ambient.now();
        if now.since(client.seen_at) >= SEEN_STEP {
            let mut tx = self.db.begin().await?;
            store::oauth_client::seen(&mut tx, client.id, now).await?;
            tx.commit().await?;
        }
        Ok(client)
    }
}
