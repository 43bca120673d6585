//! What was made to do harm: little that becomes much, ways without an end, and sizes that are lies.

use std::io::Write;

use flate2::write::{DeflateEncoder, ZlibEncoder};
use flate2::{Compression, FlushCompress};
use stoa_testing::seeds::packed::{bzip2, gzip, zip, zstd};
use stoa_testing::seeds::{open, pdf};

/// A file of harm.
pub struct Bomb {
    pub name: &'static str,
    pub bytes: Vec<u8>,
    /// Whether no parser can make anything of it.
    pub must_fail: bool,
}

/// What a block of a bomb unpacks to, in bytes, nearly.
const BLOCK: usize = 1024 * 1024;
/// How many such blocks a deflated bomb has.
const BLOCKS: usize = 300;
/// What stands in one, again and again.
const BOOM: &str = "<p>boom</p>";
/// What all of them unpack to, with the one byte after them.
const UNPACKED: usize = BLOCKS * (BLOCK / BOOM.len()) * BOOM.len() + 1;

pub fn all() -> Vec<Bomb> {
    let harm = |name, bytes| Bomb { name, bytes, must_fail: false };
    let fatal = |name, bytes| Bomb { name, bytes, must_fail: true };
    vec![
        fatal("text.odt", packed_bomb("content.xml", "application/vnd.oasis.opendocument.text")),
        fatal("word.docx", office_bomb("word/document.xml")),
        fatal("cells.xlsx", office_bomb("xl/sharedStrings.xml")),
        harm("pages.epub", packed_bomb("a.xhtml", "application/epub+zip")),
        harm("zeros.tar.gz", tar_bomb(&gzip(&zeros()))),
        harm("zeros.tar.bz2", bzip2(&tar_of("zeros", 1 << 33)).repeat(3)),
        harm("zeros.tar.zst", zstd(&[tar_of("zeros", 1 << 33), zeros()].concat())),
        harm("gz.gz", gzip(&gzip(&zeros())).repeat(500)),
        harm("stream.pdf", pdf_with(&flate_bomb("BT /F1 1 Tf (x) Tj ET "))),
        harm("wide.pdf", pdf_with(&flate_bomb("q 1 0 0 1 0 0 cm "))),
        harm("cycle.pdf", pdf::written(&[
            b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
            b"<< /Type /Pages /Kids [2 0 R 3 0 R 2 0 R] /Parent 2 0 R /Count 2147483647 >>".to_vec(),
            b"<< /Type /Pages /Kids [2 0 R] /Count 1 >>".to_vec(),
        ])),
        harm("length.pdf", pdf_with(b"<< /Length 4 0 R >>\nstream\nBT (x) Tj ET\nendstream".as_ref())),
        harm("lie.pdf", pdf_with(b"<< /Length 99999999999999999999 >>\nstream\nBT (x) Tj ET\nendstream".as_ref())),
        harm("form.pdf", pdf_with(&form_cycle())),
        harm("arrays.pdf", pdf_with(&nested("[", "]"))),
        harm("dictionaries.pdf", pdf_with(&nested("<< /A ", " >>"))),
        harm("strings.pdf", pdf_with(&nested("(", ")"))),
        harm("table.pdf", b"%PDF-1.7\nxref\n0 4294967295\ntrailer\n<< /Size 4294967295 /Root 1 0 R /Prev 9 >>\nstartxref\n9\n%%EOF".to_vec()),
        harm("deep.odt", open::open("text", &("<text:p>".to_owned() + &"<text:span>".repeat(100_000) + "bottom of the odt"))),
        harm("laughs.odt", laughs()),
        harm("deep.docx", deep_word()),
        harm("deep.html", "<div><b>".repeat(100_000).into_bytes()),
        harm("deep.xml", "<a>".repeat(100_000).into_bytes()),
        harm("deep.json", "[".repeat(100_000).into_bytes()),
        harm("deep.rtf", format!("{{\\rtf1 {}bottom", "{\\b ".repeat(100_000)).into_bytes()),
        harm("bin.rtf", b"{\\rtf1 before\\bin2147483647 after}".to_vec()),
        harm("parts.eml", nested_parts(3_000).into_bytes()),
        harm("mails.eml", nested_mails(3_000).into_bytes()),
        harm("headers.eml", format!("From: a@b\r\nSubject: x\r\n{}\r\n\r\nbody", "To: c@d,\r\n ".repeat(200_000)).into_bytes()),
        harm("size.tar", tar_of("huge", 1 << 40)),
        harm("long.tar", long_name_tar()),
        fatal("entries.zip", lying_zip()),
        harm("overlap.zip", overlapping_zip()),
        fatal("sectors.doc", compound_cycle()),
        harm("nothing.docx", b"PK\x05\x06".iter().copied().chain([0; 18]).collect()),
    ]
}

fn zeros() -> Vec<u8> {
    vec![b' '; BLOCK]
}

/// Deflated text that unpacks to 300 MiB: blocks that say the same again, each whole in itself.
fn deflated() -> Vec<u8> {
    let block = BOOM.repeat(BLOCK / BOOM.len());
    let mut packer = flate2::Compress::new(Compression::best(), false);
    let mut one = Vec::with_capacity(BLOCK);
    packer.compress_vec(block.as_bytes(), &mut one, FlushCompress::Full).unwrap();
    let mut end = DeflateEncoder::new(Vec::new(), Compression::best());
    end.write_all(b" ").unwrap();
    [one.repeat(BLOCKS), end.finish().unwrap()].concat()
}

/// A ZIP archive with one entry that is a bomb beside what tells its format.
fn packed_bomb(part: &str, mime: &str) -> Vec<u8> {
    raw_zip(&[("mimetype", mime.as_bytes().to_vec(), false), (part, deflated(), true)])
}

fn office_bomb(part: &str) -> Vec<u8> {
    let types = r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
        <Default Extension="xml" ContentType="application/xml"/></Types>"#;
    let main = if part.starts_with("xl/") { "xl/workbook.xml" } else { part };
    let relations = format!(
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1"
        Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="{main}"/>
        </Relationships>"#
    );
    raw_zip(&[
        ("[Content_Types].xml", types.as_bytes().to_vec(), false),
        ("_rels/.rels", relations.into_bytes(), false),
        (part, deflated(), true),
    ])
}

/// A ZIP archive of entries: name, bytes as they are stored, and whether those are a bomb of [`deflated`].
fn raw_zip(entries: &[(&str, Vec<u8>, bool)]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, stored, deflated) in entries {
        let at = u32::try_from(archive.len()).unwrap();
        let method: u16 = if *deflated { 8 } else { 0 };
        let size = u32::try_from(stored.len()).unwrap();
        let unpacked = if *deflated { u32::try_from(UNPACKED).unwrap() } else { size };
        let mut head = Vec::new();
        head.extend([20, 0, 0, 0]);
        head.extend(method.to_le_bytes());
        head.extend([0; 4]);
        head.extend(crc32(stored, *deflated).to_le_bytes());
        head.extend(size.to_le_bytes());
        head.extend(unpacked.to_le_bytes());
        head.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        head.extend([0; 2]);
        archive.extend([b"PK\x03\x04", &head[..], name.as_bytes(), stored].concat());
        directory.extend(
            [b"PK\x01\x02\x14\0".as_slice(), &head, &[0; 10], &at.to_le_bytes(), name.as_bytes()].concat(),
        );
    }
    let (at, size) = (u32::try_from(archive.len()).unwrap(), u32::try_from(directory.len()).unwrap());
    let count = u16::try_from(entries.len()).unwrap().to_le_bytes();
    archive.extend(directory);
    archive.extend(
        [b"PK\x05\x06\0\0\0\0".as_slice(), &count, &count, &size.to_le_bytes(), &at.to_le_bytes(), &[0; 2]]
            .concat(),
    );
    archive
}

/// The checksum of an entry that is stored; nobody gets to that of a bomb.
fn crc32(bytes: &[u8], deflated: bool) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    if deflated { 0 } else { crc.sum() }
}

/// A tar archive whose one entry is said to be this large.
fn tar_of(name: &str, size: u64) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.set_path(name).unwrap();
    header.set_size(size);
    header.set_cksum();
    header.as_bytes().to_vec()
}

/// Two gigabytes in an archive of a few kilobytes.
fn tar_bomb(block: &[u8]) -> Vec<u8> {
    [gzip(&tar_of("zeros", 1 << 31)), block.repeat(2_048)].concat()
}

/// A name that is said to take eight gigabytes.
fn long_name_tar() -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.set_path("././@LongLink").unwrap();
    header.set_entry_type(tar::EntryType::GNULongName);
    header.set_size(1 << 33);
    header.set_cksum();
    [header.as_bytes().as_slice(), &[b'n'; 100_000]].concat()
}

/// A PDF whose page shows this object.
fn pdf_with(content: impl AsRef<[u8]>) -> Vec<u8> {
    pdf::written(&[
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << /Font << /F1 5 0 R >> /XObject << /X 4 0 R >> >> /Contents 4 0 R >>".to_vec(),
        content.as_ref().to_vec(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 4 0 R >>".to_vec(),
    ])
}

/// A stream that unpacks to 256 MiB, packed twice.
fn flate_bomb(content: &str) -> Vec<u8> {
    let block = content.repeat(BLOCK / content.len());
    let mut inner = ZlibEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..64 {
        inner.write_all(block.as_bytes()).unwrap();
    }
    let mut outer = ZlibEncoder::new(Vec::new(), Compression::best());
    outer.write_all(&inner.finish().unwrap()).unwrap();
    let packed = outer.finish().unwrap();
    let head = format!("<< /Length {} /Filter [/FlateDecode /FlateDecode] >>\nstream\n", packed.len());
    [head.as_bytes(), &packed, b"\nendstream"].concat()
}

/// A form that shows itself, twice.
fn form_cycle() -> Vec<u8> {
    let body = "/X Do /X Do BT /F1 1 Tf (again) Tj ET";
    let resources = "/Resources << /XObject << /X 4 0 R >> /Font << /F1 5 0 R >> >>";
    let head =
        format!("<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] {resources} /Length {} >>", body.len());
    format!("{head}\nstream\n{body}\nendstream").into_bytes()
}

fn nested(open: &str, close: &str) -> Vec<u8> {
    (open.repeat(100_000) + &close.repeat(100_000)).into_bytes()
}

fn laughs() -> Vec<u8> {
    let entities: String =
        (1..10).map(|n| format!("<!ENTITY lol{n} \"{}\">", format!("&lol{};", n - 1).repeat(10))).collect();
    let content = format!(
        "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY lol0 \"lol\">{entities}]><x><p>&lol9; the end</p></x>"
    );
    zip(&[("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", &content)])
}

fn deep_word() -> Vec<u8> {
    let open = "<w:tbl><w:tr><w:tc>".repeat(35_000);
    let body = format!(
        r#"<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>{open}<w:p><w:r>
        <w:t>bottom</w:t></w:r></w:p>"#
    );
    let relations = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
        <Relationship Id="r1" Target="word/document.xml"
        Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>"#;
    let types = r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
        <Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#;
    zip(&[("[Content_Types].xml", types), ("_rels/.rels", relations), ("word/document.xml", &body)])
}

fn nested_parts(depth: usize) -> String {
    let parts: String = (0..depth)
        .map(|n| format!("Content-Type: multipart/mixed; boundary=b{n}\r\n\r\n--b{n}\r\n"))
        .collect();
    format!("From: a@b\r\nSubject: parts\r\n{parts}Content-Type: text/plain\r\n\r\nbottom\r\n")
}

fn nested_mails(depth: usize) -> String {
    format!(
        "{}From: a@b\r\nSubject: bottom\r\n\r\nend",
        "From: a@b\r\nSubject: x\r\nContent-Type: message/rfc822\r\n\r\n".repeat(depth)
    )
}

/// A directory that is said to have four billion entries.
fn lying_zip() -> Vec<u8> {
    let mut archive = b"PK\x03\x04".to_vec();
    archive.extend([0; 26]);
    archive.extend(
        [b"PK\x06\x06".as_slice(), &44_u64.to_le_bytes(), &[45, 0, 45, 0], &[0; 8], &[0xFF; 32]].concat(),
    );
    archive.extend([b"PK\x06\x07".as_slice(), &[0; 4], &30_u64.to_le_bytes(), &1_u32.to_le_bytes()].concat());
    archive.extend([b"PK\x05\x06".as_slice(), &[0; 4], &[0xFF; 12], &[0; 2]].concat());
    archive
}

/// Entries that are all the same bytes.
fn overlapping_zip() -> Vec<u8> {
    let one = zip(&[("a", "aaaa")]);
    let (body, directory) = one.split_at(one.windows(4).position(|window| window == b"PK\x01\x02").unwrap());
    let entry = &directory[..directory.len() - 22];
    let (count, size) = (30_000_u16, u32::try_from(entry.len() * 30_000).unwrap());
    let at = u32::try_from(body.len()).unwrap();
    let end = [
        b"PK\x05\x06\0\0\0\0".as_slice(),
        &count.to_le_bytes(),
        &count.to_le_bytes(),
        &size.to_le_bytes(),
        &at.to_le_bytes(),
        &[0; 2],
    ];
    [body, &entry.repeat(30_000), &end.concat()].concat()
}

/// A compound file whose table of sectors leads back to itself.
fn compound_cycle() -> Vec<u8> {
    let mut file = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec();
    file.extend([0; 16]);
    file.extend([0x3E, 0, 3, 0, 0xFE, 0xFF, 9, 0, 6, 0]);
    file.extend([0; 10]);
    for number in [1_u32, 1, 0, 4_096, 0xFFFF_FFFE, 0, 0, 0xFFFF_FFFF, 0] {
        file.extend(number.to_le_bytes());
    }
    file.resize(512, 0);
    file.extend([1, 0, 0, 0, 0, 0, 0, 0].repeat(64));
    file.resize(2_048, 0);
    file
}
