//! XML as a stream. No tree is built, so depth costs nothing; no entity is followed but the five of XML.

use std::borrow::Cow;
use std::ops::ControlFlow;

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::read::ParseError;

/// What comes next. Names are without their prefix.
#[derive(Clone, Copy)]
pub(crate) enum Node<'a> {
    /// An element begins.
    Open(&'a str, &'a BytesStart<'a>),
    /// Characters.
    Text(&'a str),
    /// An element ends.
    Close(&'a str),
}

/// Shows each node to `see`, until it says that it has seen enough.
pub(crate) fn walk(xml: &str, mut see: impl FnMut(Node<'_>) -> ControlFlow<()>) -> Result<(), ParseError> {
    let mut reader = Reader::from_str(xml);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    loop {
        let flow = match reader.read_event().map_err(ParseError::of)? {
            Event::Start(start) => see(Node::Open(start.local_name().into_inner(), &start)),
            Event::Empty(start) => {
                let local = start.local_name().into_inner();
                match see(Node::Open(local, &start)) {
                    ControlFlow::Continue(()) => see(Node::Close(local)),
                    enough @ ControlFlow::Break(()) => enough,
                }
            }
            Event::End(end) => see(Node::Close(end.local_name().into_inner())),
            Event::Text(text) => see(Node::Text(&text)),
            Event::CData(text) => see(Node::Text(&text)),
            Event::GeneralRef(reference) => see(Node::Text(&resolve(&reference))),
            Event::Eof => return Ok(()),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {
                ControlFlow::Continue(())
            }
        };
        if flow.is_break() {
            return Ok(());
        }
    }
}

/// The value of an attribute, whatever its prefix.
pub(crate) fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = start.attributes();
    attributes.with_checks(false);
    let found = attributes.flatten().find(|attribute| attribute.key.local_name().into_inner() == name)?;
    let raw: Cow<'_, str> = found.value;
    Some(quick_xml::escape::unescape(&raw).map_or_else(|_| raw.to_string(), Cow::into_owned))
}

fn resolve(reference: &BytesRef<'_>) -> String {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return character.to_string();
    }
    match &**reference {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        _ => " ",
    }
    .to_owned()
}
