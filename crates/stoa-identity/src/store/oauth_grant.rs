//! Who holds a code or a token of OAuth, and the lock under which that is decided.

use sqlx::types::Json;
use sqlx::{FromRow, query_as};
use stoa_base::{AccountId, InstallationId, WorkspaceId};
use stoa_store::{StoreError, Tx, on, queries};
use uuid::Uuid;

use crate::model::oauth::client::OAuthClientId;
use crate::{MountId, Scopes, TokenPlace};

queries! {
    /// Every installation of one client, person and mount, always in the same order: whoever gives or revokes tokens
    /// of one of them waits for who does so for another. SQLite has one writer anyway.
    LOCK = {
        sqlite: "SELECT other.id FROM installation AS one JOIN installation AS other
                ON other.workspace_id = one.workspace_id AND other.oauth_client_id = one.oauth_client_id
                AND other.account_id = one.account_id AND other.service = one.service
            WHERE one.workspace_id = $1 AND one.id = $2 ORDER BY other.id",
        postgres: "SELECT other.id FROM installation AS one JOIN installation AS other
                ON other.workspace_id = one.workspace_id AND other.oauth_client_id = one.oauth_client_id
                AND other.account_id = one.account_id AND other.service = one.service
            WHERE one.workspace_id = $1 AND one.id = $2 ORDER BY other.id FOR NO KEY UPDATE OF other",
    };
}

/// Who holds a code or a token.
pub struct Holder {
    /// The installation.
    pub place: TokenPlace,
    /// Where it is good.
    pub mount: MountId,
    /// The person.
    pub account: AccountId,
    /// The client's row.
    pub client: OAuthClientId,
    /// What the client calls itself by.
    pub client_id: String,
    /// What the installation's grant allows now.
    pub granted: Scopes,
    /// Whether the installation is going on and its person is a member whose account is not disabled.
    pub is_good: bool,
}

/// The columns of a holder.
#[derive(FromRow)]
pub struct HolderRow {
    workspace_id: Uuid,
    installation_id: Uuid,
    account_id: Uuid,
    service: String,
    oauth_client_id: Uuid,
    client_id: String,
    granted: Json<Scopes>,
    ended_at: Option<i64>,
    disabled_at: Option<i64>,
    role: Option<String>,
}

impl TryFrom<HolderRow> for Holder {
    type Error = StoreError;

    fn try_from(row: HolderRow) -> Result<Self, StoreError> {
        let workspace = WorkspaceId::from_uuid(row.workspace_id);
        Ok(Self {
            place: TokenPlace { workspace, installation: InstallationId::from_uuid(row.installation_id) },
            mount: MountId::new(workspace, row.service),
            account: AccountId::from_uuid(row.account_id),
            client: OAuthClientId::from_uuid(row.oauth_client_id),
            client_id: row.client_id,
            granted: row.granted.0,
            is_good: row.ended_at.is_none() && row.disabled_at.is_none() && row.role.is_some(),
        })
    }
}

/// From the columns `workspace_id` and `installation_id`.
pub fn place((workspace, installation): (Uuid, Uuid)) -> TokenPlace {
    TokenPlace {
        workspace: WorkspaceId::from_uuid(workspace),
        installation: InstallationId::from_uuid(installation),
    }
}

/// Makes everybody wait who gives or revokes tokens of the same client, person and mount.
pub async fn lock(tx: &mut Tx, place: &TokenPlace) -> Result<(), StoreError> {
    let text = tx.dialect().text(&LOCK);
    let _locked: Vec<(Uuid,)> = on!(tx tx, c => query_as(text)
        .bind(place.workspace.uuid())
        .bind(place.installation.uuid())
        .fetch_all(c)
        .await)?;
    Ok(())
}
