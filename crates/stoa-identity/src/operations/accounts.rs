//! People.

mod add;
mod any;
mod by_email;
mod disable;
mod enable;

pub use add::{AddAccountError, NewAccount, add};
pub use any::any;
pub use by_email::by_email;
pub use disable::disable;
pub use enable::enable;
