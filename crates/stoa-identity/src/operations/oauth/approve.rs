//! The person decides.

use serde_json::json;
use stoa_base::InstallationId;
use stoa_base::text::one_line;
use stoa_store::StoreError;

use super::OAuth;
use super::grant::Approval;
use crate::Visit;
use crate::model::oauth::answer::Redirection;
use crate::model::oauth::authorization::Decision;
use crate::model::oauth::error::ErrorCode;
use crate::model::oauth::profile::MountProfile;
use crate::model::oauth::request::{Person, Who};
use crate::store::oauth_request::Waiting;
use crate::{Grant, Installation, Scopes, store};

/// The longest label, in characters.
const LONGEST_LABEL: usize = 100;

/// Why a decision does not count.
#[derive(Debug, thiserror::Error)]
pub enum ConsentError {
    /// Nothing waits there for this person in this session: decided, over, or never there. Told apart by nobody.
    #[error("this page was used already, or waited too long; start again from your client")]
    NothingWaits,
    /// More was ticked than was asked for: the form was tampered with.
    #[error("more was ticked than was asked for")]
    NotAsked,
    /// What it should go on as is not this client's, or has ended.
    #[error("the installation to go on as is not there any more")]
    NotThere,
    /// The person does not belong to the workspace, or the account is disabled.
    #[error("you are not a member of this workspace")]
    NotAMember,
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ConsentError {
    /// What traces and the audit call it.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NothingWaits => "nothing_waits",
            Self::NotAsked => "not_asked",
            Self::NotThere => "installation_not_there",
            Self::NotAMember => "not_a_member",
            Self::Store(_) => "server_error",
        }
    }
}

impl OAuth {
    /// Connects the client as the person decided: the installation with its grant, and a code that goes to the
    /// client. Of two clicks one counts.
    ///
    /// # Errors
    /// [`ConsentError`]; nothing changed then.
    pub async fn approve(
        &self,
        profile: &MountProfile,
        handle: &str,
        person: Person,
        decision: Decision,
        visit: &Visit,
    ) -> Result<Redirection, ConsentError> {
        let waiting = self.waiting(profile, handle, person).await?;
        let (hash, waiting) = waiting.ok_or(ConsentError::NothingWaits)?;
        if !decision.scopes.is_subset(&waiting.scopes) {
            return Err(ConsentError::NotAsked);
        }
        let scopes = decision.scopes.or(&profile.required_scopes.and(&waiting.scopes));
        let approval = self.approval(&waiting, person, decision, scopes);
        self.grant(profile, &waiting, Some(&hash), person, approval, visit).await
    }

    /// Does not connect the client: on to it, with `access_denied`.
    ///
    /// # Errors
    /// [`ConsentError`]; nothing changed then.
    pub async fn cancel(
        &self,
        profile: &MountProfile,
        handle: &str,
        person: Person,
        visit: &Visit,
    ) -> Result<Redirection, ConsentError> {
        let waiting = self.waiting(profile, handle, person).await?;
        let (hash, waiting) = waiting.ok_or(ConsentError::NothingWaits)?;
        let who = Who { account: person.account, installation: None, client: &waiting.client.client_id };
        let mut tx = self.db.begin().await?;
        if !store::oauth_request::take(&mut tx, &hash).await? {
            return Err(ConsentError::NothingWaits);
        }
        self.audit.open(visit.opening(&profile.mount, "oauth cancel", who, json!({}))).commit(tx).await?;
        let (to, state) = (&waiting.redirect_uri, waiting.state.as_deref());
        Ok(Redirection::error(profile, to, state, ErrorCode::AccessDenied, "the person said no"))
    }

    fn approval(&self, waiting: &Waiting, person: Person, decision: Decision, scopes: Scopes) -> Approval {
        let id = decision.continue_as.unwrap_or_else(|| InstallationId::new(&self.ambient));
        let fallback = waiting.client.name.as_deref().unwrap_or("client");
        let label = one_line(&decision.label, LONGEST_LABEL);
        let installation = Installation {
            id,
            account: person.account,
            mount: waiting.client.mount.clone(),
            grant: Grant { scopes: scopes.clone(), reach: decision.reach, run_budget: decision.run_budget },
            label: if label.is_empty() { fallback.to_owned() } else { label },
            client: None,
            created_at: self.ambient.now(),
            last_used_at: None,
            revoked_at: None,
        };
        match decision.continue_as {
            None => Approval::new(scopes, installation),
            Some(_) => Approval::go_on(scopes, installation),
        }
    }
}
