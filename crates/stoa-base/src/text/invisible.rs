//! Characters that don't show, or that change how others show.

use std::borrow::Cow;

/// Joins letters (Arabic, Indic scripts) and the parts of an emoji.
const ZERO_WIDTH_JOINER: char = '\u{200D}';
/// Keeps letters from joining (Persian, Indic scripts).
const ZERO_WIDTH_NON_JOINER: char = '\u{200C}';
/// Shows the character before it as plain text.
const TEXT_STYLE: char = '\u{FE0E}';
/// Shows the character before it as an emoji.
const EMOJI_STYLE: char = '\u{FE0F}';
/// Makes a key of the digit before it.
const KEYCAP: char = '\u{20E3}';

/// The text with nothing hidden in it, and nothing that reorders it or steers a terminal.
///
/// | what | becomes |
/// |---|---|
/// | CR LF, CR, vertical tab, form feed, NEL (U+0085), U+2028, U+2029 | a line feed |
/// | every other control character (C0, so NUL too; DEL; C1) but line feed and tab, noncharacters (U+FDD0–FDEF and the last two of each plane) | U+FFFD, which shows |
/// | bidirectional controls: U+061C, 200E, 200F, 202A–202E, 2066–2069 | nothing |
/// | zero-width characters, soft hyphen, tag characters, Hangul fillers and whatever else Unicode calls default ignorable (U+00AD, 034F, 115F, 1160, 17B4, 17B5, 180B–180F, 200B, 2060–206F, 3164, FEFF, FFA0, FFF0–FFF8, 1BCA0–1BCA3, 1D173–1D17A, E0000–E0FFF); interlinear annotations (U+FFF9–FFFB) | nothing |
/// | variation selectors U+FE00–FE0D and E0100–E01EF, which can carry hidden bytes | nothing |
/// | U+FE0E, FE0F (text or emoji style) | kept once after a symbol or in a keycap, else nothing |
/// | U+200D (zero-width joiner) | kept between the parts of an emoji and as the next, else nothing |
/// | U+200C (zero-width non-joiner) | kept between two characters of Arabic, Syriac, Indic, Myanmar, Khmer or Mongolian script, else nothing |
///
/// So what is lost: glyph variants of some ideographs, the flags of England, Scotland and Wales, and a
/// joiner at the end of a word.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| shown(None, c, None) == Some(c)) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if let Some(c) = shown(before, c, rest.peek().copied()) {
            kept.push(c);
            before = Some(c);
        }
    }
    Cow::Owned(kept)
}

/// What `c` becomes between the last character that was kept and the next of the input.
fn shown(before: Option<char>, c: char, after: Option<char>) -> Option<char> {
    match c {
        '\n' | '\t' => Some(c),
        '\r' if after == Some('\n') => None,
        '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some('\n'),
        ZERO_WIDTH_JOINER | ZERO_WIDTH_NON_JOINER | TEXT_STYLE | EMOJI_STYLE => {
            before.is_some_and(|before| belongs(before, c, after)).then_some(c)
        }
        _ if is_ignorable(c) => None,
        _ if c.is_control() || is_noncharacter(c) => Some(char::REPLACEMENT_CHARACTER),
        _ => Some(c),
    }
}

/// Whether this joiner or style has a meaning between its neighbors.
fn belongs(before: char, c: char, after: Option<char>) -> bool {
    let letters = is_joining(before) && after.is_some_and(is_joining);
    match c {
        ZERO_WIDTH_NON_JOINER => letters,
        ZERO_WIDTH_JOINER => {
            let emoji = is_symbol(before) || before == EMOJI_STYLE;
            letters || (emoji && after.is_some_and(is_symbol))
        }
        _ => is_symbol(before) || (after == Some(KEYCAP) && matches!(before, '0'..='9' | '#' | '*')),
    }
}

/// Unicode's `Default_Ignorable_Code_Point` (DerivedCoreProperties.txt) without the joiners and the styles,
/// and the marks of interlinear annotations.
fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}' | '\u{200E}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0D}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}')
}

/// Code points that will never be characters (Unicode section 23.7).
fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{FDD0}'..='\u{FDEF}') || u32::from(c) & 0xFFFE == 0xFFFE
}

/// Characters of the scripts whose spelling needs joiners, by block: Arabic to Sinhala, Myanmar, Khmer and
/// Mongolian. Marks count, since a joiner often follows a virama.
fn is_joining(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{DFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{18AF}') && !is_ignorable(c)
}

/// Characters that may be emoji or parts of one, by block.
fn is_symbol(c: char) -> bool {
    matches!(c,
        '\u{A9}' | '\u{AE}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{21FF}'
        | '\u{2300}'..='\u{23FF}' | '\u{24C2}' | '\u{25A0}'..='\u{27BF}' | '\u{2900}'..='\u{297F}'
        | '\u{2B00}'..='\u{2BFF}' | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}'
        | '\u{1F000}'..='\u{1FAFF}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::hostile::hostile_text;

    #[test]
    fn bidirectional_controls_vanish() {
        assert_eq!(visible("a\u{202E}b\u{2066}c\u{2069}\u{200F}\u{61C}d"), "abcd");
    }

    #[test]
    fn hidden_words_vanish() {
        assert_eq!(visible("pass\u{200B}word\u{AD}\u{2060}\u{FEFF}\u{180E}"), "password");
        assert_eq!(visible("hi\u{E0041}\u{E0042}\u{E007F}\u{E0100}\u{E01EF}"), "hi");
        assert_eq!(visible("😀\u{FE01}\u{FE0F}\u{FE0F}\u{FE0E}"), "😀\u{FE0F}");
    }

    #[test]
    fn controls_show_and_lines_end_one_way() {
        assert_eq!(visible("\u{1B}[2J\0\u{7F}\u{9B}"), "\u{FFFD}[2J\u{FFFD}\u{FFFD}\u{FFFD}");
        assert_eq!(visible("a\r\nb\rc\u{2028}d\u{2029}e\u{85}f\u{B}g\u{C}h\ti"), "a\nb\nc\nd\ne\nf\ng\nh\ti");
    }

    #[test]
    fn noncharacters_show() {
        assert_eq!(visible("\u{FDD0}\u{FFFF}\u{10FFFE}"), "\u{FFFD}\u{FFFD}\u{FFFD}");
    }

    #[test]
    fn emoji_stay_whole() {
        for emoji in ["👨‍👩‍👧", "❤️", "🏳️‍🌈", "👩🏽‍💻", "1️⃣", "#️⃣", "🇪🇸", "❤️‍🔥"]
        {
            assert_eq!(visible(emoji), emoji);
        }
    }

    #[test]
    fn joiners_stay_where_a_script_needs_them_and_only_there() {
        for word in ["می‌خواهم", "क्‍ष", "ශ්‍රී"] {
            assert!(word.contains([ZERO_WIDTH_JOINER, ZERO_WIDTH_NON_JOINER]));
            assert_eq!(visible(word), word);
        }
        assert_eq!(visible("a\u{200D}b\u{200C}c"), "abc");
        assert_eq!(visible("م\u{200C}\u{200C}م\u{200C}"), "م\u{200C}م");
    }

    #[test]
    fn ordinary_text_is_not_copied() {
        assert!(matches!(visible("Grüße,\n\tעולם 世界"), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn making_visible_twice_changes_nothing(text in hostile_text()) {
            let once = visible(&text).into_owned();
            prop_assert_eq!(visible(&once), once.as_str());
        }

        #[test]
        fn nothing_forbidden_is_left(text in hostile_text()) {
            for c in visible(&text).chars() {
                prop_assert!(!is_ignorable(c) && !is_noncharacter(c), "{c:?}");
                prop_assert!(!c.is_control() || c == '\n' || c == '\t', "{c:?}");
                prop_assert!(!['\u{2028}', '\u{2029}'].contains(&c), "{c:?}");
            }
        }

        #[test]
        fn joiners_and_styles_never_stand_in_a_row_or_at_the_start(text in hostile_text()) {
            let silent = [ZERO_WIDTH_JOINER, ZERO_WIDTH_NON_JOINER, TEXT_STYLE, EMOJI_STYLE];
            let shown = visible(&text);
            prop_assert!(!shown.starts_with(silent));
            let chars: Vec<char> = shown.chars().collect();
            for pair in chars.windows(2).filter(|pair| silent.contains(&pair[1])) {
                prop_assert!(!silent.contains(&pair[0]) || (pair[1] == ZERO_WIDTH_JOINER && pair[0] == EMOJI_STYLE));
            }
        }
    }
}
