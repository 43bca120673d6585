//! What attackers try, over HTTP, one test each; what is wrong with a code, a redirect or a click stands in the
//! module above.

mod consent;
mod documents;
mod hosts;
mod refusals;
mod sign_in;
mod tokens;
