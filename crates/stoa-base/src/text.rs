//! Text that comes from outside: speech, screens, files, mail, models, other agents.
//!
//! Such text is never given out raw. Structured results carry it as it is; wherever a person or a model
//! reads it between our own words, it goes through one of these first, so that it can't pass for them:
//!
//! | it goes into | use |
//! |---|---|
//! | plain text | [`visible`] |
//! | HTML, as text or in a quoted attribute | [`escape_html`] |
//! | Markdown, among other words | [`escape_markdown`] |
//! | Markdown, in a heading or a table's cell | [`one_line`], then [`escape_markdown`] |
//! | Markdown, as a block of its own (a file, a log) | [`fence()`] |
//! | a link | [`safe_link`], [`markdown_link`] |
//!
//! Each of them makes the text [`visible`] by itself. Clip ([`clip()`], [`clip_bytes`]) before escaping: a cut
//! through escaped text may leave half an escape.

pub mod clip;
pub mod fence;
pub mod html;
pub mod invisible;
pub mod markdown;
pub mod url;

#[cfg(test)]
mod hostile;

pub use clip::{clip, clip_bytes, one_line};
pub use fence::fence;
pub use html::escape_html;
pub use invisible::visible;
pub use markdown::escape_markdown;
pub use url::{markdown_link, safe_link};
