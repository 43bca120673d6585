//! Table `invitation`.

use sqlx::{FromRow, query, query_as};
use stoa_base::{AccountId, Timestamp, WorkspaceId};
use stoa_store::{Database, StoreError, Tx, on, queries};
use uuid::Uuid;

use super::unreadable;
use crate::{Email, Invitation, InvitationId, Offer, TokenHash};

queries! {
    INSERT = "INSERT INTO invitation (id, workspace_id, invited_by, role, email, hash, created_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    /// Of one workspace, newest first.
    LIST = "SELECT id, workspace_id, invited_by, role, email, created_at, expires_at, accepted_at, withdrawn_at
        FROM invitation WHERE workspace_id = $1 ORDER BY id DESC";
    /// What the holder of the link is offered, if it is good: the inviter must still be able to invite.
    OFFER = "SELECT workspace.name, account.email AS invited_by, invitation.role, invitation.email,
            invitation.expires_at, membership.role AS inviter_role
        FROM invitation
        JOIN workspace ON workspace.id = invitation.workspace_id
        JOIN account ON account.id = invitation.invited_by AND account.disabled_at IS NULL
        JOIN membership ON membership.workspace_id = invitation.workspace_id
            AND membership.account_id = invitation.invited_by
        WHERE invitation.hash = $1 AND invitation.accepted_at IS NULL AND invitation.withdrawn_at IS NULL
            AND invitation.expires_at > $2";
    /// Of two at once one accepts.
    TAKE = "UPDATE invitation SET accepted_at = $2
        WHERE hash = $1 AND accepted_at IS NULL AND withdrawn_at IS NULL AND expires_at > $2
        RETURNING id, workspace_id, invited_by, role, email, created_at, expires_at, accepted_at, withdrawn_at";
    ACCEPTED_BY = "UPDATE invitation SET accepted_by = $3 WHERE workspace_id = $1 AND id = $2";
    WITHDRAW = "UPDATE invitation SET withdrawn_at = $3
        WHERE workspace_id = $1 AND id = $2 AND accepted_at IS NULL AND withdrawn_at IS NULL";
    /// Those that were over, one way or another, before `$1`.
    PRUNE = "DELETE FROM invitation WHERE expires_at <= $1";
}

#[derive(FromRow)]
struct Row {
    id: Uuid,
    workspace_id: Uuid,
    invited_by: Uuid,
    role: String,
    email: Option<String>,
    created_at: i64,
    expires_at: i64,
    accepted_at: Option<i64>,
    withdrawn_at: Option<i64>,
}

impl TryFrom<Row> for Invitation {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: InvitationId::from_uuid(row.id),
            workspace: WorkspaceId::from_uuid(row.workspace_id),
            invited_by: AccountId::from_uuid(row.invited_by),
            role: row.role.parse().map_err(unreadable("role"))?,
            email: email(row.email)?,
            created_at: Timestamp::from_micros(row.created_at),
            expires_at: Timestamp::from_micros(row.expires_at),
            accepted_at: row.accepted_at.map(Timestamp::from_micros),
            withdrawn_at: row.withdrawn_at.map(Timestamp::from_micros),
        })
    }
}

#[derive(FromRow)]
struct OfferRow {
    name: String,
    invited_by: String,
    role: String,
    email: Option<String>,
    expires_at: i64,
    inviter_role: String,
}

fn email(text: Option<String>) -> Result<Option<Email>, StoreError> {
    text.map(|text| text.parse().map_err(unreadable("email"))).transpose()
}

/// Adds the invitation.
pub async fn insert(tx: &mut Tx, new: &Invitation, hash: &TokenHash) -> Result<(), StoreError> {
    on!(tx tx, c => query(INSERT)
        .bind(new.id.uuid())
        .bind(new.workspace.uuid())
        .bind(new.invited_by.uuid())
        .bind(new.role.as_str())
        .bind(new.email.as_ref().map(Email::as_str))
        .bind(hash.as_bytes())
        .bind(new.created_at.as_micros())
        .bind(new.expires_at.as_micros())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Those of the workspace, newest first.
pub async fn list(db: &Database, workspace: WorkspaceId) -> Result<Vec<Invitation>, StoreError> {
    let rows: Vec<Row> = on!(read db, c => query_as(LIST).bind(workspace.uuid()).fetch_all(c).await)?;
    rows.into_iter().map(Invitation::try_from).collect()
}

/// What the invitation with this hash offers, if it is good.
pub async fn offer(db: &Database, hash: &TokenHash, now: Timestamp) -> Result<Option<Offer>, StoreError> {
    let row: Option<OfferRow> = on!(read db, c => query_as(OFFER)
        .bind(hash.as_bytes())
        .bind(now.as_micros())
        .fetch_optional(c)
        .await)?;
    let Some(row) = row else { return Ok(None) };
    let inviter = row.inviter_role.parse().map_err(unreadable("role"))?;
    let offer = Offer {
        workspace: row.name.parse().map_err(unreadable("workspace name"))?,
        invited_by: row.invited_by.parse().map_err(unreadable("email"))?,
        role: row.role.parse().map_err(unreadable("role"))?,
        email: email(row.email)?,
        expires_at: Timestamp::from_micros(row.expires_at),
    };
    Ok(Invitation::may_give(inviter, offer.role).then_some(offer))
}

/// Uses the invitation up, if it is neither over nor withdrawn nor accepted.
pub async fn take(tx: &mut Tx, hash: &TokenHash, now: Timestamp) -> Result<Option<Invitation>, StoreError> {
    let row: Option<Row> = on!(tx tx, c => query_as(TAKE)
        .bind(hash.as_bytes())
        .bind(now.as_micros())
        .fetch_optional(c)
        .await)?;
    row.map(Invitation::try_from).transpose()
}

/// Notes who accepted it.
pub async fn accepted_by(tx: &mut Tx, taken: &Invitation, account: AccountId) -> Result<(), StoreError> {
    on!(tx tx, c => query(ACCEPTED_BY)
        .bind(taken.workspace.uuid())
        .bind(taken.id.uuid())
        .bind(account.uuid())
        .execute(c)
        .await
        .map(|_| ()))?;
    Ok(())
}

/// Withdraws it. False if it was accepted or withdrawn before, or is not of this workspace.
pub async fn withdraw(
    tx: &mut Tx,
    workspace: WorkspaceId,
    id: InvitationId,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let withdrawn = on!(tx tx, c => query(WITHDRAW)
        .bind(workspace.uuid())
        .bind(id.uuid())
        .bind(at.as_micros())
        .execute(c)
        .await
        .map(|done| done.rows_affected()))?;
    Ok(withdrawn == 1)
}

/// Deletes those that were over before `before`.
pub async fn prune(tx: &mut Tx, before: Timestamp) -> Result<(), StoreError> {
    super::delete_until(tx, PRUNE, before).await
}
