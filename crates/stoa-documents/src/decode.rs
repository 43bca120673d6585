//! Bytes to characters.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

/// How much of a page is searched for its `<meta charset>`: what the HTML Standard prescribes.
const META_BYTES: usize = 1_024;

/// Text that was read from bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The characters. NUL, which `PostgreSQL` refuses, became a space; what could not be read, U+FFFD.
    pub text: Cow<'a, str>,
    /// The encoding's name (WHATWG Encoding Standard), such as `UTF-8` or `windows-1252`.
    pub encoding: &'static str,
}

/// Reads bytes by their byte order mark, else as UTF-8 if that is valid, else by the likeliest of the
/// older encodings.
#[must_use]
pub fn decode(bytes: &[u8]) -> Decoded<'_> {
    marked(bytes).or_else(|| utf_8(bytes)).unwrap_or_else(|| read(bytes, guess(bytes)))
}

/// As [`decode`], but before guessing, what a page says of itself in `<meta charset>` counts.
#[must_use]
pub fn decode_html(bytes: &[u8]) -> Decoded<'_> {
    marked(bytes)
        .or_else(|| utf_8(bytes))
        .unwrap_or_else(|| read(bytes, declared(bytes).unwrap_or_else(|| guess(bytes))))
}

fn marked(bytes: &[u8]) -> Option<Decoded<'_>> {
    let (encoding, mark) = Encoding::for_bom(bytes)?;
    Some(read(&bytes[mark..], encoding))
}

fn utf_8(bytes: &[u8]) -> Option<Decoded<'_>> {
    let text = std::str::from_utf8(bytes).ok()?;
    Some(Decoded { text: without_nul(Cow::Borrowed(text)), encoding: UTF_8.name() })
}

fn read<'a>(bytes: &'a [u8], encoding: &'static Encoding) -> Decoded<'a> {
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    Decoded { text: without_nul(text), encoding: encoding.name() }
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow)
}

/// The encoding that a `<meta>` near the beginning names. A page whose `<meta>` can be read is not in
/// UTF-16, whatever it says (HTML Standard, prescan).
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes[..bytes.len().min(META_BYTES)].to_ascii_lowercase();
    let head = String::from_utf8_lossy(&head);
    let tags = head.split("<meta").skip(1).filter_map(|rest| rest.split('>').next());
    let encoding = tags.filter_map(charset).find_map(|label| Encoding::for_label(label.as_bytes()))?;
    Some(encoding.output_encoding())
}

/// What stands after `charset=` in a tag.
fn charset(tag: &str) -> Option<&str> {
    let (_, value) = tag.split_once("charset")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let value = value.trim_start_matches(['"', '\'']);
    value.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';' | '/')).next()
}

fn without_nul(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', " ")) } else { text }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read_as(bytes: &[u8]) -> (String, &'static str) {
        let decoded = decode(bytes);
        (decoded.text.into_owned(), decoded.encoding)
    }

    #[test]
    fn utf_8_and_byte_order_marks_are_recognized() {
        assert_eq!(read_as("día".as_bytes()), ("día".into(), "UTF-8"));
        assert_eq!(read_as(b"\xEF\xBB\xBFhi"), ("hi".into(), "UTF-8"));
        assert_eq!(read_as(b"\xFF\xFEh\0i\0"), ("hi".into(), "UTF-16LE"));
        assert_eq!(read_as(b"\xFE\xFF\0h\0i"), ("hi".into(), "UTF-16BE"));
    }

    #[test]
    fn older_encodings_are_guessed() {
        let (text, encoding) = read_as(b"El a\xF1o que viene ser\xE1 mejor, seg\xFAn dicen");
        assert_eq!((text.as_str(), encoding), ("El año que viene será mejor, según dicen", "windows-1252"));
        let (japanese, _, _) = encoding_rs::SHIFT_JIS.encode("これは日本語の文章です。");
        assert_eq!(read_as(&japanese), ("これは日本語の文章です。".into(), "Shift_JIS"));
    }

    #[test]
    fn a_page_may_name_its_encoding() {
        let page = b"<html><meta http-equiv=x content='text/html; charset=ISO-8859-2'><p>\xB3\xF3d\xBC";
        let decoded = decode_html(page);
        assert_eq!(decoded.encoding, "ISO-8859-2");
        assert!(decoded.text.ends_with("łódź"));
        assert_eq!(decode_html(b"<META CHARSET=\"koi8-r\"/>\xF0").encoding, "KOI8-R");
        assert_eq!(decode_html(b"<meta charset=utf-16>\xFF").encoding, "UTF-8");
    }

    #[test]
    fn nul_becomes_a_space() {
        assert_eq!(decode(b"a\0b").text, "a b");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes in any::<Vec<u8>>()) {
            prop_assert!(!decode(&bytes).text.contains('\0'));
            prop_assert!(!decode_html(&bytes).text.contains('\0'));
        }
    }
}
