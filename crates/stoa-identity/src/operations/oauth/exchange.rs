//! A code becomes tokens (RFC 6749 section 4.1.3, OAuth 2.1).

use serde_json::json;
use stoa_base::Timestamp;
use stoa_store::Tx;
use stoa_store::audit::Status;

use super::OAuth;
use super::issue::Pair;
use super::token::{Asking, TokenError};
use crate::model::oauth::answer::TokenAnswer;
use crate::model::oauth::error::ErrorCode;
use crate::model::oauth::pkce;
use crate::model::oauth::request::Who;
use crate::store::oauth_code::Code;
use crate::{SecretKind, SecretToken, TOKENS, TokenHash, store};

/// What is shown beside the code.
struct Shown<'a> {
    verifier: &'a str,
    redirect_uri: Option<&'a str>,
}

impl OAuth {
    /// Everything that may be wrong with a code ends in the one refusal at the end, by one way.
    pub(super) async fn exchange(&self, asking: &Asking<'_>) -> Result<TokenAnswer, TokenError> {
        let hash = TokenHash::of(SecretKind::Code, asking.needed("code")?);
        let shown = Shown {
            verifier: asking.needed("code_verifier")?,
            redirect_uri: asking.parameters.one("redirect_uri")?,
        };
        let place = match &hash {
            Some(hash) => store::oauth_code::place(&self.db, hash).await?,
            None => None,
        };
        if let (Some(hash), Some(place)) = (hash, place) {
            let mut tx = self.db.begin().await?;
            store::oauth_grant::lock(&mut tx, &place).await?;
            if let Some(code) = store::oauth_code::find(&mut tx, &hash).await? {
                return self.judge(tx, asking, &hash, &code, &shown).await;
            }
        }
        Err(TokenError::InvalidGrant)
    }

    async fn judge(
        &self,
        tx: Tx,
        asking: &Asking<'_>,
        hash: &TokenHash,
        code: &Code,
        shown: &Shown<'_>,
    ) -> Result<TokenAnswer, TokenError> {
        let now = self.ambient.now();
        if code.is_used {
            return self.replayed(tx, asking, code, now).await;
        }
        if !is_good(code, asking, shown, now) {
            return Err(TokenError::InvalidGrant);
        }
        self.redeem(tx, asking, hash, code, now).await
    }

    async fn redeem(
        &self,
        mut tx: Tx,
        asking: &Asking<'_>,
        hash: &TokenHash,
        code: &Code,
        now: Timestamp,
    ) -> Result<TokenAnswer, TokenError> {
        if !store::oauth_code::mark_used(&mut tx, hash, now).await? {
            return Err(TokenError::InvalidGrant);
        }
        let scopes = code.scopes.and(&code.holder.granted);
        let pair = Pair {
            access: SecretToken::new(SecretKind::Access, &self.ambient),
            refresh: SecretToken::new(SecretKind::Refresh, &self.ambient),
            place: code.holder.place,
            family: code.family,
            scopes: &scopes,
        };
        let answer = self.issue(&mut tx, pair, asking.profile.lifetimes, now).await?;
        let opening = asking.visit.opening(&asking.profile.mount, "oauth token", who(code), json!({}));
        self.audit.open(opening).commit(tx).await?;
        Ok(answer)
    }

    /// Somebody has the code who should not: what the first gave is revoked, since nobody can say which of the two
    /// was its client (RFC 6749 section 4.1.2).
    async fn replayed(
        &self,
        mut tx: Tx,
        asking: &Asking<'_>,
        code: &Code,
        now: Timestamp,
    ) -> Result<TokenAnswer, TokenError> {
        let workspace = code.holder.place.workspace;
        store::oauth_token::revoke_family(&mut tx, workspace, code.family, now).await?;
        tx.wake(TOKENS);
        let why = json!({ "why": "the code was used a second time; what it gave is revoked" });
        let opening = asking.visit.opening(&code.holder.mount, "oauth token", who(code), why);
        let refusal = ErrorCode::InvalidGrant.as_str();
        self.audit.open(opening).commit_as(tx, Status::Denied, Some(refusal)).await?;
        Err(TokenError::InvalidGrant)
    }
}

/// Every condition is looked at, whichever fails. A `redirect_uri` may be left out (OAuth 2.1): the verifier proves
/// more.
fn is_good(code: &Code, asking: &Asking<'_>, shown: &Shown<'_>, now: Timestamp) -> bool {
    let conditions = [
        code.holder.is_good,
        code.holder.client == asking.client.id,
        code.holder.mount == asking.profile.mount,
        code.expires_at > now,
        shown.redirect_uri.is_none_or(|shown| shown == code.redirect_uri),
        pkce::verifies(&code.challenge, shown.verifier),
    ];
    conditions.into_iter().fold(true, |all, one| all & one)
}

fn who(code: &Code) -> Who<'_> {
    let holder = &code.holder;
    Who { account: holder.account, installation: Some(holder.place.installation), client: &holder.client_id }
}
