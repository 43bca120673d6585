//! Which resources a caller may see, in the form the queries take.

use sqlx::types::Uuid;
use stoa_base::Id;

use super::{Resource, ResourceId};

/// The resources a question may look into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach(Option<String>);

impl Reach {
    /// Every resource of the workspace.
    #[must_use]
    pub const fn everything() -> Self {
        Self(None)
    }

    /// These resources only; none of them is nothing at all.
    #[must_use]
    pub fn only(resources: impl IntoIterator<Item = ResourceId>) -> Self {
        let ids: Vec<String> =
            resources.into_iter().map(|id: Id<Resource>| id.uuid().simple().to_string()).collect();
        Self(Some(serde_json::json!(ids).to_string()))
    }

    /// The ids that it is limited to; `None` for everything.
    #[must_use]
    pub fn limits(&self) -> Option<Vec<ResourceId>> {
        let list: Vec<Uuid> = serde_json::from_str(self.0.as_ref()?).unwrap_or_default();
        Some(list.into_iter().map(ResourceId::from_uuid).collect())
    }

    /// A JSON list of ids in hexadecimal without hyphens, or `None` for everything.
    #[must_use]
    pub fn as_json(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

impl From<&stoa_identity::Reach> for Reach {
    fn from(reach: &stoa_identity::Reach) -> Self {
        match reach {
            stoa_identity::Reach::Everything => Self::everything(),
            stoa_identity::Reach::Only(ids) => Self::only(ids.iter().map(|id| ResourceId::from_uuid(*id))),
        }
    }
}
