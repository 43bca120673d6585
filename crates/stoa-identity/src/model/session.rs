//! A browser in which a person is signed in.

use std::str::FromStr;
use std::time::Duration;

use serde::Serialize;
use stoa_base::{AccountId, Id, Timestamp};

use crate::{Door, Email, SecretToken};

/// Marks the ids of sessions.
#[derive(Debug)]
pub enum Session {}

/// The id of a session. It opens nothing: it may be shown and logged.
pub type SessionId = Id<Session>;

/// How a person proved who they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AuthenticatedBy {
    /// With a password.
    Password,
    /// With a passkey, which is two factors by itself.
    Passkey,
    /// At an OpenID provider.
    Oidc,
    /// With a link that is good once: set-up, reset or invitation.
    Setup,
}

/// What came on top of a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SecondStep {
    /// A code of an authenticator app.
    Totp,
    /// A recovery code.
    RecoveryCode,
}

/// The stored word is of no kind that this version knows.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("unknown word")]
pub struct UnknownWord;

impl AuthenticatedBy {
    /// The word that is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Passkey => "passkey",
            Self::Oidc => "oidc",
            Self::Setup => "setup",
        }
    }
}

impl FromStr for AuthenticatedBy {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let all = [Self::Password, Self::Passkey, Self::Oidc, Self::Setup];
        all.into_iter().find(|it| it.as_str() == text).ok_or(UnknownWord)
    }
}

impl SecondStep {
    /// The word that is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Totp => "totp",
            Self::RecoveryCode => "recovery_code",
        }
    }
}

impl FromStr for SecondStep {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        [Self::Totp, Self::RecoveryCode].into_iter().find(|it| it.as_str() == text).ok_or(UnknownWord)
    }
}

/// A person who is signed in, as of a moment ago. Made only by [`crate::sessions::current`], from a cookie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SignedIn {
    /// The session.
    pub session: SessionId,
    /// The person.
    pub account: AccountId,
    /// The person's address.
    pub email: Email,
    /// How they signed in.
    pub authenticated_by: AuthenticatedBy,
    /// What came on top of that.
    pub second_step: Option<SecondStep>,
    /// When the session began.
    pub since: Timestamp,
    /// When they proved who they are: with the session's beginning, or before to a provider. `None`: nobody knows.
    pub proven_at: Option<Timestamp>,
}

/// How long a sign-in is good for changing how one signs in.
const FRESH: Duration = Duration::from_mins(15);

/// The sign-in was too long ago for what was asked: whoever found the browser open must not be able to stay.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
#[error("you signed in too long ago for this: sign in again")]
pub struct NotFresh;

impl SignedIn {
    /// Whether the person proved within the last 15 minutes who they are.
    #[must_use]
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        self.proven_at.is_some_and(|proven| now.since(proven) <= FRESH)
    }

    pub(crate) fn must_be_fresh(&self, door: &Door) -> Result<(), NotFresh> {
        if self.is_fresh(door.ambient.now()) { Ok(()) } else { Err(NotFresh) }
    }
}

/// A session, as its person sees it in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SessionRecord {
    /// Its id.
    pub id: SessionId,
    /// How it began.
    pub authenticated_by: AuthenticatedBy,
    /// What came on top of that.
    pub second_step: Option<SecondStep>,
    /// What the browser called itself.
    pub user_agent: String,
    /// From which address it began.
    pub address: String,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_seen_at: Timestamp,
    /// When it ends at the latest.
    pub expires_at: Timestamp,
}

/// A session that was just begun.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// Its id.
    pub id: SessionId,
    /// The person.
    pub account: AccountId,
    /// What the cookie holds; it can't be had again.
    pub secret: SecretToken,
    /// Whether it waits for the second factor and is good for nothing else until then.
    pub needs_second_factor: bool,
    /// When it ends at the latest, and so the cookie's.
    pub expires_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_back() {
        for by in ["password", "passkey", "oidc", "setup"] {
            assert_eq!(by.parse::<AuthenticatedBy>().unwrap().as_str(), by);
        }
        for step in ["totp", "recovery_code"] {
            assert_eq!(step.parse::<SecondStep>().unwrap().as_str(), step);
        }
        assert_eq!("magic".parse::<AuthenticatedBy>(), Err(UnknownWord));
    }
}
