//! From the token of a request to its caller.
//!
//! Every request passes here, so a caller once looked up is held, for at most [`HOLD`] and not past the next
//! ring of the topic [`TOKENS`]. Whatever ends a token rings it in the transaction that does
//! so: on the node where that happened the next request sees it, on other nodes the notification carries the
//! ring, and where a notification is lost the hold runs out. Refusals are never held, and neither mount nor
//! expiry is: those are compared each time.

mod held;

use std::sync::Arc;
use std::time::Duration;

use stoa_base::{Ambient, InstallationId, Timestamp, WorkspaceId};
use stoa_store::{Database, StoreError};
use tokio::sync::watch;

use crate::store::installation::USE_STEP;
use crate::store::token::Shown;
use crate::{Caller, MountId, TOKENS, TokenHash, store};
use held::{Held, HeldCallers, Moment};

/// How long what was looked up is good: a revocation holds on every node within this time, come what may.
pub const HOLD: Duration = Duration::from_secs(1);

/// How many tokens are held at most: some 10 MB.
const MOST_HELD: usize = 16_384;

/// Why a token is not taken. To its client each is the same 401 (RFC 6750 section 3.1: `invalid_token`); the
/// reason goes to the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    /// It has not the form of a token; nobody was asked.
    #[error("not a token")]
    Malformed,
    /// Nobody has it.
    #[error("unknown token")]
    Unknown,
    /// Its time is over.
    #[error("expired token")]
    Expired,
    /// It was revoked, or its installation ended.
    #[error("revoked token")]
    Revoked,
    /// It is good at another mount: of another service or another workspace.
    #[error("token of another mount")]
    OtherMount,
    /// Its person is no longer a member of the workspace.
    #[error("token of somebody who is no member")]
    NotAMember,
    /// Its person's account is disabled.
    #[error("token of a disabled account")]
    AccountDisabled,
}

/// Turns tokens into callers. Cheap to clone; clones share what they hold.
#[derive(Clone, Debug)]
pub struct Authenticator {
    db: Database,
    ambient: Ambient,
    held: Arc<HeldCallers>,
    rings: watch::Receiver<u64>,
}

impl Authenticator {
    /// An authenticator that holds nothing yet.
    #[must_use]
    pub fn new(db: Database, ambient: Ambient) -> Self {
        let rings = db.wakeups().subscribe(TOKENS);
        Self { db, ambient, held: Arc::new(HeldCallers::new(MOST_HELD)), rings }
    }

    /// The caller that shows `bearer` (the token of RFC 6750 section 2.1, without the word `Bearer`) at
    /// `mount`.
    ///
    /// # Errors
    /// [`StoreError`] when the database could not be asked. A token that is not taken is no error but a
    /// [`Rejected`].
    pub async fn authenticate(
        &self,
        bearer: &str,
        mount: &MountId,
    ) -> Result<Result<Arc<Caller>, Rejected>, StoreError> {
        let Some(hash) = TokenHash::of_bearer(bearer) else { return Ok(Err(Rejected::Malformed)) };
        // Taken before the look-up, so that what changes during it counts as changed since.
        let moment = Moment { at: self.ambient.now(), rings: *self.rings.borrow() };
        match self.held.get(&hash, moment) {
            Some(held) => Ok(admit(&held, mount, moment.at)),
            None => self.look_up(hash, mount, moment).await,
        }
    }

    async fn look_up(
        &self,
        hash: TokenHash,
        mount: &MountId,
        moment: Moment,
    ) -> Result<Result<Arc<Caller>, Rejected>, StoreError> {
        let Some(shown) = store::token::by_hash(&self.db, &hash).await? else {
            return Ok(Err(Rejected::Unknown));
        };
        let use_is_due = shown.last_used_at.is_none_or(|last| moment.at.since(last) >= USE_STEP);
        let admitted = judge(shown, moment).and_then(|held| {
            self.held.put(hash, held.clone());
            admit(&held, mount, moment.at)
        });
        if let Ok(caller) = &admitted
            && use_is_due
        {
            self.note_use(caller, moment.at);
        }
        Ok(admitted)
    }

    /// Writes down the use beside the request, which need not wait for it nor fail with it.
    fn note_use(&self, caller: &Caller, at: Timestamp) {
        let (db, workspace, installation) = (self.db.clone(), caller.workspace, caller.installation);
        tokio::spawn(async move {
            if let Err(error) = write_use(&db, workspace, installation, at).await {
                tracing::warn!(%error, %installation, "the last use of an installation was not noted");
            }
        });
    }
}

async fn write_use(
    db: &Database,
    workspace: WorkspaceId,
    installation: InstallationId,
    at: Timestamp,
) -> Result<(), StoreError> {
    let mut tx = db.begin().await?;
    store::installation::used(&mut tx, workspace, installation, at).await?;
    tx.commit().await
}

/// What the token is worth by itself, wherever and whenever it is shown.
fn judge(shown: Shown, moment: Moment) -> Result<Held, Rejected> {
    // First: disabling an account ends all its installations, and says more.
    if shown.disabled {
        return Err(Rejected::AccountDisabled);
    }
    if shown.revoked {
        return Err(Rejected::Revoked);
    }
    let role = shown.role.ok_or(Rejected::NotAMember)?;
    let caller = Caller {
        workspace: shown.mount.workspace,
        account: shown.account,
        role,
        installation: shown.installation,
        label: shown.label,
        client: shown.client,
        mount: shown.mount,
        scopes: shown.grant.scopes,
        reach: shown.grant.reach,
        run_budget: shown.grant.run_budget,
        credential: shown.credential,
    };
    Ok(Held { caller: Arc::new(caller), expires_at: shown.expires_at, moment })
}

/// What depends on where and when it is shown. The mount comes first: at a mount that is not its own nothing
/// about a token is anybody's business.
fn admit(held: &Held, mount: &MountId, now: Timestamp) -> Result<Arc<Caller>, Rejected> {
    if held.caller.mount != *mount {
        return Err(Rejected::OtherMount);
    }
    if held.expires_at.is_some_and(|expires_at| expires_at <= now) {
        return Err(Rejected::Expired);
    }
    Ok(held.caller.clone())
}
