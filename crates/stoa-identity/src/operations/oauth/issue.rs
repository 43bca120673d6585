//! A pair of tokens.

use stoa_base::Timestamp;
use stoa_store::{StoreError, Tx};
use uuid::Uuid;

use super::OAuth;
use crate::model::oauth::answer::TokenAnswer;
use crate::model::oauth::profile::Lifetimes;
use crate::store::oauth_token::NewToken;
use crate::{Scopes, SecretKind, SecretToken, TokenId, TokenPlace, store};

/// What a pair is of.
pub(super) struct Pair<'a> {
    /// The texts.
    pub access: SecretToken,
    /// The texts.
    pub refresh: SecretToken,
    /// The installation.
    pub place: TokenPlace,
    /// What came of one code.
    pub family: Uuid,
    /// What both may do.
    pub scopes: &'a Scopes,
}

impl OAuth {
    /// Writes the pair down and gives it.
    pub(super) async fn issue(
        &self,
        tx: &mut Tx,
        pair: Pair<'_>,
        lifetimes: Lifetimes,
        now: Timestamp,
    ) -> Result<TokenAnswer, StoreError> {
        let kinds = [
            (SecretKind::Access, &pair.access, lifetimes.access),
            (SecretKind::Refresh, &pair.refresh, lifetimes.refresh),
        ];
        for (kind, text, length) in kinds {
            let new = NewToken {
                id: TokenId::new(&self.ambient),
                place: pair.place,
                hash: text.hash(),
                kind,
                family: pair.family,
                scopes: pair.scopes,
                created_at: now,
                expires_at: now.plus(length),
            };
            store::oauth_token::insert(tx, &new).await?;
        }
        Ok(TokenAnswer {
            access_token: pair.access,
            refresh_token: pair.refresh,
            expires_in: lifetimes.access,
            scope: pair.scopes.clone(),
        })
    }
}
