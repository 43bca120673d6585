//! EPUB (W3C EPUB 3.3, and EPUB 2): the pages of the spine, in its order.

use std::collections::HashMap;
use std::ops::ControlFlow;

use crate::Document;
use crate::decode::decode;
use crate::html;
use crate::package::Package;
use crate::read::ParseError;
use crate::text::Text;
use crate::xml::{Node, attribute, walk};

/// Where a book says which of its files describes it.
const CONTAINER: &str = "META-INF/container.xml";

pub(crate) fn read(bytes: &[u8]) -> Result<Document, ParseError> {
    let mut package = Package::open(bytes)?;
    let mut unread = Vec::new();
    let book = Book::of(&mut package).unwrap_or_else(|problem| {
        unread.push(problem.to_string());
        Book::default()
    });
    let pages = if book.pages.is_empty() { all_pages(&package) } else { book.pages };
    if pages.is_empty() {
        return Err(ParseError("it has no pages".to_owned()));
    }
    let mut text = Text::default();
    for page in pages {
        match package.part(&page) {
            Ok(Some(bytes)) => text.say(&html::read(&bytes).text),
            Ok(None) => unread.push(format!("{page}: it is missing")),
            Err(problem) => unread.push(problem.to_string()),
        }
        if text.is_full() {
            break;
        }
    }
    text.about(&[("Author", Some(&book.authors.join(", "))), ("Description", book.description.as_deref())]);
    Ok(Document { title: book.title, text: text.into_string(), unread })
}

/// What a book's package document says.
#[derive(Default)]
struct Book {
    title: Option<String>,
    authors: Vec<String>,
    description: Option<String>,
    /// The names of the pages' parts, in the order of the spine.
    pages: Vec<String>,
}

impl Book {
    fn of(package: &mut Package<'_>) -> Result<Self, ParseError> {
        let container = part(package, CONTAINER)?;
        let mut root = None;
        walk(&decode(&container).text, |node| match node {
            Node::Open("rootfile", start) => {
                root = attribute(start, "full-path");
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        })?;
        let root = root.ok_or_else(|| ParseError(format!("{CONTAINER} names no package document")))?;
        let described = part(package, &root)?;
        let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
        Self::described(&decode(&described).text, folder)
    }

    fn described(xml: &str, folder: &str) -> Result<Self, ParseError> {
        let mut book = Self::default();
        let (mut items, mut said) = (HashMap::new(), String::new());
        walk(xml, |node| {
            match node {
                Node::Open("item", start) => {
                    if let (Some(id), Some(href)) = (attribute(start, "id"), attribute(start, "href")) {
                        items.insert(id, resolve(folder, &href));
                    }
                }
                Node::Open("itemref", start) => {
                    book.pages.extend(attribute(start, "idref").and_then(|id| items.remove(&id)));
                }
                Node::Open(..) => said.clear(),
                Node::Text(text) => said.push_str(text),
                Node::Close(name) => book.note(name, std::mem::take(&mut said)),
            }
            ControlFlow::Continue(())
        })?;
        Ok(book)
    }

    fn note(&mut self, name: &str, value: String) {
        match name {
            "title" if self.title.is_none() => self.title = Some(value),
            "creator" => self.authors.push(value),
            "description" => self.description = Some(html::read_str(&value).text),
            _ => {}
        }
    }
}

fn part(package: &mut Package<'_>, name: &str) -> Result<Vec<u8>, ParseError> {
    package.part(name)?.ok_or_else(|| ParseError(format!("there is no {name}")))
}

/// Every page of the archive, for a book that does not say in which order they are read.
fn all_pages(package: &Package<'_>) -> Vec<String> {
    let page = |name: &str| [".xhtml", ".html", ".htm"].iter().any(|ending| name.ends_with(ending));
    package.names().filter(|name| page(name)).map(std::borrow::Cow::into_owned).collect()
}

/// The name of the part that a reference from within `folder` means.
fn resolve(folder: &str, href: &str) -> String {
    let path = href.split('#').next().unwrap_or_default();
    let mut segments: Vec<_> = folder.split('/').filter(|segment| !segment.is_empty()).collect();
    let decoded = percent_decoded(path);
    for segment in decoded.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            segment => segments.push(segment),
        }
    }
    segments.join("/")
}

fn percent_decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).filter(|_| *first == b'%').and_then(|code| std::str::from_utf8(code).ok());
        let byte = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved_within_the_book() {
        assert_eq!(resolve("OEBPS", "text/one%20two.xhtml#part"), "OEBPS/text/one two.xhtml");
        assert_eq!(resolve("a/b", "../../../../etc/passwd"), "etc/passwd");
        assert_eq!(resolve("", "./100%.xhtml"), "100%.xhtml");
    }
}
