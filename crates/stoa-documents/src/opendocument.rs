//! OpenDocument (ISO/IEC 26300): the text of `content.xml`, and what `meta.xml` says about it.

use std::ops::ControlFlow;

use crate::Document;
use crate::decode::decode;
use crate::package::Package;
use crate::read::ParseError;
use crate::text::Text;
use crate::xml::{Node, attribute, walk};

/// Elements of which nothing is read.
const UNREAD: &[&str] = &["tracked-changes", "scripts", "font-face-decls", "automatic-styles", "forms"];
/// Elements that stand on lines of their own.
const LINES: &[&str] =
    &["p", "h", "list-item", "table-row", "table", "page", "notes", "line-break", "annotation"];
/// The most spaces that one element may stand for.
const SPACES: usize = 1_000;

pub(crate) fn read(bytes: &[u8]) -> Result<Document, ParseError> {
    let mut package = Package::open(bytes)?;
    let mut unread = Vec::new();
    let meta = package.part("meta.xml").unwrap_or_else(|problem| {
        unread.push(problem.to_string());
        None
    });
    let content = package.part("content.xml")?;
    let content = content.ok_or_else(|| ParseError("there is no content.xml".to_owned()))?;
    let mut body = Body::default();
    if let Err(problem) = walk(&decode(&content).text, |node| body.see(node)) {
        if body.text.is_empty() {
            return Err(problem);
        }
        unread.push(format!("content.xml after what was read: {problem}"));
    }
    let about = About::of(&meta.unwrap_or_default());
    let mut text = body.text;
    text.about(&[
        ("Author", about.author.as_deref()),
        ("Subject", about.subject.as_deref()),
        ("Description", about.description.as_deref()),
        ("Keywords", Some(&about.keywords.join(", "))),
    ]);
    Ok(Document { title: about.title, text: text.into_string(), unread })
}

/// The text as far as it has been read.
#[derive(Default)]
struct Body {
    text: Text,
    /// How deep in elements of which nothing is read.
    unread: usize,
}

impl Body {
    fn see(&mut self, node: Node<'_>) -> ControlFlow<()> {
        match node {
            Node::Open(name, _) if UNREAD.contains(&name) => self.unread += 1,
            Node::Close(name) if UNREAD.contains(&name) => self.unread = self.unread.saturating_sub(1),
            _ if self.unread > 0 => {}
            Node::Open(name, start) => {
                self.part(name);
                match name {
                    "s" => {
                        let count = attribute(start, "c").and_then(|count| count.parse().ok());
                        self.text.push(&" ".repeat(count.unwrap_or(1_usize).min(SPACES)));
                    }
                    "table" => self.text.say(&attribute(start, "name").unwrap_or_default()),
                    _ => {}
                }
            }
            Node::Text(text) => self.flow(text),
            Node::Close(name) => self.part(name),
        }
        if self.text.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn part(&mut self, name: &str) {
        match name {
            name if LINES.contains(&name) => self.text.line(),
            "tab" | "table-cell" | "covered-table-cell" => self.text.space(),
            _ => {}
        }
    }

    /// Adds text whose white space only parts words.
    fn flow(&mut self, text: &str) {
        for word in text.split_inclusive(char::is_whitespace) {
            let bare = word.trim_end();
            self.text.push(bare);
            if bare.len() < word.len() {
                self.text.space();
            }
        }
    }
}

/// What a document says about itself.
#[derive(Default)]
struct About {
    title: Option<String>,
    author: Option<String>,
    subject: Option<String>,
    description: Option<String>,
    keywords: Vec<String>,
}

impl About {
    /// What can be read of it: a document without is none the worse.
    fn of(meta: &[u8]) -> Self {
        let (mut about, mut said) = (Self::default(), String::new());
        let _broken_off = walk(&decode(meta).text, |node| {
            match node {
                Node::Open(..) => said.clear(),
                Node::Text(text) => said.push_str(text),
                Node::Close(name) => about.note(name, std::mem::take(&mut said)),
            }
            ControlFlow::Continue(())
        });
        about
    }

    fn note(&mut self, name: &str, value: String) {
        match name {
            "title" => self.title = Some(value),
            "creator" => self.author = Some(value),
            "subject" => self.subject = Some(value),
            "description" => self.description = Some(value),
            "keyword" => self.keywords.push(value),
            _ => {}
        }
    }
}
