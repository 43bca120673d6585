//! What a person is in a workspace.

use std::str::FromStr;

use serde::Serialize;

/// A person's role in a workspace; a later one may do all that an earlier one may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Uses what is there.
    Member,
    /// Also connects, exports and makes rules.
    Admin,
    /// Also decides who belongs to the workspace.
    Owner,
}

impl Role {
    /// The word that is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Admin => "admin",
            Self::Owner => "owner",
        }
    }
}

/// The text names no role.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("expected owner, admin or member")]
pub struct NotARole;

impl FromStr for Role {
    type Err = NotARole;

    fn from_str(text: &str) -> Result<Self, NotARole> {
        match text {
            "member" => Ok(Self::Member),
            "admin" => Ok(Self::Admin),
            "owner" => Ok(Self::Owner),
            _ => Err(NotARole),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_rise_from_member_to_owner_and_read_back() {
        assert!(Role::Member < Role::Admin && Role::Admin < Role::Owner);
        for role in [Role::Member, Role::Admin, Role::Owner] {
            assert_eq!(role.as_str().parse(), Ok(role));
        }
        assert_eq!("Owner".parse::<Role>(), Err(NotARole));
    }
}
