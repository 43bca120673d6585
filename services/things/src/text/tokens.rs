//! The one tokenizer. It feeds both databases and the query language, so that what is searched and
//! what is indexed are cut alike.
//!
//! A token is a run of letters and digits (with the vowel signs that belong to them) between word
//! boundaries (UAX #29), folded: compatibility forms replaced (NFKD), accents removed, lower case,
//! `ß` as `ss` and the like. `snake_case` and `don't` are two tokens each. Runs of Chinese, Japanese
//! and Korean become overlapping pairs of characters: 東京都 is 東京, 京都; a single one stays alone.
//! A token cut again gives itself.

mod fold;

use std::ops::ControlFlow;

use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

pub use fold::is_paired_character;

/// The longest token, in characters; what is longer is clipped, in texts and queries alike.
pub const TOKEN_CHARS: usize = 64;

/// Without a separator for this many bytes, a text is cut all the same: folded it may be eleven times as long.
const PIECE_BYTES: usize = 64 * 1_024;

/// Below this, in Latin, Greek, Cyrillic and Armenian, no word boundary ever lies between two letters or
/// digits, so that none needs to be looked for.
const FIRST_UNLIKE_LATIN: char = '\u{590}';

/// All tokens of a short text.
#[must_use]
pub fn tokens(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    each_token(text, |token| all.push(token.to_owned()));
    all
}

/// Hands every token of the text to `visit`, in order.
pub fn each_token(text: &str, mut visit: impl FnMut(&str)) {
    let _ = each_token_at(text, |_, token| {
        visit(token);
        ControlFlow::Continue(())
    });
}

/// Hands every token to `visit` together with the byte of the text where it begins, until `visit`
/// breaks off; says whether it did.
pub fn each_token_at(text: &str, mut visit: impl FnMut(usize, &str) -> ControlFlow<()>) -> ControlFlow<()> {
    let bytes = text.as_bytes();
    let mut stretch = Stretch::default();
    let mut at = 0;
    while let Some(skipped) = bytes[at..].iter().position(|byte| may_join(*byte)) {
        let start = at + skipped;
        let length = bytes[start..].iter().position(|byte| !may_join(*byte));
        at = length.map_or(bytes.len(), |length| start + length);
        stretch.visit(start, &text[start..at], &mut visit)?;
    }
    ControlFlow::Continue(())
}

/// ASCII that is neither letter nor digit always ends a token; all else needs a closer look.
fn may_join(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

/// Buffers for one stretch of text between two ASCII separators.
#[derive(Default)]
struct Stretch {
    /// The stretch (or a part of it) folded.
    folded: fold::Folded,
    /// A token in ASCII, in lower case.
    ascii: String,
}

impl Stretch {
    fn visit(
        &mut self,
        start: usize,
        text: &str,
        visit: &mut impl FnMut(usize, &str) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if text.is_ascii() {
            self.ascii.clear();
            self.ascii.push_str(&text[..text.len().min(TOKEN_CHARS)]);
            self.ascii.make_ascii_lowercase();
            return visit(start, &self.ascii);
        }
        let mut at = start;
        for part in text.split_inclusive(is_separator) {
            let mut rest = part.trim_end_matches(is_separator);
            let mut here = at;
            while !rest.is_empty() {
                let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE_BYTES));
                self.folded.set(here, piece);
                visit_folded(&self.folded, visit)?;
                here += piece.len();
                rest = after;
            }
            at += part.len();
        }
        ControlFlow::Continue(())
    }
}

/// Spaces and punctuation outside ASCII that no folding turns into letters. Cutting at them early
/// keeps the buffers short in texts that use no ASCII at all.
fn is_separator(c: char) -> bool {
    match c {
        '\u{200C}' | '\u{200D}' | '\u{2060}' => false,
        _ => matches!(c, '\u{2000}'..='\u{206F}' | '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{3020}'),
    }
}

fn visit_folded(
    folded: &fold::Folded,
    visit: &mut impl FnMut(usize, &str) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let text = folded.as_str();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let paired = is_paired_character(first);
        let length = text[at..].find(|c| is_paired_character(c) != paired);
        let run = &text[at..length.map_or(text.len(), |length| at + length)];
        let mut visit = |offset: usize, token: &str| visit(folded.origin(at + offset), token);
        if paired {
            visit_pairs(run, &mut visit)?;
        } else {
            visit_words(run, &mut visit)?;
        }
        at += run.len();
    }
    ControlFlow::Continue(())
}

fn visit_pairs(run: &str, visit: &mut impl FnMut(usize, &str) -> ControlFlow<()>) -> ControlFlow<()> {
    let mut start = 0;
    for (middle, second) in run.char_indices().skip(1) {
        visit(start, &run[start..middle + second.len_utf8()])?;
        start = middle;
    }
    if start == 0 {
        visit(0, run)?;
    }
    ControlFlow::Continue(())
}

fn visit_words(run: &str, visit: &mut impl FnMut(usize, &str) -> ControlFlow<()>) -> ControlFlow<()> {
    if run.chars().all(|c| c < FIRST_UNLIKE_LATIN) {
        return visit_letters(0, run, visit);
    }
    for (at, word) in run.split_word_bound_indices() {
        visit_letters(at, word, visit)?;
    }
    ControlFlow::Continue(())
}

fn visit_letters(
    at: usize,
    word: &str,
    visit: &mut impl FnMut(usize, &str) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut rest = word;
    while let Some(start) = rest.find(begins_token) {
        let run = &rest[start..];
        let end = run.find(|c: char| !c.is_alphanumeric() && !is_combining_mark(c));
        let (token, after) = run.split_at(end.unwrap_or(run.len()));
        visit(at + word.len() - run.len(), clipped(token))?;
        rest = after;
    }
    ControlFlow::Continue(())
}

/// A mark, though it may count as a letter, only ever goes on.
fn begins_token(c: char) -> bool {
    c.is_alphanumeric() && !is_combining_mark(c)
}

fn clipped(token: &str) -> &str {
    token.char_indices().nth(TOKEN_CHARS).map_or(token, |(end, _)| &token[..end])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(text: &str) -> String {
        tokens(text).join(" ")
    }

    #[test]
    fn words_are_cut_and_folded() {
        assert_eq!(cut("Hello, WORLD! don't"), "hello world don t");
        assert_eq!(cut("snake_case camelCase v2.10"), "snake case camelcase v2 10");
        assert_eq!(
            cut("Crème brûlée, naïve Łódź smørrebrød Æsop straße"),
            "creme brulee naive lodz smorrebrod aesop strasse"
        );
        assert_eq!(cut("ΣΊΣΥΦΟΣ Σίσυφος"), "σισυφοσ σισυφοσ");
        assert_eq!(cut("ﬁne №5 ½ ㎏ m²"), "fine no5 1 2 kg m2");
    }

    #[test]
    fn composed_and_decomposed_are_the_same() {
        assert_eq!(cut("e\u{301}te\u{301}"), "ete");
        assert_eq!(cut("\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"), cut("한글"));
        assert_eq!(cut("か\u{3099}い"), cut("がい"));
        assert_eq!(cut("ｶﾞｲ"), "ガイ");
    }

    #[test]
    fn chinese_japanese_and_korean_become_pairs() {
        assert_eq!(cut("東京都"), "東京 京都");
        assert_eq!(cut("東"), "東");
        assert_eq!(cut("コーヒーを、飲む"), "コー ーヒ ヒー ーを 飲む");
        assert_eq!(cut("대한민국 abc가나"), "대한 한민 민국 abc 가나");
        assert_eq!(cut("東京tower塔"), "東京 tower 塔");
    }

    #[test]
    fn scripts_with_vowel_signs_keep_them() {
        assert_eq!(cut("हिन्दी भाषा"), "हिन्दी भाषा");
        assert_eq!(cut("שָׁלוֹם مُحَمَّد"), "שלום محمد");
    }

    #[test]
    fn invisible_joiners_do_not_cut() {
        assert_eq!(cut("soft\u{ad}hyphen \u{feff}می\u{200c}خواهم"), "softhyphen میخواهم");
    }

    #[test]
    fn long_tokens_are_clipped() {
        assert_eq!(cut(&"A".repeat(100)), "a".repeat(64));
        assert_eq!(cut(&"É".repeat(100)), "e".repeat(64));
        assert_eq!(cut(&"д".repeat(100)), "д".repeat(64));
    }

    #[test]
    fn a_token_begins_where_its_letters_do() {
        let text = "Añb, (ﬁx) 東京都!";
        let mut found = Vec::new();
        let _ = each_token_at(text, |at, token| {
            found.push((text[at..].chars().next().unwrap(), token.to_owned()));
            ControlFlow::Continue(())
        });
        let expected = [('A', "anb"), ('ﬁ', "fix"), ('東', "東京"), ('京', "京都")];
        assert_eq!(found, expected.map(|(first, token)| (first, token.to_owned())));
    }

    #[test]
    fn every_single_character_cut_again_gives_itself() {
        for c in '\0'..='\u{2FFFF}' {
            for token in tokens(&c.to_string()) {
                assert_eq!(tokens(&token).join("|"), token, "U+{:04X}", u32::from(c));
            }
        }
    }

    #[test]
    fn letters_like_latin_have_no_word_boundary_between_them() {
        let letters: Vec<_> =
            ('\0'..FIRST_UNLIKE_LATIN).filter(|c| cut(&c.to_string()) == c.to_string()).collect();
        for pair in letters.iter().flat_map(|a| letters.iter().map(move |b| format!("{a}{b}"))) {
            assert_eq!(pair.split_word_bounds().count(), 1, "{pair}");
        }
    }

    proptest! {
        #[test]
        fn tokens_cut_again_give_themselves(text in any::<String>()) {
            let once = tokens(&text);
            prop_assert!(once.iter().all(|token| token.chars().count() <= TOKEN_CHARS));
            prop_assert_eq!(tokens(&once.join(" ")), once);
        }

        #[test]
        fn offsets_are_character_boundaries_in_order(text in "[a-cÉß東京の가ㄱㅏ\u{301}\u{3099} _½ﷺ]{0,40}") {
            let mut last = 0;
            let _ = each_token_at(&text, |at, _| {
                assert!(text.is_char_boundary(at) && at >= last && at < text.len());
                last = at;
                ControlFlow::Continue(())
            });
        }
    }
}
