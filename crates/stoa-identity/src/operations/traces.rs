//! What the server saw of clients.

mod list;
mod record;

pub use list::list;
pub use record::record;
