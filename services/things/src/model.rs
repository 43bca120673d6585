//! Plain types: what a thing is, and how things are chosen. Nothing here knows of a database or of MCP.

pub mod folder;
pub mod kind;
pub mod query;
pub mod reach;
pub mod selector;
pub mod title;

use stoa_base::Id;

pub use folder::{Folder, FolderError};
pub use kind::{Kind, UnknownKind};
pub use query::{Atom, Query, QueryError};
pub use reach::Reach;
pub use selector::{Selector, SelectorArguments, SelectorError};

/// Marks ids of things: one content each.
pub enum Thing {}

/// Marks ids of resources: the places where things live.
pub enum Resource {}

/// Marks ids of references: where a copy of a thing lies.
pub enum Reference {}

/// The id of a thing.
pub type ThingId = Id<Thing>;

/// The id of a resource.
pub type ResourceId = Id<Resource>;

/// The id of a reference.
pub type ReferenceId = Id<Reference>;
