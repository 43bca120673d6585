//! Archives that are not compressed as a whole: ZIP and tar.
#![no_main]

use libfuzzer_sys::fuzz_target;
use stoa_documents::Format;
use stoa_fuzz::attempt;

fuzz_target!(|input: &[u8]| attempt(input, Some(Format::Tar), 0));
