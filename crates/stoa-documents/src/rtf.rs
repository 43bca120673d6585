//! Rich Text Format (Microsoft's specification 1.9.1): the text of a letter, whatever it looks like.

mod encoding;

use std::collections::HashMap;

use encoding_rs::{Encoding, WINDOWS_1252};

use crate::Document;
use crate::text::Text;

/// The most groups within groups: those deeper down are read as if they were this deep.
const GROUPS: usize = 100_000;
/// The most bytes of what the document says about itself, each.
const ABOUT_BYTES: usize = 4_096;

/// Destinations that hold nothing to read. Those that are marked as skippable (`\*`) don't either.
const UNREAD: &[&str] = &[
    "colortbl",
    "stylesheet",
    "pict",
    "object",
    "fldinst",
    "themedata",
    "colorschememapping",
    "datastore",
    "latentstyles",
    "listtable",
    "listoverridetable",
    "rsidtbl",
    "generator",
    "xmlnstbl",
    "filetbl",
    "revtbl",
    "nonshppict",
    "bkmkstart",
    "bkmkend",
    "revtim",
    "creatim",
    "printim",
    "buptim",
    "doccomm",
    "operator",
    "company",
    "manager",
    "category",
    "hlinkbase",
    "template",
];

pub(crate) fn read(bytes: &[u8]) -> Document {
    let mut reader = Reader::new();
    let mut rest = bytes;
    while let Some((token, tail)) = Token::next(rest) {
        rest = tail;
        if let Token::Word("bin", count) = token {
            let count = usize::try_from(count.unwrap_or_default()).unwrap_or_default();
            rest = rest.get(count..).unwrap_or_default();
        }
        reader.take(&token);
        if reader.text.is_full() {
            break;
        }
    }
    reader.document()
}

/// The next piece of a file.
enum Token<'a> {
    /// `{`
    Open,
    /// `}`
    Close,
    /// `\word` and its number.
    Word(&'a str, Option<i32>),
    /// `\` and a character that is no letter.
    Symbol(u8),
    /// A byte of text.
    Byte(u8),
}

impl<'a> Token<'a> {
    fn next(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let (first, rest) = bytes.split_first()?;
        Some(match first {
            b'{' => (Self::Open, rest),
            b'}' => (Self::Close, rest),
            b'\\' => Self::control(rest)?,
            byte => (Self::Byte(*byte), rest),
        })
    }

    fn control(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let letters = bytes.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        if letters == 0 {
            let (symbol, rest) = bytes.split_first()?;
            return match (symbol, hex(rest)) {
                (b'\'', Some(byte)) => Some((Self::Byte(byte), &rest[2..])),
                _ => Some((Self::Symbol(*symbol), rest)),
            };
        }
        let (word, rest) = bytes.split_at(letters);
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits = rest[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = rest.split_at(if digits == 0 { 0 } else { sign + digits });
        let number = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
        let rest = rest.strip_prefix(b" ").unwrap_or(rest);
        Some((Self::Word(std::str::from_utf8(word).ok()?, number), rest))
    }
}

fn hex(bytes: &[u8]) -> Option<u8> {
    let code = std::str::from_utf8(bytes.get(..2)?).ok()?;
    u8::from_str_radix(code, 16).ok()
}

/// Where the text of a group goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Destination {
    #[default]
    Body,
    Fonts,
    Title,
    Author,
    Subject,
    Keywords,
    Nowhere,
}

/// What a group inherits, and what ends with it.
#[derive(Clone, Copy, Default)]
struct Group {
    destination: Destination,
    /// The font's number.
    font: i32,
    /// How many characters stand in for one that is given by its number in Unicode.
    substitutes: usize,
}

/// A file as far as it has been read.
struct Reader {
    text: Text,
    about: HashMap<&'static str, String>,
    groups: Vec<Group>,
    /// How much deeper than [`GROUPS`].
    deeper: usize,
    group: Group,
    /// The encoding of the document, and those of its fonts that have another.
    encoding: &'static Encoding,
    fonts: HashMap<i32, &'static Encoding>,
    /// Bytes that wait for those after them: a character may take two.
    bytes: Vec<u8>,
    /// The first half of a character beyond the basic plane.
    surrogate: Option<u16>,
    /// How many characters are still to be passed over.
    pass: usize,
}

impl Reader {
    fn new() -> Self {
        Self {
            text: Text::default(),
            about: HashMap::new(),
            groups: Vec::new(),
            deeper: 0,
            group: Group { substitutes: 1, ..Group::default() },
            encoding: WINDOWS_1252,
            fonts: HashMap::new(),
            bytes: Vec::new(),
            surrogate: None,
            pass: 0,
        }
    }

    fn take(&mut self, token: &Token<'_>) {
        match token {
            Token::Byte(b'\r' | b'\n') => {}
            Token::Byte(_) | Token::Symbol(_) if self.pass > 0 => self.pass -= 1,
            Token::Byte(byte) => self.bytes.push(*byte),
            other => {
                self.flush();
                self.control(other);
            }
        }
    }

    fn control(&mut self, token: &Token<'_>) {
        match token {
            Token::Open => self.open(),
            Token::Close => self.close(),
            Token::Symbol(symbol) => self.symbol(*symbol),
            Token::Word(word, number) => self.word(word, *number),
            Token::Byte(_) => {}
        }
    }

    fn open(&mut self) {
        self.pass = 0;
        if self.groups.len() < GROUPS { self.groups.push(self.group) } else { self.deeper += 1 }
    }

    fn close(&mut self) {
        self.pass = 0;
        if self.deeper > 0 {
            self.deeper -= 1;
        } else if let Some(outer) = self.groups.pop() {
            self.group = outer;
        }
    }

    fn symbol(&mut self, symbol: u8) {
        match symbol {
            b'*' => self.group.destination = Destination::Nowhere,
            b'~' => self.say("\u{A0}"),
            b'_' => self.say("\u{2011}"),
            b'\r' | b'\n' => self.say("\n"),
            b'{' | b'}' | b'\\' => self.say(&char::from(symbol).to_string()),
            _ => {}
        }
    }

    fn word(&mut self, word: &str, number: Option<i32>) {
        match word {
            "par" | "line" | "sect" | "page" | "row" | "column" => self.say("\n"),
            "tab" | "cell" => self.say("\t"),
            "emdash" => self.say("—"),
            "endash" => self.say("–"),
            "lquote" => self.say("‘"),
            "rquote" => self.say("’"),
            "ldblquote" => self.say("“"),
            "rdblquote" => self.say("”"),
            "bullet" => self.say("•"),
            "emspace" | "enspace" | "qmspace" => self.say(" "),
            "u" => self.unicode(number.unwrap_or_default()),
            "uc" => self.group.substitutes = usize::try_from(number.unwrap_or(1)).unwrap_or_default(),
            "ansicpg" => self.encoding = encoding::of_code_page(number.unwrap_or_default()),
            "mac" => self.encoding = encoding_rs::MACINTOSH,
            "f" => self.group.font = number.unwrap_or_default(),
            "fcharset" if self.group.destination == Destination::Fonts => {
                let encoding = number.and_then(encoding::of_charset);
                self.fonts.extend(encoding.map(|encoding| (self.group.font, encoding)));
            }
            word => self.destination(word),
        }
    }

    fn destination(&mut self, word: &str) {
        // Nothing within what is not read is read.
        if self.group.destination == Destination::Nowhere {
            return;
        }
        self.group.destination = match word {
            "fonttbl" => Destination::Fonts,
            "title" => Destination::Title,
            "author" => Destination::Author,
            "subject" => Destination::Subject,
            "keywords" => Destination::Keywords,
            word if UNREAD.contains(&word) => Destination::Nowhere,
            _ => return,
        };
    }

    fn unicode(&mut self, number: i32) {
        self.pass = self.group.substitutes;
        // Numbers from 32,768 on are written as negative ones.
        let Ok(unit) = u16::try_from(number.rem_euclid(0x1_0000)) else { return };
        let units = self.surrogate.take().into_iter().chain([unit]);
        if (0xD800..0xDC00).contains(&unit) {
            self.surrogate = Some(unit);
            return;
        }
        let decoded: String = char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{FFFD}')).collect();
        self.say(&decoded);
    }

    /// Says what the bytes say that waited.
    fn flush(&mut self) {
        if self.bytes.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.bytes);
        let encoding = self.fonts.get(&self.group.font).copied().unwrap_or(self.encoding);
        let (decoded, _) = encoding.decode_without_bom_handling(&bytes);
        self.say(&decoded);
    }

    fn say(&mut self, more: &str) {
        let name = match self.group.destination {
            Destination::Body => return self.text.push(more),
            Destination::Fonts | Destination::Nowhere => return,
            Destination::Title => "Title",
            Destination::Author => "Author",
            Destination::Subject => "Subject",
            Destination::Keywords => "Keywords",
        };
        let value = self.about.entry(name).or_default();
        if value.len() < ABOUT_BYTES {
            value.push_str(more);
        }
    }

    fn document(mut self) -> Document {
        self.flush();
        let known = |name: &str| self.about.get(name).map(String::as_str);
        let mut text = self.text;
        text.about(&[
            ("Author", known("Author")),
            ("Subject", known("Subject")),
            ("Keywords", known("Keywords")),
        ]);
        Document { title: known("Title").map(str::to_owned), text: text.into_string(), unread: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(rtf: &str) -> String {
        read(rtf.as_bytes()).text
    }

    #[test]
    fn what_is_read_is_kept_and_the_rest_is_not() {
        let letter = read(
            br"{\rtf1\ansi{\fonttbl{\f0\fswiss Arial;}}{\colortbl;\red0;}{\stylesheet{\s0 Normal;}}
{\info{\title A letter}{\author Ada}{\creatim\yr2024}}{\*\generator Word}{\pict\bin4 }{}}x}
\pard Dear \b friend\b0 ,\par see {\field{\*\fldinst HYPERLINK x}{\fldrslt the \{page\}}}.\tab End\par}",
        );
        assert_eq!(letter.title.as_deref(), Some("A letter"));
        assert_eq!(letter.text, "Dear friend,\nsee the {page}.\tEnd\nAuthor: Ada\n");
    }

    #[test]
    fn characters_come_in_code_pages_and_in_unicode() {
        assert_eq!(text(r"{\rtf1\ansi\ansicpg1252 caf\'e9}"), "café");
        assert_eq!(text(r"{\rtf1\ansi\ansicpg1251 \'cf\'f0\'e8}"), "При");
        assert_eq!(text(r"{\rtf1{\fonttbl{\f1\fcharset128 M;}}{\f1\'93\'fa\'96\'7b}}"), "日本");
        assert_eq!(text(r"{\rtf1\u233?t\u233\'e9 \uc0\u-10179\u-8704.}"), "été 😀.");
    }

    #[test]
    fn depth_and_disorder_are_survived() {
        let deep = format!("{{\\rtf1 {}x{}", "{\\b ".repeat(300_000), "}".repeat(400_000));
        assert_eq!(text(&deep), "x");
        assert_eq!(text("{\\rtf1 a\\"), "a");
        assert_eq!(text("{\\rtf1 a\\bin99999999999 b"), "ab");
        assert_eq!(text("{\\rtf1 a\\bin2147483647 b"), "a");
        assert_eq!(text("}}}\\'zz\\u99999999999999 ?x"), "zz\u{0}x");
    }
}
