//! The line of a text that a search shows.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use stoa_base::text::clip::{clip, one_line};

use super::tokens::each_token_at;
use crate::model::query::{ATOM_TOKENS, Atom, Query};

/// The longest snippet, in characters.
pub const SNIPPET_CHARS: usize = 240;

/// How many characters stand before what was found.
const LEAD_CHARS: usize = 60;

/// How much of the text is folded into a snippet, in characters: there may be much white space in it.
const WINDOW_CHARS: usize = 1_000;

/// One line of visible text, at most [`SNIPPET_CHARS`] characters, around the first place where
/// something the query requires is found, else from the beginning. `…` marks what is left out.
/// Linear in the text up to that place.
#[must_use]
pub fn snippet(text: &str, query: Option<&Query>) -> String {
    let found = query.and_then(|query| first_match(text, &query.required)).unwrap_or(0);
    let start = start_of(text, found);
    let (window, _) = clip(&text[start..], WINDOW_CHARS);
    if text[..start].trim().is_empty() {
        return one_line(window, SNIPPET_CHARS);
    }
    format!("…{}", one_line(window, SNIPPET_CHARS - 1))
}

/// Whether a snippet of the text would show a match: something the query requires is found in it. A query
/// that requires nothing is met by any text.
#[must_use]
pub fn matches(text: &str, query: &Query) -> bool {
    query.required.is_empty() || first_match(text, &query.required).is_some()
}

/// A little before `found`, at the beginning of a word if there is one.
fn start_of(text: &str, found: usize) -> usize {
    let mut before = text[..found].char_indices().rev().take(LEAD_CHARS);
    let Some((start, _)) = before.by_ref().last() else {
        return found;
    };
    if start == 0 {
        return 0;
    }
    let lead = &text[start..found];
    lead.find(char::is_whitespace).map_or(start, |space| start + space)
}

/// The byte where the first match of any of the atoms begins.
fn first_match(text: &str, atoms: &[Atom]) -> Option<usize> {
    let mut recent = Recent::default();
    let mut found = None;
    let _ = each_token_at(text, |at, token| {
        recent.push(at, token);
        found = atoms.iter().find_map(|atom| recent.ends_with(atom));
        if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found
}

/// The last [`ATOM_TOKENS`] tokens and where they began.
#[derive(Default)]
struct Recent(VecDeque<(usize, String)>);

impl Recent {
    fn push(&mut self, at: usize, token: &str) {
        let mut text = match self.0.len() {
            ATOM_TOKENS => self.0.pop_front().map(|(_, text)| text).unwrap_or_default(),
            _ => String::new(),
        };
        text.clear();
        text.push_str(token);
        self.0.push_back((at, text));
    }

    /// Where the atom begins, if it is what the latest tokens say.
    fn ends_with(&self, atom: &Atom) -> Option<usize> {
        let (last, before) = atom.tokens.split_last()?;
        let mut latest = self.0.iter().rev();
        let (at, token) = latest.next()?;
        let same = if atom.prefix { token.starts_with(last) } else { token == last };
        if !same {
            return None;
        }
        before
            .iter()
            .rev()
            .try_fold(*at, |_, wanted| latest.next().filter(|(_, token)| token == wanted).map(|(at, _)| *at))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn around(text: &str, query: &str) -> String {
        snippet(text, Some(&query.parse().unwrap()))
    }

    #[test]
    fn without_a_match_the_beginning_is_shown() {
        assert_eq!(snippet("  Hello,\n\n  World ", None), "Hello, World");
        assert_eq!(around("Hello, World", "absent"), "Hello, World");
        assert_eq!(around("Hello, World", "-absent"), "Hello, World");
        assert_eq!(snippet("", None), "");
    }

    #[test]
    fn the_place_of_the_match_is_shown_in_words() {
        let text =
            format!("{}The rënt is due on Monday. {}", "lorem ipsum ".repeat(500), "dolor ".repeat(500));
        let shown = around(&text, "absent rent");
        assert!(shown.starts_with("…") && shown.ends_with('…'), "{shown}");
        assert!(shown.contains(" lorem ipsum The rënt is due"), "{shown}");
        assert!(shown.chars().count() <= SNIPPET_CHARS);
        assert!(around(&text, "\"on mon\"*").contains("due on Monday"));
        assert!(!around(&text, "\"on mon\"").contains("Monday"));
    }

    #[test]
    fn a_text_matches_if_it_has_anything_required() {
        let matches = |query: &str| matches("The rënt is due", &query.parse().unwrap());
        assert!(matches("rent absent") && matches("\"is due\"") && matches("-rent"));
        assert!(!matches("absent") && !matches("\"due is\""));
    }

    #[test]
    fn texts_without_spaces_are_shown_too() {
        let text = format!("{}東京都{}", "あ".repeat(1_000), "い".repeat(1_000));
        let shown = around(&text, "東京都");
        assert_eq!(shown.chars().position(|c| c == '東'), Some(LEAD_CHARS + 1));
        assert_eq!(shown.chars().count(), SNIPPET_CHARS);
    }

    #[test]
    fn what_cannot_be_seen_is_not_shown() {
        assert_eq!(snippet("pay\u{202E}load\u{200B}", None), "payload");
    }

    proptest! {
        #[test]
        fn any_text_gives_one_short_line(text in any::<String>(), word in "[a-z東]{1,2}") {
            let shown = around(&text, &word);
            prop_assert!(shown.chars().count() <= SNIPPET_CHARS);
            prop_assert!(!shown.contains('\n'));
        }
    }
}
