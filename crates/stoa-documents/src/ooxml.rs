//! Word, Excel and PowerPoint since 2007 (ISO/IEC 29500), read for their text alone: for files of other programs,
//! whose names and prefixes the first parser does not expect.

use std::ops::ControlFlow;

use crate::decode::decode;
use crate::package::Package;
use crate::read::ParseError;
use crate::text::Text;
use crate::xml::{Node, attribute, walk};
use crate::{Document, Format};

/// Elements that stand on lines of their own.
const LINES: &[&str] = &["p", "si", "row", "tr", "sheet"];
/// Elements that part words.
const SPACES: &[&str] = &["tc", "c", "tab", "br", "cr"];

pub(crate) fn read(bytes: &[u8], format: Format) -> Result<Document, ParseError> {
    let mut package = Package::open(bytes)?;
    let mut names: Vec<String> =
        package.names().filter(|name| holds_text(name, format)).map(std::borrow::Cow::into_owned).collect();
    // Slides and sheets in their order: 2 before 10.
    names.sort_by_key(|name| (name.trim_end_matches(|c: char| !c.is_ascii_digit()).len(), name.clone()));
    let (mut body, mut unread) = (Body::default(), Vec::new());
    for name in names {
        let part = package.part(&name).and_then(|part| match part {
            Some(part) => walk(&decode(&part).text, |node| body.see(node)),
            None => Ok(()),
        });
        if let Err(problem) = part {
            unread.push(format!("{name}: {problem}"));
        }
    }
    if body.text.is_empty() && !unread.is_empty() {
        return Err(ParseError(unread.join("; ")));
    }
    Ok(Document { title: None, text: body.text.into_string(), unread })
}

/// Whether a part is one of those that hold what a person reads.
fn holds_text(name: &str, format: Format) -> bool {
    let is_xml = |name: &str| name.strip_suffix(".xml").is_some_and(|name| !name.contains("_rels/"));
    let folders: &[&str] = match format {
        Format::Docx => &[
            "word/document",
            "word/header",
            "word/footer",
            "word/footnotes",
            "word/endnotes",
            "word/comments",
        ],
        Format::Xlsx => &["xl/workbook", "xl/sharedStrings", "xl/worksheets/", "xl/comments"],
        _ => &["ppt/slides/", "ppt/notesSlides/"],
    };
    is_xml(name) && folders.iter().any(|folder| name.starts_with(folder))
}

/// The text as far as it has been read.
#[derive(Default)]
struct Body {
    text: Text,
    /// Whether what comes is text of a person's: inside `t`, or the value of a cell that is no reference.
    is_said: bool,
    /// Whether the cell's value is the number of a shared string.
    is_shared: bool,
}

impl Body {
    fn see(&mut self, node: Node<'_>) -> ControlFlow<()> {
        match node {
            Node::Open(name, start) => {
                self.part(name);
                match name {
                    "t" => self.is_said = true,
                    "v" => self.is_said = !self.is_shared,
                    "c" => self.is_shared = attribute(start, "t").as_deref() == Some("s"),
                    "sheet" => self.text.say(&attribute(start, "name").unwrap_or_default()),
                    _ => {}
                }
            }
            Node::Text(text) if self.is_said => self.text.push(text),
            Node::Text(_) => {}
            Node::Close(name) => {
                self.is_said &= !matches!(name, "t" | "v");
                self.part(name);
            }
        }
        if self.text.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn part(&mut self, name: &str) {
        match name {
            name if LINES.contains(&name) => self.text.line(),
            name if SPACES.contains(&name) => self.text.space(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn package(parts: &[(&str, &str)]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, xml) in parts {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(xml.as_bytes()).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn sheets_with_prefixes_of_their_own_are_read() {
        let bytes = package(&[
            ("xl/workbook.xml", r#"<x:workbook><x:sheets><x:sheet name="Costs"/></x:sheets></x:workbook>"#),
            (
                "xl/sharedStrings.xml",
                "<x:sst><x:si><x:t>Atlas</x:t></x:si><x:si><x:r><x:t>Primary</x:t></x:r></x:si></x:sst>",
            ),
            (
                "xl/worksheets/sheet1.xml",
                r#"<x:row><x:c t="s"><x:v>0</x:v></x:c><x:c><x:v>42</x:v></x:c><x:c t="inlineStr"><x:is><x:t>in place</x:t></x:is></x:c></x:row>"#,
            ),
            ("xl/styles.xml", "<t>style</t>"),
        ]);
        let text = read(&bytes, Format::Xlsx).unwrap().text;
        let words: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(words, ["Atlas", "Primary", "Costs", "42", "in", "place"]);
    }

    #[test]
    fn slides_come_in_their_order_and_paragraphs_on_lines() {
        let slide = |text: &str| format!("<p:sp><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:sp>");
        let (one, two, ten) = (slide("one"), slide("two"), slide("ten"));
        let bytes = package(&[
            ("ppt/slides/slide10.xml", &ten),
            ("ppt/slides/slide2.xml", &two),
            ("ppt/slides/slide1.xml", &one),
            ("ppt/slides/_rels/slide1.xml", "<t>no</t>"),
        ]);
        assert_eq!(read(&bytes, Format::Pptx).unwrap().text.trim(), "one\ntwo\nten");
    }
}
