//! Table `token`, as far as OAuth's tokens are concerned.

use sqlx::types::Json;
use sqlx::{FromRow, query, query_as};
use stoa_base::{Timestamp, WorkspaceId};
use stoa_store::{Database, StoreError, Tx, on, queries};
use uuid::Uuid;

use super::oauth_grant::{self, Holder, HolderRow};
use super::token::ACCESS;
use super::{micros, unreadable};
use crate::{Scopes, SecretKind, TokenHash, TokenId, TokenPlace};

/// The kind of a refresh token.
const REFRESH: &str = "refresh";

queries! {
    INSERT = "INSERT INTO token (id, workspace_id, installation_id, hash, kind, created_at, expires_at, family, scopes)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    /// Where a token of OAuth belongs, of either kind.
    PLACE = "SELECT workspace_id, installation_id FROM token WHERE hash = $1 AND family IS NOT NULL";
    /// With everything that decides about it.
    FIND = "SELECT token.kind, token.family, token.scopes AS own, token.expires_at,
            token.revoked_at AS token_revoked_at, token.used_at, installation.workspace_id,
            installation.id AS installation_id, installation.account_id, installation.service,
            installation.oauth_client_id, installation.scopes AS granted, installation.revoked_at AS ended_at,
            oauth_client.client_id, account.disabled_at, membership.role
        FROM token
        JOIN installation ON installation.id = token.installation_id
        JOIN oauth_client ON oauth_client.id = installation.oauth_client_id
        JOIN account ON account.id = installation.account_id
        LEFT JOIN membership ON membership.workspace_id = installation.workspace_id
            AND membership.account_id = installation.account_id
        WHERE token.hash = $1";
    USE = "UPDATE token SET used_at = $2 WHERE hash = $1 AND used_at IS NULL";
    REVOKE = "UPDATE token SET revoked_at = $3 WHERE workspace_id = $1 AND hash = $2 AND revoked_at IS NULL";
    REVOKE_FAMILY = "UPDATE token SET revoked_at = $3
        WHERE workspace_id = $1 AND family = $2 AND revoked_at IS NULL";
    /// Every token of the installation's client, from the same person at the same mount.
    REVOKE_CLIENT = "UPDATE token SET revoked_at = $3
        WHERE workspace_id = $1 AND revoked_at IS NULL AND family IS NOT NULL AND installation_id IN (
            SELECT other.id FROM installation AS one JOIN installation AS other
                ON other.workspace_id = one.workspace_id AND other.oauth_client_id = one.oauth_client_id
                AND other.account_id = one.account_id AND other.service = one.service
            WHERE one.id = $2)";
    PRUNE = "DELETE FROM token WHERE family IS NOT NULL AND expires_at <= $1";
}

/// Tokens to be stored, of one installation.
pub struct NewToken<'a> {
    /// Its id.
    pub id: TokenId,
    /// Where it belongs.
    pub place: TokenPlace,
    /// The hash of its text.
    pub hash: TokenHash,
    /// Access or refresh.
    pub kind: SecretKind,
    /// What came of one code.
    pub family: Uuid,
    /// What it may do.
    pub scopes: &'a Scopes,
    /// Now.
    pub created_at: Timestamp,
    /// From when it is refused.
    pub expires_at: Timestamp,
}

/// A token of OAuth, with everything that decides about it.
pub struct Given {
    /// Whether it is a refresh token.
    pub is_refresh: bool,
    /// What came of one code.
    pub family: Uuid,
    /// What it may do.
    pub scopes: Scopes,
    /// From when it is refused.
    pub expires_at: Timestamp,
    /// Whether it was revoked.
    pub is_revoked: bool,
    /// When it was exchanged for its successor.
    pub used_at: Option<Timestamp>,
    /// Whose it is.
    pub holder: Holder,
}

#[derive(FromRow)]
struct Row {
    kind: String,
    family: Uuid,
    own: Json<Scopes>,
    expires_at: i64,
    token_revoked_at: Option<i64>,
    used_at: Option<i64>,
    #[sqlx(flatten)]
    holder: HolderRow,
}

impl TryFrom<Row> for Given {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            is_refresh: row.kind == REFRESH,
            family: row.family,
            scopes: row.own.0,
            expires_at: Timestamp::from_micros(row.expires_at),
            is_revoked: row.token_revoked_at.is_some(),
            used_at: row.used_at.map(Timestamp::from_micros),
            holder: row.holder.try_into()?,
        })
    }
}

/// Adds the token.
pub async fn insert(tx: &mut Tx, new: &NewToken<'_>) -> Result<(), StoreError> {
    let kind = match new.kind {
        SecretKind::Access => ACCESS,
        SecretKind::Refresh => REFRESH,
        other => return Err(unreadable("kind of token")(other.prefix())),
    };
    on!(tx tx, c => query(INSERT)
        .bind(new.id.uuid())
        .bind(new.place.workspace.uuid())
        .bind(new.place.installation.uuid())
        .bind(new.hash.as_bytes())
        .bind(kind)
        .bind(new.created_at.as_micros())
        .bind(micros(Some(new.expires_at)))
        .bind(new.family)
        .bind(Json(new.scopes))
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Where the token with this hash belongs.
pub async fn place(db: &Database, hash: &TokenHash) -> Result<Option<TokenPlace>, StoreError> {
    let row: Option<(Uuid, Uuid)> =
        on!(read db, c => query_as(PLACE).bind(hash.as_bytes()).fetch_optional(c).await)?;
    Ok(row.map(oauth_grant::place))
}

/// The token with this hash.
pub async fn find(tx: &mut Tx, hash: &TokenHash) -> Result<Option<Given>, StoreError> {
    let row: Option<Row> = on!(tx tx, c => query_as(FIND).bind(hash.as_bytes()).fetch_optional(c).await)?;
    row.map(Given::try_from).transpose()
}

/// Marks the refresh token as exchanged.
pub async fn mark_used(tx: &mut Tx, hash: &TokenHash, at: Timestamp) -> Result<(), StoreError> {
    on!(tx tx, c => query(USE).bind(hash.as_bytes()).bind(at.as_micros()).execute(c).await.map(|_| ()))?;
    Ok(())
}

/// Revokes this token alone.
pub async fn revoke(
    tx: &mut Tx,
    workspace: WorkspaceId,
    hash: &TokenHash,
    at: Timestamp,
) -> Result<(), StoreError> {
    on!(tx tx, c => query(REVOKE)
        .bind(workspace.uuid())
        .bind(hash.as_bytes())
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Revokes what came of one code.
pub async fn revoke_family(
    tx: &mut Tx,
    workspace: WorkspaceId,
    family: Uuid,
    at: Timestamp,
) -> Result<(), StoreError> {
    on!(tx tx, c => query(REVOKE_FAMILY)
        .bind(workspace.uuid())
        .bind(family)
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Revokes every token that this installation's client holds from the same person at the same mount.
pub async fn revoke_client(tx: &mut Tx, place: &TokenPlace, at: Timestamp) -> Result<(), StoreError> {
    on!(tx tx, c => query(REVOKE_CLIENT)
        .bind(place.workspace.uuid())
        .bind(place.installation.uuid())
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Deletes tokens that were refused from `before` on.
pub async fn prune(tx: &mut Tx, before: Timestamp) -> Result<(), StoreError> {
    super::delete_until(tx, PRUNE, before).await
}
