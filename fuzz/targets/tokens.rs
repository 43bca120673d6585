//! The tokenizer and what stands on it, chief words, index units and snippets: a query, which is the title too, in the
//! first line, the text after it.
#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use stoa_base::text::visible;
use things::model::Query;
use things::text::chief::{CHIEF_WORDS, chief_words};
use things::text::snippet::{SNIPPET_CHARS, snippet};
use things::text::tokens::{TOKEN_CHARS, each_token_at, tokens};
use things::text::units::{UNIT_BYTES, UNIT_TOKENS, cut};

fuzz_target!(|input: &str| {
    let (query, text) = input.split_once('\n').unwrap_or(("", input));
    let _ = each_token_at(text, |at, token| {
        assert!(text.is_char_boundary(at), "a token begins inside of a character");
        assert!((1..=TOKEN_CHARS).contains(&token.chars().count()), "{token:?}");
        assert_eq!(tokens(token), [token], "a token cut again is itself");
        ControlFlow::Continue(())
    });
    assert!(chief_words(query, text).len() <= CHIEF_WORDS);
    for unit in cut(text).units {
        assert!(unit.len() <= UNIT_BYTES && unit.split(' ').count() <= UNIT_TOKENS);
    }
    let line = snippet(text, query.parse::<Query>().ok().as_ref());
    assert!(line.chars().count() <= SNIPPET_CHARS);
    assert!(!line.contains('\n'));
    assert_eq!(visible(&line), line);
});
