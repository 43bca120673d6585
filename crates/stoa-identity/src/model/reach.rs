//! How far a grant goes.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Which resources (rooms, projects) a grant reaches. What lies outside does not exist for the caller.
///
/// In JSON: `null` for everything, else the array of ids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Option<BTreeSet<Uuid>>", into = "Option<BTreeSet<Uuid>>")]
pub enum Reach {
    /// All that the person may reach, also what is added later.
    Everything,
    /// These only.
    Only(BTreeSet<Uuid>),
}

impl Reach {
    /// Whether what has this id is within reach.
    #[must_use]
    pub fn includes(&self, id: Uuid) -> bool {
        match self {
            Self::Everything => true,
            Self::Only(ids) => ids.contains(&id),
        }
    }
}

impl From<Option<BTreeSet<Uuid>>> for Reach {
    fn from(ids: Option<BTreeSet<Uuid>>) -> Self {
        ids.map_or(Self::Everything, Self::Only)
    }
}

impl From<Reach> for Option<BTreeSet<Uuid>> {
    fn from(reach: Reach) -> Self {
        match reach {
            Reach::Everything => None,
            Reach::Only(ids) => Some(ids),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_reach_includes_nothing_and_everything_includes_all() {
        let id = Uuid::from_u128(7);
        assert!(Reach::Everything.includes(id));
        assert!(Reach::Only(BTreeSet::from([id])).includes(id));
        assert!(!Reach::Only(BTreeSet::new()).includes(id));
    }

    #[test]
    fn json_tells_everything_from_nothing() {
        assert_eq!(serde_json::to_string(&Reach::Everything).unwrap(), "null");
        assert_eq!(serde_json::to_string(&Reach::Only(BTreeSet::new())).unwrap(), "[]");
        assert_eq!(serde_json::from_str::<Reach>("null").unwrap(), Reach::Everything);
    }
}
