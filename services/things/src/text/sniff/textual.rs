//! What text is.

use stoa_documents::decode::decode;

use super::Sniffed;
use super::names::{Name, interpreter};
use crate::model::Kind;

/// Formats that begin as text and are told by their first characters, whatever the name says.
const MAGIC: &[(&str, &str)] =
    &[("%PDF-", "application/pdf"), ("{\\rtf", "application/rtf"), ("%!PS", "application/postscript")];

/// Header fields that a mail's first line may be of.
const FIRST_FIELDS: &[&str] = &[
    "return-path:",
    "received:",
    "delivered-to:",
    "message-id:",
    "mime-version:",
    "from:",
    "date:",
    "subject:",
    "x-",
];

pub(super) fn sniff(name: &Name, head: &[u8]) -> Sniffed {
    let head = decode(head).text;
    if let Some((_, mime)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Sniffed::new(Kind::Document, mime);
    }
    let (kind, mime) =
        name.textual().or_else(|| by_beginning(&head)).unwrap_or((Kind::Document, "text/plain"));
    Sniffed::new(kind, mime)
}

fn by_beginning(head: &str) -> Option<(Kind, &'static str)> {
    if let Some(command) = head.strip_prefix("#!") {
        return Some((Kind::Code, script(command.lines().next().unwrap_or_default())));
    }
    let trimmed = head.trim_start();
    if begins(trimmed, "<!doctype html") || begins(trimmed, "<html") {
        return Some((Kind::Web, "text/html"));
    }
    if begins(trimmed, "<svg") {
        return Some((Kind::Image, "image/svg+xml"));
    }
    if begins(trimmed, "<?xml") {
        return Some((Kind::Data, "application/xml"));
    }
    mail(head)
}

fn begins(text: &str, with: &str) -> bool {
    text.get(..with.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(with))
}

/// The media type of a script from the line after `#!`: the program's name, or what `env` is told.
fn script(command: &str) -> &'static str {
    let mut words = command.split_whitespace();
    let program = words.next().and_then(|path| path.rsplit('/').next());
    match program {
        Some("env") => interpreter(words.find(|word| !word.starts_with('-')).unwrap_or_default()),
        program => interpreter(program.unwrap_or_default()),
    }
}

/// A mail (RFC 5322) names who wrote it, and what about or when; a mailbox puts a line with `From `
/// before each (RFC 4155).
fn mail(head: &str) -> Option<(Kind, &'static str)> {
    let header = head.lines().take_while(|line| !line.is_empty());
    let lines: Vec<_> = header.map(str::to_ascii_lowercase).collect();
    let has = |field: &str| lines.iter().any(|line| line.starts_with(field));
    let first = lines.first()?;
    if !has("from:") || !(has("subject:") || has("date:")) {
        return None;
    }
    if first.starts_with("from ") {
        return Some((Kind::Email, "application/mbox"));
    }
    FIRST_FIELDS.iter().any(|field| first.starts_with(field)).then_some((Kind::Email, "message/rfc822"))
}
