//! The query language: what a search says about title, path and text.
//!
//! - `tax return`: both words, anywhere, in any order
//! - `"tax return"`: the words side by side
//! - `-draft`, `-"first draft"`: not these
//! - `inv*`: words that begin so; `"tax ret"*`: the phrase's last word begins so
//!
//! Case and accents don't count, for queries are cut by the tokenizer that cuts the texts. A word it
//! cuts in several, such as `foo-bar` or one in Chinese, is a phrase. An unclosed quote runs to the end.
//!
//! Chinese, Japanese and Korean are indexed by pairs of characters. So a single such character is
//! taken as the beginning of a pair: it finds texts in which another one follows it, or in which it
//! stands alone, and misses those where it only ever ends a run.

use std::fmt;
use std::str::FromStr;

use crate::text::tokens::{is_paired_character, tokens};

/// The longest query, in characters.
pub const QUERY_CHARS: usize = 1_000;

/// The most atoms in a query, required and excluded together.
pub const QUERY_ATOMS: usize = 32;

/// The most tokens in one atom. The index keeps its units' overlap one shorter, so that a phrase of
/// this length is found wherever it stands.
pub const ATOM_TOKENS: usize = 64;

/// What a thing must say, and what it must not. At least one of the two lists has an atom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// All of these must be found. None: everything matches but what is excluded.
    pub required: Vec<Atom>,
    /// None of these may be found.
    pub excluded: Vec<Atom>,
}

/// A word or a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The tokens that must stand side by side: 1 to [`ATOM_TOKENS`].
    pub tokens: Vec<String>,
    /// Whether the last token may go on after what is given.
    pub prefix: bool,
}

/// The text can't be searched for.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum QueryError {
    /// Longer than [`QUERY_CHARS`].
    #[error("longer than {QUERY_CHARS} characters; search for fewer words")]
    TooLong,
    /// More atoms than [`QUERY_ATOMS`].
    #[error("more than {QUERY_ATOMS} words and phrases; search for fewer")]
    TooManyAtoms,
    /// A phrase with more tokens than [`ATOM_TOKENS`].
    #[error("a phrase of more than {ATOM_TOKENS} words; shorten it")]
    PhraseTooLong,
    /// No letter and no digit in it.
    #[error("nothing in it can be searched for; give at least one word, or leave it out")]
    NothingSearchable,
}

impl FromStr for Query {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        if text.chars().count() > QUERY_CHARS {
            return Err(QueryError::TooLong);
        }
        let text = text.replace(['“', '”', '„'], "\"");
        let mut query = Self::default();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (piece, after) = Piece::cut(rest);
            query.add(&piece)?;
            rest = after.trim_start();
        }
        if query.atoms() == 0 {
            return Err(QueryError::NothingSearchable);
        }
        Ok(query)
    }
}

impl Query {
    fn atoms(&self) -> usize {
        self.required.len() + self.excluded.len()
    }

    /// Adds what a piece says. A piece of mere punctuation says nothing; said twice counts once.
    fn add(&mut self, piece: &Piece<'_>) -> Result<(), QueryError> {
        let Some(atom) = piece.atom()? else { return Ok(()) };
        let list = if piece.excluded { &mut self.excluded } else { &mut self.required };
        if !list.contains(&atom) {
            list.push(atom);
        }
        if self.atoms() > QUERY_ATOMS {
            return Err(QueryError::TooManyAtoms);
        }
        Ok(())
    }
}

/// A word or a quoted phrase with its marks, as it stands in the text.
struct Piece<'a> {
    body: &'a str,
    starred: bool,
    excluded: bool,
}

impl<'a> Piece<'a> {
    /// Cuts the first piece off a text that does not begin with white space, and gives the rest.
    fn cut(text: &'a str) -> (Self, &'a str) {
        let (excluded, text) = match text.strip_prefix('-') {
            Some(marked) if !marked.starts_with(char::is_whitespace) => (true, marked),
            _ => (false, text),
        };
        if let Some(inside) = text.strip_prefix('"') {
            let (body, rest) = inside.split_once('"').unwrap_or((inside, ""));
            let starred = rest.starts_with('*');
            return (Self { body, starred, excluded }, rest.trim_start_matches('*'));
        }
        let end = text.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(text.len());
        let (body, rest) = text.split_at(end);
        (Self { body, starred: body.ends_with('*'), excluded }, rest)
    }

    fn atom(&self) -> Result<Option<Atom>, QueryError> {
        let tokens = tokens(self.body);
        if tokens.len() > ATOM_TOKENS {
            return Err(QueryError::PhraseTooLong);
        }
        let Some(last) = tokens.last() else {
            return Ok(None);
        };
        let prefix = self.starred || is_lone_pair_half(last);
        Ok(Some(Atom { tokens, prefix }))
    }
}

/// Whether the token is one character of those that are indexed by pairs.
fn is_lone_pair_half(token: &str) -> bool {
    let mut chars = token.chars();
    chars.next().is_some_and(is_paired_character) && chars.next().is_none()
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tokens.as_slice() {
            [word] => f.write_str(word)?,
            words => write!(f, "\"{}\"", words.join(" "))?,
        }
        f.write_str(if self.prefix { "*" } else { "" })
    }
}

/// Writes the query in its own language, folded: reading that back gives the same query.
impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let required = self.required.iter().map(ToString::to_string);
        let excluded = self.excluded.iter().map(|atom| format!("-{atom}"));
        f.write_str(&required.chain(excluded).collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The query as it is understood.
    fn read(text: &str) -> String {
        text.parse::<Query>().unwrap().to_string()
    }

    #[test]
    fn words_phrases_exclusions_and_prefixes_are_read() {
        assert_eq!(read("Tax RETURN"), "tax return");
        assert_eq!(read(r#"a "Tax  return" b"#), r#"a "tax return" b"#);
        assert_eq!(read(r#"tax -draft -"first try""#), r#"tax -draft -"first try""#);
        assert_eq!(read(r#"inv* "tax ret"*"#), r#"inv* "tax ret"*"#);
        assert_eq!(read("“tax return”"), r#""tax return""#);
    }

    #[test]
    fn case_and_accents_are_folded() {
        assert_eq!(read("Résumé STRASSE Łódź"), "resume strasse lodz");
        assert_eq!(read("Straße"), "strasse");
    }

    #[test]
    fn a_word_that_the_tokenizer_cuts_is_a_phrase() {
        assert_eq!(read("foo-bar snake_case"), r#""foo bar" "snake case""#);
        assert_eq!(read("東京都"), r#""東京 京都""#);
        assert_eq!(read("-foo-bar"), r#"-"foo bar""#);
    }

    #[test]
    fn a_single_character_of_chinese_finds_the_pairs_it_begins() {
        assert_eq!(read("東"), "東*");
        assert_eq!(read("東京"), "東京");
    }

    #[test]
    fn an_unclosed_quote_runs_to_the_end() {
        assert_eq!(read(r#"a "b c -d"#), r#"a "b c d""#);
    }

    #[test]
    fn stray_marks_say_nothing() {
        assert_eq!(read("a - b * \"\" -\"\""), "a b");
        assert_eq!(read("a a A"), "a");
        assert_eq!(read("a-"), "a");
    }

    #[test]
    fn only_exclusions_are_a_query_and_only_punctuation_is_none() {
        assert_eq!(read("-draft"), "-draft");
        for text in ["", "   ", "*", "-", "\"", "-\"...\"", "?!"] {
            assert_eq!(text.parse::<Query>(), Err(QueryError::NothingSearchable), "{text}");
        }
    }

    #[test]
    fn the_limits_hold() {
        let numbers = |n: usize| (0..n).map(|i| i.to_string()).collect::<Vec<_>>().join(" ");
        assert!(numbers(32).parse::<Query>().is_ok());
        assert_eq!(numbers(33).parse::<Query>(), Err(QueryError::TooManyAtoms));
        assert!(format!("\"{}\"", numbers(64)).parse::<Query>().is_ok());
        assert_eq!(format!("\"{}\"", numbers(65)).parse::<Query>(), Err(QueryError::PhraseTooLong));
        assert!("é".repeat(1_000).parse::<Query>().is_ok());
        assert_eq!("é".repeat(1_001).parse::<Query>(), Err(QueryError::TooLong));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            let _ = text.parse::<Query>();
        }

        #[test]
        fn what_is_printed_reads_back_as_the_same(text in r#"[-"*a-cÉß東京のカ가ㄱㅏ한 _.1½ﷺ]{1,40}"#) {
            if let Ok(query) = text.parse::<Query>() {
                let printed = query.to_string();
                prop_assume!(printed.chars().count() <= QUERY_CHARS);
                prop_assert_eq!(printed.parse(), Ok(query));
            }
        }
    }
}
