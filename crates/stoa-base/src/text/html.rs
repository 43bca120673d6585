//! HTML.

use super::visible;

/// The text for HTML: as an element's text (not in `<script>` or `<style>`), or as the value of a quoted
/// attribute that holds no URL and no code. Made [`visible`] first.
#[must_use]
pub fn escape_html(text: &str) -> String {
    let text = visible(text);
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use html5gum::{Token, Tokenizer};
    use proptest::prelude::*;

    use super::*;
    use crate::text::hostile::hostile_text;

    #[test]
    fn markup_and_quotes_are_escaped() {
        assert_eq!(escape_html(r#"<a b='c' d="e">&"#), "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;");
    }

    /// What a browser's tokenizer reads: the values of all attributes, and all text.
    fn read(html: &str) -> (Vec<String>, String) {
        let (mut values, mut text) = (Vec::new(), String::new());
        for token in Tokenizer::new(html) {
            match token.unwrap() {
                Token::StartTag(tag) => {
                    values.extend(
                        tag.attributes.values().map(|value| String::from_utf8_lossy(value).into_owned()),
                    );
                }
                Token::String(string) => text.push_str(&String::from_utf8_lossy(&string)),
                Token::EndTag(_) => {}
                other => panic!("{other:?}"),
            }
        }
        (values, text)
    }

    proptest! {
        #[test]
        fn a_browser_reads_the_visible_text_in_every_place(text in hostile_text()) {
            let escaped = escape_html(&text);
            let shown = visible(&text);
            let (values, read) = read(&format!(r#"<p a="{escaped}" b='{escaped}'>{escaped}</p>"#));
            prop_assert_eq!(values, [shown.as_ref(), shown.as_ref()]);
            prop_assert_eq!(read, shown);
        }
    }
}
