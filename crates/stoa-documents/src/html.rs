//! HTML: what a reader of the page reads. The tokens are taken as they come and no tree is built, so
//! that the work is linear in the bytes however deep the page nests.

use std::convert::Infallible;

use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

use crate::decode::decode_html;

/// Elements whose text the tokenizer gives in one piece and that is nothing to read.
const UNREAD: &[&[u8]] = &[b"script", b"style", b"noscript", b"iframe", b"noembed"];

/// A page, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// What stands in its first `title`.
    pub title: Option<String>,
    /// What a reader sees, without NUL.
    pub text: String,
}

/// Reads a page from its bytes, in whatever encoding they are.
#[must_use]
pub fn read(bytes: &[u8]) -> Read {
    read_str(&decode_html(bytes).text)
}

/// Reads a page.
#[must_use]
pub fn read_str(html: &str) -> Read {
    let mut page = Page::default();
    let mut emitter = CallbackEmitter::new(&mut page);
    emitter.naively_switch_states(true);
    match Tokenizer::new_with_emitter(html, emitter).finish() {
        Ok(()) => Read { title: page.title, text: page.text },
    }
}

/// What must stand between the text so far and the next.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    #[default]
    None,
    Space,
    Line,
}

/// Where in the page the next token stands, as far as it matters.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    /// In what is read.
    #[default]
    Flow,
    /// In a `title`.
    Title,
    /// In one of the [`UNREAD`].
    Unread,
    /// In the tag of an image.
    Image,
    /// In the value of an image's `alt`.
    Alt,
}

/// The page as far as it has been read.
#[derive(Default)]
struct Page {
    text: String,
    gap: Gap,
    title: Option<String>,
    place: Place,
    templates: usize,
    preformatted: usize,
}

impl Callback<Infallible, ()> for &mut Page {
    fn handle_event(&mut self, event: CallbackEvent<'_>, _: Span<()>) -> Option<Infallible> {
        match event {
            CallbackEvent::OpenStartTag { name } => self.start(name),
            CallbackEvent::AttributeName { name } => self.attribute_name(name),
            CallbackEvent::AttributeValue { value } => self.attribute_value(value),
            CallbackEvent::CloseStartTag { .. } => self.leave(&[Place::Image, Place::Alt]),
            CallbackEvent::EndTag { name } => self.end(name),
            CallbackEvent::String { value } => self.string(&String::from_utf8_lossy(value)),
            CallbackEvent::Comment { .. } | CallbackEvent::Doctype { .. } | CallbackEvent::Error(_) => {}
        }
        None
    }
}

impl Page {
    fn start(&mut self, name: &[u8]) {
        self.part(name);
        match name {
            b"img" => self.place = Place::Image,
            b"template" => self.templates += 1,
            b"title" => self.place = Place::Title,
            b"pre" => self.preformatted += 1,
            _ if UNREAD.contains(&name) => self.place = Place::Unread,
            _ => {}
        }
    }

    fn end(&mut self, name: &[u8]) {
        self.part(name);
        match name {
            b"template" => self.templates = self.templates.saturating_sub(1),
            b"title" => self.leave(&[Place::Title]),
            b"pre" => self.preformatted = self.preformatted.saturating_sub(1),
            _ if UNREAD.contains(&name) => self.leave(&[Place::Unread]),
            _ => {}
        }
    }

    /// Parts what stands before a tag from what stands after it.
    fn part(&mut self, name: &[u8]) {
        self.gap = self.gap.max(gap_at(name));
    }

    fn leave(&mut self, places: &[Place]) {
        if places.contains(&self.place) {
            self.place = Place::Flow;
        }
    }

    fn attribute_name(&mut self, name: &[u8]) {
        if matches!(self.place, Place::Image | Place::Alt) {
            self.place = if name == b"alt" { Place::Alt } else { Place::Image };
        }
    }

    fn attribute_value(&mut self, value: &[u8]) {
        if self.place == Place::Alt && self.templates == 0 {
            self.gap = self.gap.max(Gap::Space);
            self.flow(&String::from_utf8_lossy(value));
            self.gap = self.gap.max(Gap::Space);
        }
    }

    fn string(&mut self, text: &str) {
        match self.place {
            Place::Title => {
                self.title.get_or_insert_with(|| text.to_owned());
            }
            Place::Flow if self.templates == 0 => self.read(text),
            _ => {}
        }
    }

    fn read(&mut self, text: &str) {
        if self.preformatted > 0 {
            self.close_gap();
            self.text.push_str(text);
        } else {
            self.flow(text);
        }
    }

    /// Adds text whose white space only parts words.
    fn flow(&mut self, text: &str) {
        for word in text.split_inclusive(is_space) {
            let bare = word.trim_end_matches(is_space);
            if !bare.is_empty() {
                self.close_gap();
                self.text.push_str(bare);
            }
            if bare.len() < word.len() {
                self.gap = self.gap.max(Gap::Space);
            }
        }
    }

    fn close_gap(&mut self) {
        let gap = std::mem::take(&mut self.gap);
        if self.text.is_empty() || self.text.ends_with('\n') {
            return;
        }
        match gap {
            Gap::None => {}
            Gap::Space => self.text.push(' '),
            Gap::Line => self.text.push('\n'),
        }
    }
}

/// What a tag parts: lines, where the HTML Standard's rendering section shows a block, a list item or a
/// row, and at a line break; words, where it shows a cell.
fn gap_at(name: &[u8]) -> Gap {
    match name {
        name if is_block(name) => Gap::Line,
        b"td" | b"th" => Gap::Space,
        _ => Gap::None,
    }
}

fn is_block(name: &[u8]) -> bool {
    matches!(
        name,
        b"address"
            | b"article"
            | b"aside"
            | b"blockquote"
            | b"body"
            | b"br"
            | b"caption"
            | b"center"
            | b"dd"
            | b"details"
            | b"dialog"
            | b"dir"
            | b"div"
            | b"dl"
            | b"dt"
            | b"fieldset"
            | b"figcaption"
            | b"figure"
            | b"footer"
            | b"form"
            | b"h1"
            | b"h2"
            | b"h3"
            | b"h4"
            | b"h5"
            | b"h6"
            | b"header"
            | b"hgroup"
            | b"hr"
            | b"html"
            | b"legend"
            | b"li"
            | b"listing"
            | b"main"
            | b"menu"
            | b"nav"
            | b"ol"
            | b"option"
            | b"p"
            | b"plaintext"
            | b"pre"
            | b"search"
            | b"section"
            | b"summary"
            | b"table"
            | b"tr"
            | b"ul"
            | b"xmp"
    )
}

/// ASCII white space as HTML defines it; a no-break space is not among it.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{C}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(html: &str) -> String {
        read(html.as_bytes()).text
    }

    #[test]
    fn what_is_read_is_kept_and_the_rest_is_not() {
        let page = read(
            b"<!doctype html><html><head><title>A &amp; B</title><style>p{}</style><script>if (a<b) 'x'</script>\
              <meta name=description content=no></head><body><!-- no --><h1>Head</h1>\n<p>One <b>t</b>wo\n three\
              <template><p>no<template>no</template>no</template><noscript><p>no</noscript></p>end</body></html>",
        );
        assert_eq!(page.title.as_deref(), Some("A & B"));
        assert_eq!(page.text, "Head\nOne two three\nend");
    }

    #[test]
    fn blocks_break_lines_and_cells_are_parted() {
        assert_eq!(text("<ul><li>a<li>b</ul>c<br>d<div><div>e</div></div>f"), "a\nb\nc\nd\ne\nf");
        assert_eq!(text("<table><tr><td>1</td><td>2<tr><th>3<td>4</table>"), "1 2\n3 4");
        assert_eq!(text("a<span>b</span> <i> c</i>"), "ab c");
    }

    #[test]
    fn preformatted_text_keeps_its_space() {
        assert_eq!(text("<p>x <pre>a\n  b\n</pre>  y"), "x\na\n  b\ny");
    }

    #[test]
    fn entities_are_decoded_and_images_speak_by_their_alt() {
        assert_eq!(text("&lt;caf&eacute;&gt; &#x1F600;&bogus;"), "<café> 😀&bogus;");
        assert_eq!(
            text("see<img src=x alt='a &quot;cat&quot;'>there<a alt=no>.</a>"),
            "see a \"cat\" there."
        );
    }

    #[test]
    fn only_the_first_title_counts() {
        let page = read(b"<title>First</title><svg><title>Icon</title></svg>text");
        assert_eq!((page.title.as_deref(), page.text.as_str()), (Some("First"), "text"));
    }

    #[test]
    fn nul_never_comes_through() {
        assert_eq!(text("a&#0;b\0c"), "a\u{FFFD}b c");
    }

    #[test]
    fn deep_nesting_is_only_long() {
        let deep = format!("{}x{}", "<div><b>".repeat(100_000), "</b></div>".repeat(100_000));
        assert_eq!(text(&deep), "x");
        assert_eq!(text(&"<template>".repeat(100_000)), "");
        assert_eq!(text(&"<".repeat(100_000)), "<".repeat(100_000));
    }
}
