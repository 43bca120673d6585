//! Fenced code blocks.

use super::visible;

/// The longest info string, in characters.
const MAX_INFO: usize = 40;

/// The text as a fenced code block (`CommonMark` 0.31 section 4.5), made [`visible`] first.
///
/// `info` is the language; characters other than letters, digits and `+ - . _ #` are dropped from it. The block
/// ends in a line feed and must begin at the start of a line, outside lists and quotations.
#[must_use]
pub fn fence(info: &str, text: &str) -> String {
    let text = visible(text);
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    let info: String = info.chars().filter(|c| is_info(*c)).take(MAX_INFO).collect();
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{info}\n{text}{end}{fence}\n")
}

fn is_info(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.' | '_' | '#')
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

    use super::*;
    use crate::text::hostile::hostile_text;

    #[test]
    fn a_block_has_its_language_and_ends_in_a_line_feed() {
        assert_eq!(fence("rust", "fn main() {}"), "```rust\nfn main() {}\n```\n");
        assert_eq!(fence("", "a\n"), "```\na\n```\n");
    }

    #[test]
    fn the_fence_is_longer_than_any_inside() {
        assert_eq!(fence("md", "```\nx\n`````"), "``````md\n```\nx\n`````\n``````\n");
    }

    #[test]
    fn the_language_can_not_end_the_line() {
        assert_eq!(fence("c++ `x`\n# heading", ""), "```c++x#heading\n```\n");
    }

    proptest! {
        #[test]
        fn markdown_reads_one_code_block_of_the_visible_text(info in hostile_text(), text in hostile_text()) {
            let document = fence(&info, &text) + "end";
            let events: Vec<Event> = Parser::new_ext(&document, Options::all()).collect();
            let is_fenced = matches!(&events[0], Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))));
            prop_assert!(is_fenced, "{:?}", events[0]);
            let code = events[1..].iter().map_while(|event| match event {
                Event::Text(code) => Some(code.as_ref()),
                _ => None,
            });
            let code: String = code.collect();
            let mut expected = visible(&text).into_owned();
            if !expected.is_empty() && !expected.ends_with('\n') {
                expected.push('\n');
            }
            prop_assert_eq!(code, expected);
            let after = &events[events.len() - 4..];
            prop_assert_eq!(&after[0], &Event::End(TagEnd::CodeBlock));
            prop_assert_eq!(&after[2], &Event::Text("end".into()));
        }
    }
}
