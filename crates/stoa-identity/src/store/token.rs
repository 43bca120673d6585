//! Table `token`, and the one look-up that turns a token into a caller.

use sqlx::types::Json;
use sqlx::{FromRow, query, query_as};
use stoa_base::{AccountId, InstallationId, Timestamp, WorkspaceId};
use stoa_store::audit::Credential;
use stoa_store::{Database, StoreError, Tx, on, queries};
use uuid::Uuid;

use super::installation::{self, GrantColumns};
use super::{micros, unreadable};
use crate::{ClientInfo, Grant, MountId, Role, Scopes, TokenHash, TokenId, TokenPlace, TokenRecord};

/// The kind of a token that a person made for a client by hand.
const PERSONAL: &str = "personal";
/// The kind of an OAuth access token.
pub(super) const ACCESS: &str = "access";

queries! {
    INSERT = "INSERT INTO token (id, workspace_id, installation_id, hash, kind, created_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    /// Everything that decides about a token: itself, its installation and grant, its person, and what the
    /// person is in the workspace now. A refresh token is none of those that are shown here.
    BY_HASH = "SELECT token.kind, token.expires_at, token.scopes AS token_scopes,
            COALESCE(token.revoked_at, installation.revoked_at) AS revoked_at, installation.workspace_id,
            installation.id AS installation_id, installation.account_id, installation.service,
            installation.label, installation.client_name, installation.client_version, installation.scopes,
            installation.reach, installation.run_budget, installation.last_used_at, account.disabled_at, membership.role
        FROM token
        JOIN installation ON installation.id = token.installation_id
        JOIN account ON account.id = installation.account_id
        LEFT JOIN membership ON membership.workspace_id = installation.workspace_id
            AND membership.account_id = installation.account_id
        WHERE token.hash = $1 AND token.kind <> 'refresh'";
    /// Personal tokens of one workspace, newest first.
    LIST = "SELECT token.id AS token_id, token.created_at AS token_created_at, token.expires_at,
            COALESCE(token.revoked_at, installation.revoked_at) AS token_revoked_at, account.email,
            workspace.name AS workspace_name,
            installation.id, installation.workspace_id, installation.account_id, installation.service,
            installation.label, installation.client_name, installation.client_version, installation.scopes,
            installation.reach, installation.run_budget, installation.created_at, installation.last_used_at,
            installation.revoked_at
        FROM token
        JOIN installation ON installation.id = token.installation_id
        JOIN account ON account.id = installation.account_id
        JOIN workspace ON workspace.id = installation.workspace_id
        WHERE token.workspace_id = $1 AND token.kind = 'personal'
        ORDER BY token.id DESC";
    /// By the id of the token or of its installation.
    PLACE = "SELECT workspace_id, installation_id FROM token WHERE id = $1
        UNION SELECT workspace_id, id FROM installation WHERE id = $1";
}

/// What decides about a token, as it is now.
pub struct Shown {
    /// What kind of credential it is.
    pub credential: Credential,
    /// From when it is refused.
    pub expires_at: Option<Timestamp>,
    /// Whether it was revoked or its installation ended.
    pub revoked: bool,
    /// The installation it belongs to.
    pub installation: InstallationId,
    /// The installation's label.
    pub label: String,
    /// What its client last said it is.
    pub client: Option<ClientInfo>,
    /// Where the installation is good.
    pub mount: MountId,
    /// What it may do there.
    pub grant: Grant,
    /// When it was last used, as far as that was written.
    pub last_used_at: Option<Timestamp>,
    /// The person.
    pub account: AccountId,
    /// Whether the person's account is disabled.
    pub disabled: bool,
    /// What the person is in the workspace now.
    pub role: Option<Role>,
}

#[derive(FromRow)]
struct ShownRow {
    kind: String,
    expires_at: Option<i64>,
    token_scopes: Option<Json<Scopes>>,
    revoked_at: Option<i64>,
    workspace_id: Uuid,
    installation_id: Uuid,
    account_id: Uuid,
    service: String,
    label: String,
    client_name: Option<String>,
    client_version: Option<String>,
    #[sqlx(flatten)]
    grant: GrantColumns,
    last_used_at: Option<i64>,
    disabled_at: Option<i64>,
    role: Option<String>,
}

impl TryFrom<ShownRow> for Shown {
    type Error = StoreError;

    fn try_from(row: ShownRow) -> Result<Self, StoreError> {
        let mut grant = Grant::try_from(row.grant)?;
        // A token may use less than its grant allows, and never more than it was given.
        if let Some(Json(own)) = row.token_scopes {
            grant.scopes = grant.scopes.and(&own);
        }
        Ok(Self {
            credential: credential(&row.kind)?,
            expires_at: row.expires_at.map(Timestamp::from_micros),
            revoked: row.revoked_at.is_some(),
            installation: InstallationId::from_uuid(row.installation_id),
            label: row.label,
            client: row
                .client_name
                .zip(row.client_version)
                .map(|(name, version)| ClientInfo { name, version }),
            mount: MountId::new(WorkspaceId::from_uuid(row.workspace_id), row.service),
            grant,
            last_used_at: row.last_used_at.map(Timestamp::from_micros),
            account: AccountId::from_uuid(row.account_id),
            disabled: row.disabled_at.is_some(),
            role: row.role.map(|role| role.parse().map_err(unreadable("role"))).transpose()?,
        })
    }
}

fn credential(kind: &str) -> Result<Credential, StoreError> {
    match kind {
        PERSONAL => Ok(Credential::Personal),
        ACCESS => Ok(Credential::Access),
        other => Err(unreadable("kind of token")(other)),
    }
}

#[derive(FromRow)]
struct ListedRow {
    token_id: Uuid,
    token_created_at: i64,
    expires_at: Option<i64>,
    token_revoked_at: Option<i64>,
    email: String,
    workspace_name: String,
    #[sqlx(flatten)]
    installation: installation::Row,
}

impl TryFrom<ListedRow> for TokenRecord {
    type Error = StoreError;

    fn try_from(row: ListedRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: TokenId::from_uuid(row.token_id),
            email: row.email.parse().map_err(unreadable("email"))?,
            workspace: row.workspace_name.parse().map_err(unreadable("workspace name"))?,
            installation: row.installation.try_into()?,
            created_at: Timestamp::from_micros(row.token_created_at),
            expires_at: row.expires_at.map(Timestamp::from_micros),
            revoked_at: row.token_revoked_at.map(Timestamp::from_micros),
        })
    }
}

/// A token to be stored.
pub struct NewRow {
    /// Its id.
    pub id: TokenId,
    /// Where it belongs.
    pub place: TokenPlace,
    /// The hash of its text.
    pub hash: TokenHash,
    /// Now.
    pub created_at: Timestamp,
    /// From when it is refused.
    pub expires_at: Option<Timestamp>,
}

/// Adds a personal token.
pub async fn insert_personal(tx: &mut Tx, new: &NewRow) -> Result<(), StoreError> {
    on!(tx tx, c => query(INSERT)
        .bind(new.id.uuid())
        .bind(new.place.workspace.uuid())
        .bind(new.place.installation.uuid())
        .bind(new.hash.as_bytes())
        .bind(PERSONAL)
        .bind(new.created_at.as_micros())
        .bind(micros(new.expires_at))
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// What decides about the token with this hash.
pub async fn by_hash(db: &Database, hash: &TokenHash) -> Result<Option<Shown>, StoreError> {
    let hash = hash.as_bytes();
    let row: Option<ShownRow> = on!(read db, c => query_as(BY_HASH).bind(hash).fetch_optional(c).await)?;
    row.map(Shown::try_from).transpose()
}

/// The personal tokens of the workspace, newest first.
pub async fn list(db: &Database, workspace: WorkspaceId) -> Result<Vec<TokenRecord>, StoreError> {
    let rows: Vec<ListedRow> = on!(read db, c => query_as(LIST).bind(workspace.uuid()).fetch_all(c).await)?;
    rows.into_iter().map(TokenRecord::try_from).collect()
}

/// Where the token or installation with this id belongs.
pub async fn place(db: &Database, id: Uuid) -> Result<Option<TokenPlace>, StoreError> {
    let row: Option<(Uuid, Uuid)> = on!(read db, c => query_as(PLACE).bind(id).fetch_optional(c).await)?;
    Ok(row.map(|(workspace, installation)| TokenPlace {
        workspace: WorkspaceId::from_uuid(workspace),
        installation: InstallationId::from_uuid(installation),
    }))
}
