//! A refresh token becomes its successors (RFC 6749 section 6, OAuth 2.1 section 4.3).
//!
//! A refresh token is exchanged once. What comes then is not always a thief:
//!
//! 1. The answer was lost, or two processes share one stored token and both refreshed. They come within seconds,
//!    and are given the **same** pair again: the successors are derived from the old token, so that any node can
//!    say them, though none has them written down. Whoever already has them gains nothing.
//! 2. Later than the grace, two parties hold what one should. Nobody can say which is the client, so all tokens of
//!    this client for this person at this mount are revoked, and the person connects again.

use serde_json::json;
use stoa_base::Timestamp;
use stoa_store::audit::Status;
use stoa_store::{StoreError, Tx};

use super::OAuth;
use super::issue::Pair;
use super::token::{Asking, TokenError};
use crate::model::oauth::answer::TokenAnswer;
use crate::model::oauth::error::ErrorCode;
use crate::model::oauth::request::Who;
use crate::store::oauth_token::Given;
use crate::{Scopes, SecretKind, TOKENS, TokenHash, store};

/// A refresh token, as it was shown.
struct Shown<'a> {
    text: &'a str,
    hash: TokenHash,
    /// What the new tokens should be able to do; `None`: as before.
    scopes: Option<Scopes>,
}

impl OAuth {
    /// Everything that may be wrong with a refresh token ends in the one refusal at the end, by one way.
    pub(super) async fn refresh(&self, asking: &Asking<'_>) -> Result<TokenAnswer, TokenError> {
        let text = asking.needed("refresh_token")?;
        let scopes = asking.parameters.one("scope")?.map(narrowed);
        let hash = TokenHash::of(SecretKind::Refresh, text);
        let place = match &hash {
            Some(hash) => store::oauth_token::place(&self.db, hash).await?,
            None => None,
        };
        if let (Some(hash), Some(place)) = (hash, place) {
            let mut tx = self.db.begin().await?;
            store::oauth_grant::lock(&mut tx, &place).await?;
            if let Some(given) = store::oauth_token::find(&mut tx, &hash).await? {
                return self.judge_refresh(tx, asking, &given, &Shown { text, hash, scopes }).await;
            }
        }
        Err(TokenError::InvalidGrant)
    }

    async fn judge_refresh(
        &self,
        tx: Tx,
        asking: &Asking<'_>,
        given: &Given,
        shown: &Shown<'_>,
    ) -> Result<TokenAnswer, TokenError> {
        let now = self.ambient.now();
        if !is_good(given, asking, now) {
            return Err(TokenError::InvalidGrant);
        }
        match given.used_at {
            None => self.rotate(tx, asking, given, shown, now).await,
            Some(used_at) if now.since(used_at) < self.settings.refresh_grace => {
                self.repeat(tx, given, shown, now).await
            }
            Some(_) => self.stolen(tx, asking, given, now).await,
        }
    }

    async fn rotate(
        &self,
        mut tx: Tx,
        asking: &Asking<'_>,
        given: &Given,
        shown: &Shown<'_>,
        now: Timestamp,
    ) -> Result<TokenAnswer, TokenError> {
        let before = given.scopes.and(&given.holder.granted);
        let scopes = match &shown.scopes {
            Some(asked) => asked.and(&asking.profile.scopes),
            None => before.clone(),
        };
        if !scopes.is_subset(&before) {
            return Err(TokenError::InvalidScope);
        }
        // Words that mean nothing here narrow nothing.
        let scopes = if scopes.is_empty() { before } else { scopes };
        let (access, refresh) = self.derivation.successors(shown.text);
        let pair = Pair { access, refresh, place: given.holder.place, family: given.family, scopes: &scopes };
        store::oauth_token::mark_used(&mut tx, &shown.hash, now).await?;
        let answer = self.issue(&mut tx, pair, asking.profile.lifetimes, now).await?;
        let opening = asking.visit.opening(&asking.profile.mount, "oauth refresh", who(given), json!({}));
        self.audit.open(opening).commit(tx).await?;
        Ok(answer)
    }

    /// The pair that the first use gave, as it is now.
    async fn repeat(
        &self,
        mut tx: Tx,
        given: &Given,
        shown: &Shown<'_>,
        now: Timestamp,
    ) -> Result<TokenAnswer, TokenError> {
        let (access_token, refresh_token) = self.derivation.successors(shown.text);
        let access = store::oauth_token::find(&mut tx, &access_token.hash()).await?;
        let refresh = store::oauth_token::find(&mut tx, &refresh_token.hash()).await?;
        let (Some(access), Some(refresh)) = (access, refresh) else { return Err(TokenError::InvalidGrant) };
        if access.is_revoked || refresh.is_revoked {
            return Err(TokenError::InvalidGrant);
        }
        let expires_in = access.expires_at.since(now);
        let scope = access.scopes.and(&given.holder.granted);
        Ok(TokenAnswer { access_token, refresh_token, expires_in, scope })
    }

    async fn stolen(
        &self,
        mut tx: Tx,
        asking: &Asking<'_>,
        given: &Given,
        now: Timestamp,
    ) -> Result<TokenAnswer, TokenError> {
        self.revoke_all(&mut tx, given, now).await?;
        let why =
            json!({ "why": "the refresh token was used a second time; the client's tokens are revoked" });
        let opening = asking.visit.opening(&asking.profile.mount, "oauth refresh", who(given), why);
        let refusal = ErrorCode::InvalidGrant.as_str();
        self.audit.open(opening).commit_as(tx, Status::Denied, Some(refusal)).await?;
        Err(TokenError::InvalidGrant)
    }

    async fn revoke_all(&self, tx: &mut Tx, given: &Given, now: Timestamp) -> Result<(), StoreError> {
        store::oauth_token::revoke_client(tx, &given.holder.place, now).await?;
        store::oauth_code::spoil(tx, &given.holder.place, now).await?;
        tx.wake(TOKENS);
        Ok(())
    }
}

/// What of the scopes is asked for; those of OpenID Connect are passed over everywhere.
fn narrowed(text: &str) -> Scopes {
    text.split_ascii_whitespace().collect()
}

/// Every condition is looked at, whichever fails.
fn is_good(given: &Given, asking: &Asking<'_>, now: Timestamp) -> bool {
    let conditions = [
        given.is_refresh,
        !given.is_revoked,
        given.expires_at > now,
        given.holder.is_good,
        given.holder.client == asking.client.id,
        given.holder.mount == asking.profile.mount,
    ];
    conditions.into_iter().fold(true, |all, one| all & one)
}

fn who(given: &Given) -> Who<'_> {
    let holder = &given.holder;
    Who { account: holder.account, installation: Some(holder.place.installation), client: &holder.client_id }
}
