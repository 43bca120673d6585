//! Compressed archives: gzip, bzip2, xz and Zstandard, told by their first bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use stoa_fuzz::attempt;

fuzz_target!(|input: &[u8]| attempt(input, None, 0));
