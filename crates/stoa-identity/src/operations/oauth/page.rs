//! What a consent page shows.

use stoa_store::StoreError;

use super::OAuth;
use crate::model::oauth::authorization::{Before, ConsentPage, Earlier};
use crate::model::oauth::profile::MountProfile;
use crate::model::oauth::request::Person;
use crate::store::oauth_request::Waiting;
use crate::{Connection, SecretKind, TokenHash, store};

impl OAuth {
    /// What the page at this address shows; loading it changes nothing. `None` if nothing waits there for this
    /// person in this session: decided, over, or never there.
    ///
    /// # Errors
    /// [`StoreError`] when the database could not be asked.
    pub async fn page(
        &self,
        profile: &MountProfile,
        handle: &str,
        person: Person,
    ) -> Result<Option<ConsentPage>, StoreError> {
        let Some((_, waiting)) = self.waiting(profile, handle, person).await? else { return Ok(None) };
        let now = self.ambient.now();
        let all =
            store::oauth_installation::of_client(&self.db, &waiting.client, person.account, now).await?;
        let going_on = all.iter().filter(|one| one.installation.revoked_at.is_none());
        let earlier: Vec<Earlier> = going_on.clone().map(earlier).collect();
        let last = going_on.clone().next().or(all.first());
        let mut idle = earlier.iter().filter(|one| !one.is_live);
        let preselected = match (idle.next(), idle.next()) {
            (Some(only), None) => Some(only.id),
            _ => None,
        };
        Ok(Some(ConsentPage {
            client: waiting.client,
            redirect_uri: waiting.redirect_uri,
            required: profile.required_scopes.and(&waiting.scopes),
            scopes: waiting.scopes,
            before: last.map(before),
            earlier,
            preselected,
        }))
    }

    /// What waits at this address for this person in this session.
    pub(super) async fn waiting(
        &self,
        profile: &MountProfile,
        handle: &str,
        person: Person,
    ) -> Result<Option<(TokenHash, Waiting)>, StoreError> {
        let Some(hash) = TokenHash::of(SecretKind::Consent, handle) else { return Ok(None) };
        let now = self.ambient.now();
        let waiting = store::oauth_request::find(&self.db, &hash, &profile.mount, person, now).await?;
        Ok(waiting.map(|waiting| (hash, waiting)))
    }
}

fn earlier(one: &Connection) -> Earlier {
    let installation = &one.installation;
    Earlier { id: installation.id, label: installation.label.clone(), is_live: one.has_tokens }
}

fn before(one: &Connection) -> Before {
    let grant = one.installation.grant.clone();
    Before { scopes: grant.scopes, reach: grant.reach, run_budget: grant.run_budget }
}
