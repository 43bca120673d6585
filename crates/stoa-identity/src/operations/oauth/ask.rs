//! A sound request waits for its person, or needs none.

use std::time::Duration;

use stoa_store::StoreError;

use super::OAuth;
use super::approve::ConsentError;
use super::grant::Approval;
use crate::Visit;
use crate::model::oauth::answer::Redirection;
use crate::model::oauth::authorization::{Authorization, Prompt};
use crate::model::oauth::client::ClientKind;
use crate::model::oauth::error::ErrorCode;
use crate::model::oauth::profile::MountProfile;
use crate::model::oauth::redirect_uri::RedirectKind;
use crate::model::oauth::request::Person;
use crate::store::oauth_request::Waiting;
use crate::{Connection, SecretKind, SecretToken, store};

/// How long a page waits for its person's click.
const WAIT: Duration = Duration::from_mins(15);
/// How many pages of one person wait in a workspace.
const MOST_WAITING: i64 = 20;

/// What becomes of a sound request.
#[derive(Debug)]
pub enum Asked {
    /// It waits at a page whose address holds this, for 15 minutes, in the person's session only.
    Waits(SecretToken),
    /// The person said yes to the very same before, and need not be asked: on to the client, with a code.
    Agreed(Redirection),
    /// It can't be: on to the client, with an error.
    Refused(Redirection),
}

impl OAuth {
    /// Lets the request wait for the click of a person who is signed in. Only where the answer goes to a web site
    /// that a metadata document or an operator speaks for, and this person connected the same client there before
    /// for no less, no click is asked for.
    ///
    /// # Errors
    /// [`ConsentError`]; nothing waits then.
    pub async fn ask(
        &self,
        profile: &MountProfile,
        authorization: Authorization,
        person: Person,
        visit: &Visit,
    ) -> Result<Asked, ConsentError> {
        let before = self.agreed_before(&authorization, person).await?;
        if before.is_none() && authorization.prompt == Prompt::Never {
            let code = ErrorCode::ConsentRequired;
            return Ok(Asked::Refused(authorization.refuse(profile, code, "the person must be asked")));
        }
        let waiting = Waiting::from(authorization);
        let Some(before) = before else { return Ok(Asked::Waits(self.wait(&waiting, person).await?)) };
        let approval = Approval::again(waiting.scopes.clone(), before.installation);
        Ok(Asked::Agreed(self.grant(profile, &waiting, None, person, approval, visit).await?))
    }

    /// The one installation that already is what is asked for.
    async fn agreed_before(
        &self,
        authorization: &Authorization,
        person: Person,
    ) -> Result<Option<Connection>, StoreError> {
        let Authorization { client, redirect_uri, scopes, prompt, .. } = authorization;
        let may_skip = redirect_uri.kind() == RedirectKind::Web
            && client.kind != ClientKind::Registered
            && matches!(prompt, Prompt::AsNeeded | Prompt::Never);
        if !may_skip {
            return Ok(None);
        }
        let now = self.ambient.now();
        let all = store::oauth_installation::of_client(&self.db, client, person.account, now).await?;
        let mut going_on = all.into_iter().filter(|one| one.installation.revoked_at.is_none());
        let (Some(only), None) = (going_on.next(), going_on.next()) else { return Ok(None) };
        let went_there = only.client.as_ref().and_then(|client| client.redirect_uri.as_deref());
        let is_same = went_there == Some(redirect_uri.as_str());
        Ok((is_same && scopes.is_subset(&only.installation.grant.scopes)).then_some(only))
    }

    async fn wait(&self, waiting: &Waiting, person: Person) -> Result<SecretToken, StoreError> {
        let handle = SecretToken::new(SecretKind::Consent, &self.ambient);
        let now = self.ambient.now();
        let mut tx = self.db.begin().await?;
        store::oauth_request::insert(&mut tx, &handle.hash(), waiting, person, now, now.plus(WAIT)).await?;
        store::oauth_request::crowd_out(&mut tx, &waiting.client.mount, person, MOST_WAITING).await?;
        tx.commit().await?;
        Ok(handle)
    }
}
