//! Mails (RFC 5322, MIME) and mailboxes (RFC 4155): who wrote to whom, about what, the bodies, and the
//! attachments by name and, where a parser reads them, with their text.

use std::io::Cursor;

use mail_parser::mailbox::mbox::MessageIterator;
use mail_parser::{Address, Message, MessageParser, MessagePart, MimeHeaders, PartType};

use crate::decode::decode;
use crate::html;
use crate::read::{Depth, ParseError, read_at};
use crate::text::Text;
use crate::{Document, Format};

pub(crate) fn read(bytes: &[u8], format: Format, depth: Depth) -> Result<Document, ParseError> {
    if format == Format::Mailbox { Ok(mailbox(bytes, depth)) } else { mail(bytes, depth) }
}

fn mail(bytes: &[u8], depth: Depth) -> Result<Document, ParseError> {
    let message = MessageParser::default().parse(bytes);
    let message = message.ok_or_else(|| ParseError("it has neither headers nor a body".to_owned()))?;
    let mut letter = Letter::default();
    letter.add(&message, depth);
    let title = message.subject().map(str::to_owned);
    Ok(Document { title, text: letter.text.into_string(), unread: letter.unread })
}

fn mailbox(bytes: &[u8], depth: Depth) -> Document {
    let mut letter = Letter::default();
    for message in MessageIterator::new(Cursor::new(bytes)) {
        let Ok(message) = message else {
            letter.unread.push("the rest, which is no mailbox".to_owned());
            break;
        };
        match MessageParser::default().parse(message.contents()) {
            Some(message) => letter.add(&message, depth),
            None => letter.unread.push(format!("a mail of {}", message.from())),
        }
        if letter.text.is_full() {
            break;
        }
    }
    Document { title: None, text: letter.text.into_string(), unread: letter.unread }
}

/// What has been read so far.
#[derive(Default)]
struct Letter {
    text: Text,
    unread: Vec<String>,
}

impl Letter {
    fn add(&mut self, message: &Message<'_>, depth: Depth) {
        self.headers(message);
        // Of a body in several forms, the plain one; a page, where there is nothing else.
        for part in message.text_bodies() {
            match &part.body {
                PartType::Text(text) => self.text.say(text),
                PartType::Html(page) => self.text.say(&html::read_str(page).text),
                _ => {}
            }
        }
        for part in message.attachments() {
            self.attachment(part, depth);
        }
    }

    fn headers(&mut self, message: &Message<'_>) {
        let date = message.date().map(mail_parser::DateTime::to_rfc3339);
        self.text.about(&[
            ("Subject", message.subject()),
            ("From", people(message.from()).as_deref()),
            ("To", people(message.to()).as_deref()),
            ("Cc", people(message.cc()).as_deref()),
            ("Date", date.as_deref()),
        ]);
    }

    fn attachment(&mut self, part: &MessagePart<'_>, depth: Depth) {
        let name = part.attachment_name();
        self.text.about(&[("Attachment", name)]);
        if self.text.is_full() {
            return;
        }
        match (&part.body, depth.down()) {
            (PartType::Text(text), _) => self.text.say(text),
            (PartType::Html(page), _) => self.text.say(&html::read_str(page).text),
            (PartType::Message(message), Some(depth)) => self.add(message, depth),
            (PartType::Message(_), None) => self.unread.push("mails in mails further down".to_owned()),
            (PartType::Binary(bytes) | PartType::InlineBinary(bytes), Some(depth)) => {
                self.document(part, bytes, depth);
            }
            (PartType::Binary(_) | PartType::InlineBinary(_) | PartType::Multipart(_), _) => {}
        }
    }

    fn document(&mut self, part: &MessagePart<'_>, bytes: &[u8], depth: Depth) {
        let name = part.attachment_name().unwrap_or("attachment");
        let kind = part.content_type().map(|kind| (kind.ctype(), kind.subtype().unwrap_or_default()));
        let Some((ctype, subtype)) = kind else { return };
        let hint = Format::of_mime(&format!("{ctype}/{subtype}"));
        let reading = read_at(bytes, hint, 0, depth);
        match reading.outcome {
            Ok(document) => {
                self.text.say(&document.text);
                self.unread.extend(document.unread.into_iter().map(|part| format!("{name}: {part}")));
            }
            Err(crate::Problem::Failed(problem) | crate::Problem::Unavailable(problem)) => {
                self.unread.push(format!("{name}: {problem}"));
            }
            Err(crate::Problem::Unsupported) if ctype == "text" => self.text.say(&decode(bytes).text),
            Err(crate::Problem::Unsupported) => {}
        }
    }
}

/// People as a mail names them: `Ada Lovelace <ada@example.com>, …`
fn people(address: Option<&Address<'_>>) -> Option<String> {
    let shown = address?.iter().map(|person| match (person.name(), person.address()) {
        (Some(name), Some(address)) => format!("{name} <{address}>"),
        (name, address) => name.or(address).unwrap_or_default().to_owned(),
    });
    Some(shown.collect::<Vec<_>>().join(", "))
}
