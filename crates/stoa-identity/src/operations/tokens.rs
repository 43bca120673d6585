//! Personal tokens: what a person gives a client by hand.

mod add;
mod find;
mod list;
mod revoke;

pub use add::{AddTokenError, AddedToken, NewToken, add};
pub use find::find;
pub use list::list;
pub use revoke::revoke;
