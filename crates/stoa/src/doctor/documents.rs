//! The worker that reads documents.

use stoa_base::Ambient;
use stoa_documents::{Document, Documents, Problem, worker};

use super::{Finding, State};
use crate::documents;

/// A document that any worker can read.
const LETTER: &[u8] = br"{\rtf1 It works.}";

/// Whether a worker can be started, and reads.
pub async fn look(ambient: &Ambient) -> Finding {
    let reading = documents::pool(ambient.clone()).read(LETTER.to_vec(), None).await;
    let (state, found) = match reading.outcome {
        Ok(Document { text, .. }) if text == "It works." => {
            let (memory, cpu) = (indicatif::BinaryBytes(worker::MEMORY), worker::CPU);
            (State::Ok, format!("reads, in at most {memory} and {cpu} s of CPU a document"))
        }
        Ok(_) | Err(Problem::Unsupported) => (State::Warning, "reads something else".to_owned()),
        Err(Problem::Failed(problem) | Problem::Unavailable(problem)) => (State::Warning, problem),
    };
    Finding { part: "worker", state, found, purpose: "text of PDF, Office, EPUB, mails, archives" }
}
