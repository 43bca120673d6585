//! Folding: case, accents and compatibility forms no longer count.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A folded text that knows where in the original each part of it came from.
#[derive(Default)]
pub(super) struct Folded {
    text: String,
    /// For each cluster (a character with what leans on it): where it begins here, and where it began.
    origins: Vec<(usize, usize)>,
    /// A cluster before it is composed.
    cluster: String,
}

impl Folded {
    /// Folds `text`, which stands at byte `offset` of the original.
    pub(super) fn set(&mut self, offset: usize, text: &str) {
        self.text.clear();
        self.origins.clear();
        let mut chars = text.char_indices().peekable();
        while let Some((start, first)) = chars.next() {
            let mut end = start + first.len_utf8();
            while let Some((at, leaning)) = chars.next_if(|(_, c)| leans(*c)) {
                end = at + leaning.len_utf8();
            }
            self.origins.push((self.text.len(), offset + start));
            self.push(first, &text[start..end]);
        }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Where in the original the cluster began that byte `at` of the folded text came from.
    pub(super) fn origin(&self, at: usize) -> usize {
        let after = self.origins.partition_point(|(here, _)| *here <= at);
        self.origins[..after].last().map_or(0, |(_, origin)| *origin)
    }

    /// Folds one cluster. It is decomposed so that its accents can be dropped, and composed again so
    /// that Korean syllables and voiced Japanese ones are one character each.
    fn push(&mut self, first: char, cluster: &str) {
        if cluster.len() == first.len_utf8() && is_its_own_fold(first) {
            self.text.push(first);
            return;
        }
        self.cluster.clear();
        for c in cluster.nfkd().filter(|c| !is_dropped(*c)).flat_map(char::to_lowercase) {
            match plain_letters(c) {
                Some(letters) => self.cluster.push_str(letters),
                None => self.cluster.push(c),
            }
        }
        self.text.extend(self.cluster.nfc());
    }
}

/// Whether the character is of those written without spaces that are indexed by pairs: Han,
/// Hiragana, Katakana and Hangul.
#[must_use]
pub fn is_paired_character(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11FF}' | '\u{A960}'..='\u{A97C}' | '\u{AC00}'..='\u{D7FB}'
        | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{309D}'..='\u{309F}'
        | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{1B000}'..='\u{1B16F}' | '\u{20000}'..='\u{2FA1F}' | '\u{30000}'..='\u{3347F}')
}

/// A short way for the commonest characters that folding leaves alone.
fn is_its_own_fold(c: char) -> bool {
    matches!(c,
        'a'..='z' | '0'..='9' | 'а'..='и' | 'к'..='я' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}'
        | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}')
}

/// Whether the character may compose with the one before it: marks, and the vowels and finals of
/// Korean, which some systems write one by one in file names.
fn leans(c: char) -> bool {
    is_combining_mark(c)
        || matches!(c, '\u{1160}'..='\u{11FF}' | '\u{D7B0}'..='\u{D7FB}' | '\u{3131}'..='\u{318E}'
            | '\u{FF9E}'..='\u{FFDC}')
}

/// Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic, and characters that only guide
/// the rendering. Vowel signs of other scripts are part of their words and stay.
fn is_dropped(c: char) -> bool {
    matches!(c,
        '\u{0300}'..='\u{036F}' | '\u{0483}'..='\u{0489}' | '\u{0591}'..='\u{05BD}' | '\u{05BF}'
        | '\u{05C1}'..='\u{05C2}' | '\u{05C4}'..='\u{05C5}' | '\u{05C7}' | '\u{0610}'..='\u{061A}'
        | '\u{064B}'..='\u{065F}' | '\u{0670}' | '\u{06D6}'..='\u{06DC}' | '\u{06DF}'..='\u{06E4}'
        | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}'
        | '\u{FE20}'..='\u{FE2F}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}'
        | '\u{00AD}' | '\u{0640}' | '\u{200C}' | '\u{200D}' | '\u{2060}' | '\u{FEFF}')
}

/// Letters that Unicode does not decompose, as people type them who lack the key.
fn plain_letters(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ŧ' => "t",
        'ı' => "i",
        'ς' => "σ",
        _ => return None,
    })
}
