//! Authorizations of clients.

mod list;
mod note_client;

pub use list::list;
pub use note_client::note_client;
