//! Word, Excel and PowerPoint until 2003.
#![no_main]

use libfuzzer_sys::fuzz_target;
use stoa_documents::Format;
use stoa_fuzz::attempt;

fuzz_target!(|input: &[u8]| attempt(input, Some(Format::Doc), 0));
