//! Table `oauth_code`.

use sqlx::types::Json;
use sqlx::{FromRow, query, query_as};
use stoa_base::Timestamp;
use stoa_store::{Database, StoreError, Tx, on, queries};
use uuid::Uuid;

use super::oauth_grant::{self, Holder, HolderRow};
use crate::{Scopes, TokenHash, TokenPlace};

queries! {
    INSERT = "INSERT INTO oauth_code (hash, workspace_id, installation_id, family, redirect_uri, challenge, scopes,
            created_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    PLACE = "SELECT workspace_id, installation_id FROM oauth_code WHERE hash = $1";
    /// With everything that decides about it.
    FIND = "SELECT oauth_code.family, oauth_code.redirect_uri, oauth_code.challenge, oauth_code.scopes,
            oauth_code.expires_at, oauth_code.used_at, installation.workspace_id,
            installation.id AS installation_id, installation.account_id, installation.service,
            installation.oauth_client_id, installation.scopes AS granted, installation.revoked_at AS ended_at,
            oauth_client.client_id, account.disabled_at, membership.role
        FROM oauth_code
        JOIN installation ON installation.id = oauth_code.installation_id
        JOIN oauth_client ON oauth_client.id = installation.oauth_client_id
        JOIN account ON account.id = installation.account_id
        LEFT JOIN membership ON membership.workspace_id = installation.workspace_id
            AND membership.account_id = installation.account_id
        WHERE oauth_code.hash = $1";
    /// Only one succeeds.
    USE = "UPDATE oauth_code SET used_at = $2 WHERE hash = $1 AND used_at IS NULL";
    /// What was given to a client and not redeemed is good no more.
    SPOIL = "UPDATE oauth_code SET used_at = $3
        WHERE workspace_id = $1 AND used_at IS NULL AND installation_id IN (
            SELECT other.id FROM installation AS one JOIN installation AS other
                ON other.workspace_id = one.workspace_id AND other.oauth_client_id = one.oauth_client_id
                AND other.account_id = one.account_id AND other.service = one.service
            WHERE one.id = $2)";
    PRUNE = "DELETE FROM oauth_code WHERE expires_at <= $1";
}

/// A code to be stored.
pub struct NewCode<'a> {
    /// The hash of its text.
    pub hash: TokenHash,
    /// Where the tokens will belong.
    pub place: TokenPlace,
    /// The family that they will begin.
    pub family: Uuid,
    /// Where it is sent.
    pub redirect_uri: &'a str,
    /// What its redeemer must prove to have made.
    pub challenge: &'a str,
    /// What the tokens may do.
    pub scopes: &'a Scopes,
    /// Now.
    pub created_at: Timestamp,
    /// From when it is refused.
    pub expires_at: Timestamp,
}

/// A code, with everything that decides about it.
pub struct Code {
    /// The family of the tokens that it gives.
    pub family: Uuid,
    /// Where it was sent.
    pub redirect_uri: String,
    /// What its redeemer must prove to have made.
    pub challenge: String,
    /// What the tokens may do.
    pub scopes: Scopes,
    /// From when it is refused.
    pub expires_at: Timestamp,
    /// Whether it was redeemed, or spoiled.
    pub is_used: bool,
    /// Whose it is.
    pub holder: Holder,
}

#[derive(FromRow)]
struct Row {
    family: Uuid,
    redirect_uri: String,
    challenge: String,
    scopes: Json<Scopes>,
    expires_at: i64,
    used_at: Option<i64>,
    #[sqlx(flatten)]
    holder: HolderRow,
}

/// Adds the code.
pub async fn insert(tx: &mut Tx, new: &NewCode<'_>) -> Result<(), StoreError> {
    on!(tx tx, c => query(INSERT)
        .bind(new.hash.as_bytes())
        .bind(new.place.workspace.uuid())
        .bind(new.place.installation.uuid())
        .bind(new.family)
        .bind(new.redirect_uri)
        .bind(new.challenge)
        .bind(Json(new.scopes))
        .bind(new.created_at.as_micros())
        .bind(new.expires_at.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Where the code with this hash belongs.
pub async fn place(db: &Database, hash: &TokenHash) -> Result<Option<TokenPlace>, StoreError> {
    let row: Option<(Uuid, Uuid)> =
        on!(read db, c => query_as(PLACE).bind(hash.as_bytes()).fetch_optional(c).await)?;
    Ok(row.map(oauth_grant::place))
}

/// The code with this hash.
pub async fn find(tx: &mut Tx, hash: &TokenHash) -> Result<Option<Code>, StoreError> {
    let row: Option<Row> = on!(tx tx, c => query_as(FIND).bind(hash.as_bytes()).fetch_optional(c).await)?;
    let code = row.map(|row| {
        Ok::<_, StoreError>(Code {
            family: row.family,
            redirect_uri: row.redirect_uri,
            challenge: row.challenge,
            scopes: row.scopes.0,
            expires_at: Timestamp::from_micros(row.expires_at),
            is_used: row.used_at.is_some(),
            holder: row.holder.try_into()?,
        })
    });
    code.transpose()
}

/// Marks the code as used. False if it is already.
pub async fn mark_used(tx: &mut Tx, hash: &TokenHash, at: Timestamp) -> Result<bool, StoreError> {
    let used = on!(tx tx, c => query(USE)
        .bind(hash.as_bytes())
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(used == 1)
}

/// Spoils every code that this installation's client holds from the same person at the same mount.
pub async fn spoil(tx: &mut Tx, place: &TokenPlace, at: Timestamp) -> Result<(), StoreError> {
    on!(tx tx, c => query(SPOIL)
        .bind(place.workspace.uuid())
        .bind(place.installation.uuid())
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Deletes codes that were refused from `before` on.
pub async fn prune(tx: &mut Tx, before: Timestamp) -> Result<(), StoreError> {
    super::delete_until(tx, PRUNE, before).await
}
