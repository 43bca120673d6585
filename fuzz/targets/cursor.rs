//! Cursors: no text but one that we sealed opens, and it opens only in its own context.
#![no_main]

use libfuzzer_sys::fuzz_target;
use stoa_base::cursor::{CursorKey, MAX_CURSOR};

fuzz_target!(|input: (&str, &str, i64)| {
    let (context, text, rank) = input;
    let key = CursorKey::new([7; 32]);
    assert!(key.open::<serde_json::Value>(context, text).is_err(), "a forged cursor");
    let place = (rank, text.to_owned());
    let cursor = key.seal(context, &place);
    if cursor.len() <= MAX_CURSOR {
        assert_eq!(key.open(context, &cursor), Ok(place));
        assert!(key.open::<(i64, String)>(&format!("{context}x"), &cursor).is_err());
    }
    let mut changed = cursor.into_bytes();
    let at = text.len() % changed.len();
    changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
    let changed = String::from_utf8(changed).expect("base64url is ASCII");
    assert!(key.open::<(i64, String)>(context, &changed).is_err(), "a changed cursor");
});
