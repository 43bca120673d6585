//! Authorizations of clients.

mod end;
mod list;
mod note_client;
mod of_account;
mod rename;

pub use end::end;
pub use list::list;
pub use note_client::note_client;
pub use of_account::of_account;
pub use rename::rename;
