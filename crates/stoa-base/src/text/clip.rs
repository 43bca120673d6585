//! Shortening. A character is a Unicode scalar value.

use super::visible;

/// The first `max_chars` characters, and whether there are more.
#[must_use]
pub fn clip(text: &str, max_chars: usize) -> (&str, bool) {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => (&text[..end], true),
        None => (text, false),
    }
}

/// As many whole characters as fit into `max_bytes` of UTF-8, and whether there are more.
#[must_use]
pub fn clip_bytes(text: &str, max_bytes: usize) -> (&str, bool) {
    let end = text.floor_char_boundary(max_bytes);
    (&text[..end], end < text.len())
}

/// The text in one line of at most `max_chars` characters, made [`visible`]: every run of white
/// space is a space, none is at the edges, and what was cut off is an `…`.
#[must_use]
pub fn one_line(text: &str, max_chars: usize) -> String {
    let text = visible(text);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if !clip(&line, max_chars).1 {
        return line;
    }
    let (head, _) = clip(&line, max_chars.saturating_sub(1));
    let ellipsis = if max_chars == 0 { "" } else { "…" };
    // The cut may have parted an emoji after its joiner.
    format!("{}{ellipsis}", visible(head).trim_end())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::hostile::hostile_text;

    #[test]
    fn characters_are_never_cut() {
        assert_eq!(clip("añ世😀", 3), ("añ世", true));
        assert_eq!(clip("añ世😀", 4), ("añ世😀", false));
        assert_eq!(clip("", 0), ("", false));
        assert_eq!(clip_bytes("añ世😀", 5), ("añ", true));
        assert_eq!(clip_bytes("añ世😀", 10), ("añ世😀", false));
    }

    #[test]
    fn one_line_folds_and_marks_the_cut() {
        assert_eq!(one_line(" a\r\n\tb\u{3000}\u{200B}c ", 10), "a b c");
        assert_eq!(one_line("one two three", 13), "one two three");
        assert_eq!(one_line("one two three", 8), "one two…");
        assert_eq!(one_line("one two three", 9), "one two…");
        assert_eq!(one_line("one", 1), "…");
        assert_eq!(one_line("one", 0), "");
        assert_eq!(one_line("👩\u{200D}👩\u{200D}👧", 3), "👩…");
    }

    proptest! {
        #[test]
        fn clips_are_the_longest_beginnings_that_fit(text in hostile_text(), max in 0usize..40) {
            let (head, more) = clip(&text, max);
            prop_assert!(text.starts_with(head));
            prop_assert_eq!(head.chars().count(), text.chars().count().min(max));
            prop_assert_eq!(more, head.len() < text.len());
            let (head, more) = clip_bytes(&text, max);
            prop_assert!(text.starts_with(head) && head.len() <= max && head.len() + 4 > max.min(text.len()));
            prop_assert_eq!(more, head.len() < text.len());
        }

        #[test]
        fn one_line_is_short_visible_and_one_line(text in hostile_text(), max in 0usize..40) {
            let line = one_line(&text, max);
            prop_assert!(line.chars().count() <= max);
            prop_assert!(!line.contains(['\n', '\t']) && !line.contains("  ") && line.trim() == line);
            prop_assert_eq!(visible(&line), line.as_str());
        }
    }
}
