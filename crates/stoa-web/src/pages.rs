//! The house's own pages, one file a page.

pub(crate) mod agents;
pub(crate) mod diagnosis;
pub(crate) mod home;
pub(crate) mod language;
pub(crate) mod reset;
pub(crate) mod setup;
pub(crate) mod sign_in;
pub(crate) mod sign_out;
pub(crate) mod trouble;
