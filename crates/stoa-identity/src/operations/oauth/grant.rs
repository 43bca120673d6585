//! What a consent leaves: an installation, its grant, and a code.

use std::time::Duration;

use serde_json::json;
use stoa_base::{Id, Timestamp};
use stoa_store::audit::{Act, Status};
use stoa_store::{StoreError, Tx};

use super::OAuth;
use super::approve::ConsentError;
use crate::Visit;
use crate::model::oauth::answer::Redirection;
use crate::model::oauth::profile::MountProfile;
use crate::model::oauth::request::{Person, Who};
use crate::store::oauth_code::NewCode;
use crate::store::oauth_installation::Consented;
use crate::store::oauth_request::Waiting;
use crate::{Installation, Reach, Scopes, SecretKind, SecretToken, TokenHash, TokenPlace, store};

/// How long a code is good.
const CODE: Duration = Duration::from_mins(1);

/// What is granted.
pub(super) struct Approval {
    /// What the tokens of the code may do.
    scopes: Scopes,
    /// The installation: new, an earlier one with what changed, or an earlier one as it is.
    step: Step,
}

enum Step {
    Make(Installation),
    GoOn(Installation),
    Leave(Installation),
}

impl Approval {
    /// A new installation.
    pub const fn new(scopes: Scopes, installation: Installation) -> Self {
        Self { scopes, step: Step::Make(installation) }
    }

    /// An earlier installation, with this grant and label from now on.
    pub const fn go_on(scopes: Scopes, installation: Installation) -> Self {
        Self { scopes, step: Step::GoOn(installation) }
    }

    /// What was agreed on before, for another code.
    pub const fn again(scopes: Scopes, installation: Installation) -> Self {
        Self { scopes, step: Step::Leave(installation) }
    }

    const fn installation(&self) -> &Installation {
        match &self.step {
            Step::Make(installation) | Step::GoOn(installation) | Step::Leave(installation) => installation,
        }
    }
}

impl OAuth {
    /// Writes the grant and its code, and takes the request away, under audit.
    pub(super) async fn grant(
        &self,
        profile: &MountProfile,
        waiting: &Waiting,
        request: Option<&TokenHash>,
        person: Person,
        approval: Approval,
        visit: &Visit,
    ) -> Result<Redirection, ConsentError> {
        let installation = approval.installation();
        let who = Who {
            account: person.account,
            installation: Some(installation.id),
            client: &waiting.client.client_id,
        };
        let act = self.audit.open(visit.opening(&profile.mount, "oauth approve", who, arguments(&approval)));
        let granted = self.write_grant(&act, waiting, request, person, &approval, visit).await;
        if let Err(error) = &granted {
            act.close(Status::Error, Some(error.code())).await?;
        }
        let (to, state) = (&waiting.redirect_uri, waiting.state.as_deref());
        Ok(Redirection::success(profile, to, state, &granted?))
    }

    async fn write_grant(
        &self,
        act: &Act,
        waiting: &Waiting,
        request: Option<&TokenHash>,
        person: Person,
        approval: &Approval,
        visit: &Visit,
    ) -> Result<SecretToken, ConsentError> {
        let workspace = waiting.client.mount.workspace;
        let mut tx = self.db.begin().await?;
        if let Some(hash) = request
            && !store::oauth_request::take(&mut tx, hash).await?
        {
            return Err(ConsentError::NothingWaits);
        }
        // A removal at the same time either sees the new installation and ends it, or is seen here.
        store::workspace::lock(&mut tx, workspace).await?;
        if !store::membership::is_active(&mut tx, workspace, person.account).await? {
            return Err(ConsentError::NotAMember);
        }
        write_installation(&mut tx, approval, waiting, visit).await?;
        let now = self.ambient.now();
        store::oauth_client::granted(&mut tx, waiting.client.id, now).await?;
        let code = self.write_code(&mut tx, approval, waiting, now).await?;
        // What an earlier installation may do has changed for whoever holds its tokens.
        tx.wake(crate::TOKENS);
        act.commit(tx).await?;
        Ok(code)
    }

    async fn write_code(
        &self,
        tx: &mut Tx,
        approval: &Approval,
        waiting: &Waiting,
        now: Timestamp,
    ) -> Result<SecretToken, StoreError> {
        let code = SecretToken::new(SecretKind::Code, &self.ambient);
        let installation = approval.installation();
        let new = NewCode {
            hash: code.hash(),
            place: TokenPlace { workspace: installation.mount.workspace, installation: installation.id },
            family: Id::<Family>::new(&self.ambient).uuid(),
            redirect_uri: waiting.redirect_uri.as_str(),
            challenge: &waiting.challenge,
            scopes: &approval.scopes,
            created_at: now,
            expires_at: now.plus(CODE),
        };
        store::oauth_code::insert(tx, &new).await?;
        Ok(code)
    }
}

/// Marks the ids of families: what one code gives and what comes of it.
enum Family {}

async fn write_installation(
    tx: &mut Tx,
    approval: &Approval,
    waiting: &Waiting,
    visit: &Visit,
) -> Result<(), ConsentError> {
    let consented =
        Consented { client: &waiting.client, redirect_uri: &waiting.redirect_uri, address: visit.class };
    match &approval.step {
        Step::Make(new) => store::oauth_installation::insert(tx, new, consented).await?,
        Step::GoOn(again) if !store::oauth_installation::regrant(tx, again, consented).await? => {
            return Err(ConsentError::NotThere);
        }
        Step::GoOn(_) | Step::Leave(_) => {}
    }
    Ok(())
}

/// What the audit keeps: what was ticked, and whether it goes on as an earlier one.
fn arguments(approval: &Approval) -> serde_json::Value {
    let grant = &approval.installation().grant;
    let how = match approval.step {
        Step::Make(_) => "new",
        Step::GoOn(_) => "continued",
        Step::Leave(_) => "agreed before",
    };
    let bounded = matches!(grant.reach, Reach::Only(_));
    json!({ "scopes": approval.scopes, "bounded": bounded, "run_budget": grant.run_budget, "installation": how })
}
