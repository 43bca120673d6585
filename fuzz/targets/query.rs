//! The query language: any text is a query or is refused, and a query reads the same when it was written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use things::model::Query;
use things::model::query::{ATOM_TOKENS, QUERY_ATOMS, QUERY_CHARS};

fuzz_target!(|text: &str| {
    let Ok(query) = text.parse::<Query>() else { return };
    let atoms = || query.required.iter().chain(&query.excluded);
    assert!((1..=QUERY_ATOMS).contains(&atoms().count()));
    assert!(atoms().all(|atom| (1..=ATOM_TOKENS).contains(&atom.tokens.len())));
    let written = query.to_string();
    // Folding may lengthen a query beyond what is taken.
    if written.chars().count() <= QUERY_CHARS {
        assert_eq!(written.parse(), Ok(query));
    }
});
