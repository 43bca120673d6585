//! Table `installation`, as far as clients of OAuth are concerned.

use sqlx::types::Json;
use sqlx::{FromRow, query, query_as};
use stoa_base::{AccountId, Timestamp, WorkspaceId};
use stoa_store::audit::AddressClass;
use stoa_store::{Database, StoreError, Tx, on, queries};

use super::{address_class, address_word, installation};
use crate::model::oauth::client::{ClientKind, OAuthClient};
use crate::model::oauth::redirect_uri::RedirectUri;
use crate::{ConnectedClient, Connection, Grant, Installation, Reach, TokenPlace};

/// The columns of a connection; `$1` is the workspace, `$2` the account and `$3` now.
macro_rules! select {
    () => {
        "SELECT installation.id, installation.workspace_id, installation.account_id, installation.service,
            installation.label, installation.client_name, installation.client_version, installation.scopes,
            installation.reach, installation.run_budget, installation.created_at, installation.last_used_at,
            installation.revoked_at, installation.redirect_uri, installation.address_class,
            oauth_client.kind AS oauth_kind, oauth_client.client_id AS oauth_client_name,
            oauth_client.name AS oauth_name,
            EXISTS (SELECT 1 FROM token WHERE token.workspace_id = $1 AND token.installation_id = installation.id
                AND token.revoked_at IS NULL AND (token.expires_at IS NULL OR token.expires_at > $3)) AS has_tokens
        FROM installation LEFT JOIN oauth_client ON oauth_client.id = installation.oauth_client_id
        WHERE installation.workspace_id = $1 AND installation.account_id = $2"
    };
}

queries! {
    ATTACH = "UPDATE installation SET oauth_client_id = $3, redirect_uri = $4, address_class = $5
        WHERE workspace_id = $1 AND id = $2";
    /// Only of the same client, person and mount, and only one that goes on.
    REGRANT = "UPDATE installation SET scopes = $6, reach = $7, run_budget = $8, label = $9, redirect_uri = $10,
            address_class = $11
        WHERE workspace_id = $1 AND id = $2 AND account_id = $3 AND service = $4 AND oauth_client_id = $5
            AND revoked_at IS NULL";
    RENAME = "UPDATE installation SET label = $4
        WHERE workspace_id = $1 AND account_id = $2 AND id = $3 AND revoked_at IS NULL";
    END_OWN = "UPDATE installation SET revoked_at = $4
        WHERE workspace_id = $1 AND account_id = $2 AND id = $3 AND revoked_at IS NULL";
    /// Of a person, newest first.
    OF_ACCOUNT = (concat!(select!(), " ORDER BY installation.id DESC"));
    /// Of a person and a client at one mount, the last used first.
    OF_CLIENT = (concat!(select!(), " AND installation.oauth_client_id = $4 AND installation.service = $5
        ORDER BY COALESCE(installation.last_used_at, installation.created_at) DESC, installation.id DESC"));
    /// Consents whose code was never redeemed.
    LAPSE = "UPDATE installation SET revoked_at = $1
        WHERE oauth_client_id IS NOT NULL AND revoked_at IS NULL AND last_used_at IS NULL AND created_at <= $2
            AND NOT EXISTS (SELECT 1 FROM token WHERE token.workspace_id = installation.workspace_id
                AND token.installation_id = installation.id)
            AND NOT EXISTS (SELECT 1 FROM oauth_code WHERE oauth_code.workspace_id = installation.workspace_id
                AND oauth_code.installation_id = installation.id)";
}

#[derive(FromRow)]
struct Row {
    #[sqlx(flatten)]
    installation: installation::Row,
    redirect_uri: Option<String>,
    address_class: Option<String>,
    oauth_kind: Option<String>,
    oauth_client_name: Option<String>,
    oauth_name: Option<String>,
    has_tokens: bool,
}

impl TryFrom<Row> for Connection {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let kind = row.oauth_kind.as_deref().and_then(ClientKind::of);
        let client = kind.zip(row.oauth_client_name).map(|(kind, client_id)| ConnectedClient {
            kind,
            client_id,
            name: row.oauth_name,
            redirect_uri: row.redirect_uri,
        });
        Ok(Self {
            installation: row.installation.try_into()?,
            client,
            address: row.address_class.as_deref().map_or(AddressClass::Unknown, address_class),
            has_tokens: row.has_tokens,
        })
    }
}

/// What a consent leaves in its installation.
#[derive(Clone, Copy)]
pub struct Consented<'a> {
    /// To whom.
    pub client: &'a OAuthClient,
    /// Where the answer went.
    pub redirect_uri: &'a RedirectUri,
    /// Where the person was.
    pub address: AddressClass,
}

/// Adds an installation of a client.
pub async fn insert(tx: &mut Tx, new: &Installation, consented: Consented<'_>) -> Result<(), StoreError> {
    installation::insert(tx, new).await?;
    on!(tx tx, c => query(ATTACH)
        .bind(new.mount.workspace.uuid())
        .bind(new.id.uuid())
        .bind(consented.client.id.uuid())
        .bind(consented.redirect_uri.as_str())
        .bind(address_word(consented.address))
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Gives an earlier installation a new grant and label. False if it is none of this client's and person's here, or
/// has ended.
pub async fn regrant(
    tx: &mut Tx,
    again: &Installation,
    consented: Consented<'_>,
) -> Result<bool, StoreError> {
    let Grant { scopes, reach, run_budget } = &again.grant;
    let reach = (*reach != Reach::Everything).then_some(Json(reach));
    let changed = on!(tx tx, c => query(REGRANT)
        .bind(again.mount.workspace.uuid())
        .bind(again.id.uuid())
        .bind(again.account.uuid())
        .bind(&again.mount.service)
        .bind(consented.client.id.uuid())
        .bind(Json(scopes))
        .bind(reach)
        .bind(run_budget.map(i64::from))
        .bind(&again.label)
        .bind(consented.redirect_uri.as_str())
        .bind(address_word(consented.address))
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(changed == 1)
}

/// Renames an installation of the person's. False if there is none such.
pub async fn rename(
    tx: &mut Tx,
    place: &TokenPlace,
    account: AccountId,
    label: &str,
) -> Result<bool, StoreError> {
    let renamed = on!(tx tx, c => query(RENAME)
        .bind(place.workspace.uuid())
        .bind(account.uuid())
        .bind(place.installation.uuid())
        .bind(label)
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(renamed == 1)
}

/// Ends an installation of the person's. False if there is none such, or it had ended.
pub async fn end_own(
    tx: &mut Tx,
    place: &TokenPlace,
    account: AccountId,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let ended = on!(tx tx, c => query(END_OWN)
        .bind(place.workspace.uuid())
        .bind(account.uuid())
        .bind(place.installation.uuid())
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(ended == 1)
}

/// Those of the person in the workspace, ended ones included, newest first.
pub async fn of_account(
    db: &Database,
    workspace: WorkspaceId,
    account: AccountId,
    now: Timestamp,
) -> Result<Vec<Connection>, StoreError> {
    let rows: Vec<Row> = on!(read db, c => query_as(OF_ACCOUNT)
        .bind(workspace.uuid())
        .bind(account.uuid())
        .bind(now.as_micros())
        .fetch_all(c)
        .await)?;
    rows.into_iter().map(Connection::try_from).collect()
}

/// Those of the person and the client at the client's mount, ended ones included, the last used first.
pub async fn of_client(
    db: &Database,
    client: &OAuthClient,
    account: AccountId,
    now: Timestamp,
) -> Result<Vec<Connection>, StoreError> {
    let rows: Vec<Row> = on!(read db, c => query_as(OF_CLIENT)
        .bind(client.mount.workspace.uuid())
        .bind(account.uuid())
        .bind(now.as_micros())
        .bind(client.id.uuid())
        .bind(&client.mount.service)
        .fetch_all(c)
        .await)?;
    rows.into_iter().map(Connection::try_from).collect()
}

/// Ends installations made before `before` whose code nobody redeemed.
pub async fn lapse(tx: &mut Tx, now: Timestamp, before: Timestamp) -> Result<(), StoreError> {
    on!(tx tx, c => query(LAPSE)
        .bind(now.as_micros())
        .bind(before.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}
