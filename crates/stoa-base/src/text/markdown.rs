//! Markdown: `CommonMark` 0.31 and GitHub's extensions.

use super::visible;

/// The text so that it shows literally where Markdown is read, made [`visible`] first.
///
/// - Punctuation that could begin or end anything has a backslash, at line starts also that which only
///   means something there.
/// - A line ends in a backslash, which is a hard line break; an empty line is a lone backslash. So the text
///   stays one paragraph, inside whatever list item or quotation it was put into.
/// - Space at either edge of a line, which Markdown would drop or take for code, is a character reference.
/// - White space at the end of the text is left out.
///
/// Some renderers look for addresses of mail and web pages once more in the finished text, where no escape
/// is left; a link made that way shows just where it leads.
#[must_use]
pub fn escape_markdown(text: &str) -> String {
    let text = visible(text);
    let text = text.trim_end_matches([' ', '\t', '\n']);
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            escaped.push_str("\\\n");
        }
        escape_line(line, &mut escaped);
    }
    escaped
}

fn escape_line(line: &str, escaped: &mut String) {
    for (at, c) in line.char_indices() {
        let (before, after) = (&line[..at], &line[at + c.len_utf8()..]);
        let at_edge = before.is_empty() || after.is_empty();
        match c {
            ' ' if at_edge => escaped.push_str("&#32;"),
            '\t' if at_edge => escaped.push_str("&#9;"),
            _ if has_meaning(before, c, after) => escaped.extend(['\\', c]),
            _ => escaped.push(c),
        }
    }
}

/// Whether `c` could mean something to Markdown between these parts of its line.
fn has_meaning(before: &str, c: char, after: &str) -> bool {
    match c {
        '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '{' | '}' | '&' | '!' | '|' | '~' | '^' | '#'
        | '@' | '$' => true,
        // List items, headings underlined, metadata.
        '-' | '+' | '=' => before.is_empty(),
        // Definitions, `http://`, `:emoji:`.
        ':' => before.is_empty() || after.starts_with(|next: char| !next.is_whitespace()),
        // Numbered items and `www.`.
        '.' => is_number(before) || ends_in_www(before),
        ')' => is_number(before),
        _ => false,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn ends_in_www(text: &str) -> bool {
    text.as_bytes().last_chunk::<3>().is_some_and(|end| end.eq_ignore_ascii_case(b"www"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

    use super::*;
    use crate::text::hostile::hostile_text;
    use crate::text::one_line;

    /// Every extension but the one that replaces quotes and dots.
    fn events(markdown: &str) -> Vec<Event<'_>> {
        Parser::new_ext(markdown, Options::all() - Options::ENABLE_SMART_PUNCTUATION).collect()
    }

    /// The text of events, if there is nothing else among them.
    fn only_text<'a>(events: impl IntoIterator<Item = Event<'a>>) -> Result<String, String> {
        let mut text = String::new();
        for event in events {
            match event {
                Event::Text(part) => text.push_str(&part),
                Event::HardBreak => text.push('\n'),
                other => return Err(format!("{other:?} after {text:?}")),
            }
        }
        Ok(text)
    }

    fn expected(text: &str) -> String {
        visible(text).trim_end_matches([' ', '\t', '\n']).to_owned()
    }

    #[test]
    fn words_stay_readable() {
        let text = "It's 3.5 (or so) - \"fine\": yes, well-known; 50% / 2?";
        assert_eq!(escape_markdown(text), text);
    }

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escape_markdown("# **x** [a](b)"), r"\# \*\*x\*\* \[a\](b)");
        assert_eq!(escape_markdown("1. a\n2) b\n- c"), "1\\. a\\\n2\\) b\\\n\\- c");
        assert_eq!(
            escape_markdown("https://a.example www.b.example c@d.example"),
            r"https\://a.example www\.b.example c\@d.example"
        );
    }

    #[test]
    fn lines_and_indentation_are_kept() {
        assert_eq!(escape_markdown("a\n\n    b  \n\n"), "a\\\n\\\n&#32;   b");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        #[test]
        fn markdown_reads_the_visible_text_and_nothing_else(text in hostile_text()) {
            let escaped = escape_markdown(&text);
            let mut events = events(&escaped);
            if !events.is_empty() {
                prop_assert_eq!(events.remove(0), Event::Start(Tag::Paragraph));
                prop_assert_eq!(events.pop(), Some(Event::End(TagEnd::Paragraph)));
            }
            prop_assert_eq!(only_text(events), Ok(expected(&text)));
        }

        #[test]
        fn it_stays_in_the_quotation_that_it_was_put_into(text in hostile_text()) {
            let document = format!("> x{}\n\nend", escape_markdown(&text));
            let events = events(&document);
            let inside = events.iter().skip(2).take_while(|event| !matches!(event, Event::End(_))).cloned();
            prop_assert_eq!(only_text(inside), Ok(expected(&format!("x{text}"))));
            let after = &events[events.len() - 5..];
            prop_assert_eq!(&after[..2], [Event::End(TagEnd::Paragraph), Event::End(TagEnd::BlockQuote(None))]);
            prop_assert_eq!(&after[3], &Event::Text("end".into()));
        }

        #[test]
        fn it_stays_in_the_list_item_that_it_was_put_into(text in hostile_text()) {
            let document = format!("- x{}\n- y", escape_markdown(&text));
            let events = events(&document);
            let inside = events.iter().skip(2).take_while(|event| !matches!(event, Event::End(_))).cloned();
            prop_assert_eq!(only_text(inside), Ok(expected(&format!("x{text}"))));
        }

        #[test]
        fn one_line_of_it_stays_in_its_cell(text in hostile_text()) {
            let cell = escape_markdown(&one_line(&text, 100));
            let document = format!("| a | b |\n|---|---|\n| {cell} | end |\n");
            let events = events(&document);
            let row = events.iter().skip_while(|event| **event != Event::Start(Tag::TableRow)).skip(2);
            let inside = row.take_while(|event| !matches!(event, Event::End(_))).cloned();
            prop_assert_eq!(only_text(inside), Ok(one_line(&text, 100)));
        }
    }
}
