//! What a sync does with a file of ours: the name in the first line, the bytes after it. The bytes are also read
//! as each kind of text, whatever they are.
#![no_main]

use libfuzzer_sys::fuzz_target;
use stoa_documents::decode::{decode, decode_html};
use things::model::Kind;
use things::text::extract::{TEXT_BYTES, extract};
use things::text::sniff::sniff;

fuzz_target!(|input: &[u8]| {
    let end = input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len());
    let name = String::from_utf8_lossy(&input[..end]);
    let bytes = &input[(end + 1).min(input.len())..];
    let sniffed = sniff(&name, bytes);
    take(sniffed.kind, &sniffed.mime, bytes);
    for (kind, mime) in [
        (Kind::Web, "text/html"),
        (Kind::Document, "text/markdown"),
        (Kind::Document, "text/plain"),
        (Kind::Code, "text/x-rust"),
    ] {
        take(kind, mime, bytes);
    }
    assert!(!decode(bytes).text.contains('\0'));
    assert!(!decode_html(bytes).text.contains('\0'));
});

fn take(kind: Kind, mime: &str, bytes: &[u8]) {
    if let Ok(Some(extracted)) = extract(kind, mime, bytes) {
        assert!(extracted.text.len() <= TEXT_BYTES && !extracted.text.contains('\0'));
    }
}
