//! The formats, and how content tells which it is.

use serde::{Deserialize, Serialize};

use crate::archive;
use crate::package::Package;

/// How far into a file the mark of a PDF may stand.
const PDF_HEAD: usize = 1_024;
/// What legacy Office files, and others of Windows, begin with.
const COMPOUND: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// A format that is read here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Portable Document Format.
    Pdf,
    /// Word since 2007.
    Docx,
    /// Excel since 2007.
    Xlsx,
    /// PowerPoint since 2007.
    Pptx,
    /// Word until 2003.
    Doc,
    /// Excel until 2003.
    Xls,
    /// PowerPoint until 2003.
    Ppt,
    /// OpenDocument text.
    Odt,
    /// OpenDocument spreadsheet.
    Ods,
    /// OpenDocument presentation.
    Odp,
    /// Electronic book.
    Epub,
    /// Rich Text Format.
    Rtf,
    /// A mail (RFC 5322, MIME).
    Mail,
    /// Mails, one after the other (RFC 4155).
    Mailbox,
    /// ZIP archive that is nothing else.
    Zip,
    /// tar archive.
    Tar,
    /// Compressed by gzip, maybe a tar archive.
    Gzip,
    /// Compressed by bzip2, maybe a tar archive.
    Bzip2,
    /// Compressed by xz, maybe a tar archive.
    Xz,
    /// Compressed by Zstandard, maybe a tar archive.
    Zstd,
}

/// Each format's media type.
const MIMES: &[(Format, &str)] = &[
    (Format::Pdf, "application/pdf"),
    (Format::Docx, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    (Format::Xlsx, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    (Format::Pptx, "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    (Format::Doc, "application/msword"),
    (Format::Xls, "application/vnd.ms-excel"),
    (Format::Ppt, "application/vnd.ms-powerpoint"),
    (Format::Odt, "application/vnd.oasis.opendocument.text"),
    (Format::Ods, "application/vnd.oasis.opendocument.spreadsheet"),
    (Format::Odp, "application/vnd.oasis.opendocument.presentation"),
    (Format::Epub, "application/epub+zip"),
    (Format::Rtf, "application/rtf"),
    (Format::Mail, "message/rfc822"),
    (Format::Mailbox, "application/mbox"),
    (Format::Zip, "application/zip"),
    (Format::Tar, "application/x-tar"),
    (Format::Gzip, "application/gzip"),
    (Format::Bzip2, "application/x-bzip2"),
    (Format::Xz, "application/x-xz"),
    (Format::Zstd, "application/zstd"),
];

/// Media types of containers in which one of the formats may be.
const CONTAINERS: &[&str] = &["application/x-ole-storage", "application/java-archive"];

/// Whether content that seems to be of this media type is worth reading.
#[must_use]
pub fn may_read(mime: &str) -> bool {
    Format::of_mime(mime).is_some() || CONTAINERS.contains(&mime)
}

impl Format {
    /// Its media type (RFC 6838).
    #[must_use]
    pub fn mime(self) -> &'static str {
        let known = MIMES.iter().find(|(format, _)| *format == self);
        known.map_or("application/octet-stream", |(_, mime)| mime)
    }

    /// The format of a media type.
    #[must_use]
    pub fn of_mime(mime: &str) -> Option<Self> {
        let mime = if mime == "text/rtf" { "application/rtf" } else { mime };
        MIMES.iter().find(|(_, known)| *known == mime).map(|(format, _)| *format)
    }

    /// What a content is: what its bytes say, else the hint.
    #[must_use]
    pub fn of(bytes: &[u8], hint: Option<Self>) -> Option<Self> {
        match bytes {
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(packed(bytes, hint)),
            [0x1F, 0x8B, ..] => Some(Self::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Self::Bzip2),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Self::Zstd),
            _ if bytes.starts_with(COMPOUND) => compound(bytes, hint),
            _ if bytes.starts_with(b"{\\rtf") => Some(Self::Rtf),
            _ if archive::is_tar(bytes) => Some(Self::Tar),
            _ if has_pdf_mark(bytes) && !matches!(hint, Some(Self::Mail | Self::Mailbox)) => Some(Self::Pdf),
            _ => hint,
        }
    }

    /// Whether such a document is a ZIP archive.
    const fn is_packed(self) -> bool {
        matches!(
            self,
            Self::Docx | Self::Xlsx | Self::Pptx | Self::Odt | Self::Ods | Self::Odp | Self::Epub | Self::Zip
        )
    }
}

fn has_pdf_mark(bytes: &[u8]) -> bool {
    bytes[..bytes.len().min(PDF_HEAD)].windows(5).any(|window| window == b"%PDF-")
}

/// What a ZIP archive is. One that can't be opened is what it was said to be.
fn packed(bytes: &[u8], hint: Option<Format>) -> Format {
    match Package::open(bytes) {
        Ok(mut package) => of_package(&mut package),
        Err(_) => hint.filter(|hint| hint.is_packed()).unwrap_or(Format::Zip),
    }
}

fn of_package(package: &mut Package<'_>) -> Format {
    let has = |start: &str| package.names().any(|name| name.starts_with(start));
    if has("[Content_Types].xml") {
        let folders = [("word/", Format::Docx), ("xl/", Format::Xlsx), ("ppt/", Format::Pptx)];
        return folders.iter().find(|(folder, _)| has(folder)).map_or(Format::Zip, |(_, format)| *format);
    }
    if has("META-INF/container.xml") && has("mimetype") {
        return Format::Epub;
    }
    let mime = package.part("mimetype").ok().flatten().unwrap_or_default();
    let mime = String::from_utf8_lossy(&mime);
    // Templates are named as their documents are, with an ending.
    let open = [Format::Odt, Format::Ods, Format::Odp, Format::Epub];
    open.into_iter().find(|format| mime.trim().starts_with(format.mime())).unwrap_or(Format::Zip)
}

#[cfg(feature = "office")]
fn compound(bytes: &[u8], hint: Option<Format>) -> Option<Format> {
    crate::office::compound(bytes, hint)
}

#[cfg(not(feature = "office"))]
fn compound(_bytes: &[u8], hint: Option<Format>) -> Option<Format> {
    hint
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_its_media_type() {
        for (format, mime) in MIMES {
            assert_eq!(Format::of_mime(mime), Some(*format));
            assert_eq!(format.mime(), *mime);
            assert!(may_read(mime));
        }
        assert!(!may_read("text/plain"));
    }

    #[test]
    fn content_comes_before_the_hint() {
        assert_eq!(Format::of(b"%PDF-1.7", Some(Format::Docx)), Some(Format::Pdf));
        assert_eq!(Format::of(b"junk\n%PDF-1.7", None), Some(Format::Pdf));
        assert_eq!(Format::of(b"{\\rtf1", Some(Format::Doc)), Some(Format::Rtf));
        assert_eq!(Format::of(b"\x1F\x8B\x08", Some(Format::Pdf)), Some(Format::Gzip));
        assert_eq!(Format::of(b"From: a@b\n\nsee %PDF-", Some(Format::Mail)), Some(Format::Mail));
        assert_eq!(Format::of(b"PK\x03\x04 cut off", Some(Format::Odt)), Some(Format::Odt));
        assert_eq!(Format::of(b"PK\x03\x04 cut off", Some(Format::Pdf)), Some(Format::Zip));
        assert_eq!(Format::of(b"whatever", None), None);
    }
}
