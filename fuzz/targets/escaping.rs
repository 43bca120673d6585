//! The escaping of text: Markdown reads what is visible and nothing else, HTML holds no markup, a shown link is
//! shown the same when it is checked again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use stoa_base::text::{
    clip_bytes, escape_html, escape_markdown, fence, markdown_link, one_line, safe_link, visible,
};

fuzz_target!(|text: &str| {
    lines(text);
    html(text);
    markdown(text);
    code(text);
    links(text);
});

fn lines(text: &str) {
    let line = one_line(text, 100);
    assert!(line.chars().count() <= 100 && !line.contains(['\n', '\r']));
    assert_eq!(visible(&line), line);
    let (clipped, more) = clip_bytes(text, 100);
    assert!(clipped.len() <= 100 && more == (clipped.len() < text.len()));
}

fn html(text: &str) {
    assert!(!escape_html(text).contains(['<', '>', '"', '\'']));
}

/// Every extension but the one that replaces quotes and dots.
fn events(markdown: &str) -> Vec<Event<'_>> {
    Parser::new_ext(markdown, Options::all() - Options::ENABLE_SMART_PUNCTUATION).collect()
}

fn markdown(text: &str) {
    let escaped = escape_markdown(text);
    let mut events = events(&escaped);
    if !events.is_empty() {
        assert_eq!(events.remove(0), Event::Start(Tag::Paragraph));
        assert_eq!(events.pop(), Some(Event::End(TagEnd::Paragraph)));
    }
    let mut read = String::new();
    for event in events {
        match event {
            Event::Text(part) => read.push_str(&part),
            Event::HardBreak => read.push('\n'),
            other => panic!("{other:?} after {read:?}"),
        }
    }
    assert_eq!(read, visible(text).trim_end_matches([' ', '\t', '\n']));
}

fn code(text: &str) {
    let document = fence(text, text) + "end";
    let events = events(&document);
    assert!(matches!(&events[0], Event::Start(Tag::CodeBlock(_))));
    assert_eq!(events[events.len() - 2], Event::Text("end".into()));
    assert_eq!(events[events.len() - 4], Event::End(TagEnd::CodeBlock));
    assert!(events[1..events.len() - 4].iter().all(|event| matches!(event, Event::Text(_))));
}

fn links(text: &str) {
    if let Some(link) = safe_link(text) {
        assert!(link.is_ascii());
        assert_eq!(safe_link(&link).as_deref(), Some(link.as_str()));
    }
    let document = markdown_link(text, text);
    let links = events(&document).into_iter().filter(|event| matches!(event, Event::Start(Tag::Link { .. })));
    assert!(links.count() <= 1);
}
