//! Beginning a session: what every way of signing in ends with.

use std::time::Duration;

use stoa_base::text::one_line;
use stoa_base::{AccountId, Timestamp};
use stoa_store::{StoreError, Tx};

use crate::store::session::{FULL, HALF, NewRow};
use crate::{
    AuthenticatedBy, Door, NewSession, SecondStep, SecretKind, SecretToken, SessionId, Visit, store,
};

/// The longest name of a browser, in characters.
const LONGEST_AGENT: usize = 200;
/// How long the second factor is waited for.
const HALF_LIFE: Duration = Duration::from_mins(10);

/// A person who has proved who they are.
pub struct Beginning {
    /// Who.
    pub account: AccountId,
    /// How.
    pub by: AuthenticatedBy,
    /// What came on top of that.
    pub second_step: Option<SecondStep>,
    /// Whether the second factor is still to come.
    pub needs_second_factor: bool,
    /// When they proved it.
    pub proof: Proof,
}

/// When a person proved who they are.
pub enum Proof {
    /// Just now, to us.
    Here,
    /// To somebody else, at this time if it is known.
    Elsewhere(Option<Timestamp>),
}

impl Beginning {
    /// One that needs nothing more.
    pub const fn complete(account: AccountId, by: AuthenticatedBy) -> Self {
        Self { account, by, second_step: None, needs_second_factor: false, proof: Proof::Here }
    }
}

/// Begins a session with a secret of its own, whatever the browser held before: a cookie that somebody planted
/// there is worth nothing (session fixation).
pub async fn begin(
    tx: &mut Tx,
    door: &Door,
    beginning: &Beginning,
    visit: &Visit,
) -> Result<NewSession, StoreError> {
    let at = door.ambient.now();
    let waits = beginning.needs_second_factor;
    let session = NewSession {
        id: SessionId::new(&door.ambient),
        account: beginning.account,
        secret: SecretToken::new(SecretKind::Session, &door.ambient),
        needs_second_factor: waits,
        expires_at: at.plus(if waits { HALF_LIFE } else { door.sessions.lifetime }),
    };
    let row = NewRow {
        id: session.id,
        account: session.account,
        hash: session.secret.hash(),
        kind: if waits { HALF } else { FULL },
        authenticated_by: beginning.by,
        second_step: beginning.second_step,
        user_agent: &one_line(visit.user_agent.as_deref().unwrap_or_default(), LONGEST_AGENT),
        address: &visit.network(),
        at,
        proven_at: match beginning.proof {
            Proof::Here => Some(at),
            Proof::Elsewhere(proven) => proven.map(|proven| proven.min(at)),
        },
        expires_at: session.expires_at,
    };
    store::session::insert(tx, &row).await?;
    Ok(session)
}
