//! OpenDocument, as a list of parts.
#![no_main]

use libfuzzer_sys::fuzz_target;
use stoa_documents::Format;
use stoa_fuzz::{attempt, packed};

fuzz_target!(|input: &[u8]| attempt(&packed(input), Some(Format::Odt), 0));
