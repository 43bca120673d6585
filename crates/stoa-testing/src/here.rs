//! Reading documents without a worker.

use futures::FutureExt;
use futures::future::BoxFuture;
use stoa_documents::{Documents, Format, Reading};

/// Reads documents in the test's own process: for tests of what lies above, whose documents are harmless.
#[derive(Clone, Copy, Debug)]
pub struct Here;

impl Documents for Here {
    fn read(&self, bytes: Vec<u8>, hint: Option<Format>) -> BoxFuture<'_, Reading> {
        async move { stoa_documents::read(&bytes, hint, 0) }.boxed()
    }
}
