//! A client gives a token back (RFC 7009).

use serde_json::json;

use super::OAuth;
use super::token::TokenError;
use crate::Visit;
use crate::model::oauth::profile::MountProfile;
use crate::model::oauth::request::{Parameters, Who};
use crate::{SecretKind, TOKENS, TokenHash, store};

impl OAuth {
    /// Revokes the token: a refresh token with all that came of the same code, an access token alone. A token that
    /// is unknown, another client's or another mount's changes nothing, and is no error (section 2.2): the client
    /// wants it to be good no more, and to this client it never was.
    ///
    /// # Errors
    /// [`TokenError::InvalidRequest`] without a token, [`TokenError::InvalidClient`] for an unknown client.
    pub async fn revoke(
        &self,
        profile: &MountProfile,
        parameters: &Parameters,
        visit: &Visit,
    ) -> Result<(), TokenError> {
        let client = self.client_of(profile, parameters).await?;
        let text = parameters.one("token")?;
        let text = text.ok_or_else(|| TokenError::InvalidRequest("token is missing".to_owned()))?;
        // `token_type_hint` may be wrong (section 2.1); the prefix is not.
        let hash =
            TokenHash::of(SecretKind::Refresh, text).or_else(|| TokenHash::of(SecretKind::Access, text));
        let Some(hash) = hash else { return Ok(()) };
        let Some(place) = store::oauth_token::place(&self.db, &hash).await? else { return Ok(()) };
        let mut tx = self.db.begin().await?;
        store::oauth_grant::lock(&mut tx, &place).await?;
        let Some(given) = store::oauth_token::find(&mut tx, &hash).await? else { return Ok(()) };
        let holder = &given.holder;
        if holder.client != client.id || holder.mount != profile.mount || given.is_revoked {
            return Ok(());
        }
        let now = self.ambient.now();
        if given.is_refresh {
            store::oauth_token::revoke_family(&mut tx, place.workspace, given.family, now).await?;
        } else {
            store::oauth_token::revoke(&mut tx, place.workspace, &hash, now).await?;
        }
        tx.wake(TOKENS);
        let who = Who {
            account: holder.account,
            installation: Some(place.installation),
            client: &client.client_id,
        };
        self.audit.open(visit.opening(&profile.mount, "oauth revoke", who, json!({}))).commit(tx).await?;
        Ok(())
    }
}
