//! Clients that an operator names.

use stoa_store::StoreError;
use stoa_store::audit::Act;

use super::OAuth;
use crate::model::oauth::client::{ClientKind, OAuthClient, OAuthClientId};
use crate::model::oauth::metadata::{BadMetadata, ClientMetadata};
use crate::store::oauth_client::Origin;
use crate::{MountId, store};

/// Why a client could not be named.
#[derive(Debug, thiserror::Error)]
pub enum ConfigureError {
    /// The name is empty, longer than 200 bytes, or not of printable ASCII.
    #[error("a client id has 1 to 200 characters of printable ASCII")]
    ClientId,
    /// The metadata can't be taken.
    #[error(transparent)]
    Metadata(#[from] BadMetadata),
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl OAuth {
    /// Names a client at the mount, or changes one of this name.
    ///
    /// # Errors
    /// [`ConfigureError`]; nothing changed then.
    pub async fn configure_client(
        &self,
        act: &Act,
        mount: &MountId,
        client_id: &str,
        metadata: &ClientMetadata,
    ) -> Result<(), ConfigureError> {
        let is_sound = !client_id.is_empty() && client_id.len() <= 200;
        if !is_sound || !client_id.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(ConfigureError::ClientId);
        }
        let checked = metadata.check()?;
        let now = self.ambient.now();
        let mut tx = self.db.begin().await?;
        let id = OAuthClientId::new(&self.ambient);
        let client =
            self.new_client(mount, id, ClientKind::Configured, client_id.to_owned(), checked.clone());
        if !store::oauth_client::insert(&mut tx, &client, Origin::default()).await? {
            let known =
                store::oauth_client::by_client_id(&self.db, mount, client_id).await?.unwrap_or(client);
            store::oauth_client::change(&mut tx, &known, ClientKind::Configured, &checked, now).await?;
        }
        act.commit(tx).await?;
        Ok(())
    }

    /// The clients that an operator named at the mount, in the order of the alphabet.
    ///
    /// # Errors
    /// [`StoreError`] when the database could not be asked.
    pub async fn configured_clients(&self, mount: &MountId) -> Result<Vec<OAuthClient>, StoreError> {
        store::oauth_client::configured(&self.db, mount).await
    }
}
