//! From the bytes of a document to its text: PDF, Office, OpenDocument, EPUB, mail, RTF, and the names in
//! archives.
//!
//! [`read()`] is pure: bytes and a hint in, a [`Reading`] out. The parsers behind it are many, and strangers'
//! bytes find what their authors did not think of. So a server reads in a child process that can be killed:
//! [`worker`] is that child's side, [`Pool`] the parent's, and [`wire`] what they say to each other.
//! Whoever needs texts holds a [`Documents`] and does not see the difference.

mod archive;
pub mod decode;
mod epub;
mod format;
pub mod html;
mod mail;
#[cfg(feature = "office")]
mod office;
mod ooxml;
mod opendocument;
mod package;
#[cfg(feature = "pdf")]
mod pdf;
mod pool;
mod read;
mod reading;
mod rtf;
mod text;
pub mod wire;
pub mod worker;
mod xml;

use std::fmt::Debug;

use futures::future::BoxFuture;

pub use format::{Format, may_read};
pub use pool::{Pool, Program};
pub use read::{Engine, read};
pub use reading::{Document, Problem, Reading};
pub use text::TEXT_BYTES;

/// The most bytes that a document may have: 64 MiB.
pub const INPUT_BYTES: usize = 64 * 1024 * 1024;

/// Whoever reads documents.
pub trait Documents: Debug + Send + Sync {
    /// Reads a document. `hint` is what its name says, for formats that don't tell themselves. Dropping the
    /// future ends the work on it.
    fn read(&self, bytes: Vec<u8>, hint: Option<Format>) -> BoxFuture<'_, Reading>;
}
