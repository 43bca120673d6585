//! Writes the small documents of this crate as seeds of the fuzzing: `cargo run -p stoa-testing --features documents
//! --example fuzz_seeds`, from the root of the repository. See `docs/measuring.md`.

use std::fs;
use std::io::{Cursor, Read};
use std::path::Path;

use stoa_testing::seeds::{self, Seed, pdf};
use zip::ZipArchive;

fn main() -> std::io::Result<()> {
    let folder = Path::new("fuzz/seeds");
    for seed in seeds::all() {
        for target in targets(seed.mime) {
            let bytes = if LISTED.contains(target) { listed(&seed)? } else { seed.bytes.clone() };
            write(&folder.join(target), seed.name, &bytes)?;
        }
    }
    for (name, bytes) in pdfs() {
        for target in targets("application/pdf") {
            write(&folder.join(target), name, &bytes)?;
        }
    }
    for (name, mail) in MAILS {
        write(&folder.join("mail"), name, mail.replace('\n', "\r\n").as_bytes())?;
    }
    for (name, text) in RICH_TEXTS {
        write(&folder.join("rtf"), name, text.as_bytes())?;
    }
    Ok(())
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join(name), bytes)
}

/// Targets that take a document as a list of its parts.
const LISTED: &[&str] = &["office", "opendocument", "epub"];

/// Which targets read documents of this media type.
fn targets(mime: &str) -> &'static [&'static str] {
    match mime {
        "application/pdf" => &["pdf", "pdf_damaged"],
        "application/msword" | "application/vnd.ms-excel" | "application/vnd.ms-powerpoint" => {
            &["office_legacy"]
        }
        "message/rfc822" => &["mail"],
        "application/mbox" => &["mailbox"],
        "application/rtf" => &["rtf"],
        "application/epub+zip" => &["epub"],
        "application/zip" | "application/x-tar" => &["archive"],
        mime if mime.starts_with("application/vnd.oasis") => &["opendocument"],
        mime if mime.starts_with("application/vnd.openxmlformats") => &["office"],
        _ => &["compressed"],
    }
}

/// The parts of a packed document, each as a line `@@ name` and its content.
fn listed(seed: &Seed) -> std::io::Result<Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(&seed.bytes))?;
    let mut listed = Vec::new();
    for index in 0..archive.len() {
        let mut part = archive.by_index(index)?;
        listed.extend(format!("@@ {}\n", part.name().unwrap_or_default()).into_bytes());
        part.read_to_end(&mut listed)?;
    }
    Ok(listed)
}

/// Whose inner parts are not compressed, so that a change to them is one to what is read.
fn pdfs() -> Vec<(&'static str, Vec<u8>)> {
    let show = "q 1 0 0 1 72 700 cm BT /F1 12 Tf 14 TL (plain \\(words\\) \\101) Tj T* <776f726473> ' 0 1 (more) \" ET \
        /X Do BI /W 2 /H 2 /BPC 8 /CS /G ID abcd EI Q /S <</MCID 0>> BDC [(ker) -120 (ned)] TJ EMC";
    let map = "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange \
        2 beginbfrange <0001> <0005> <0041> <0006> <0007> [<0058> <D83DDE00>] endbfrange 1 beginbfchar <0020> <0020> \
        endbfchar endcmap end";
    let wide = "BT /F2 9 Tf <000100020003> Tj [<0004> 250 <0006>] TJ ET";
    let encoded = "<< /Length 40 /Filter [/ASCIIHexDecode] >>\nstream\n4254202F46312031205466202868656C6C6F29>\nendstream";
    let turned = "<< /Length 48 /Filter /ASCII85Decode >>\nstream\n6<#'\\7PQ#@1a#b0+>GQ(+?(u.+B2ko-qIocCi:FtDfTZ).9(%)78s~>\nendstream";
    let base = |content: &str| {
        vec![
            b"<< /Type /Catalog /Pages 2 0 R /Outlines 9 0 R /AcroForm << /Fields [] >> >>".to_vec(),
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Rotate 90 /Resources << /Font << /F1 5 0 R /F2 6 0 R >> \
              /XObject << /X 8 0 R >> >> /Contents [4 0 R] /Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] \
              /A << /S /URI /URI (https://example.com) >> >>] >>"
                .to_vec(),
            if content.starts_with("<<") { content.as_bytes().to_vec() } else { stream("", content) },
            b"<< /Type /Font /Subtype /TrueType /BaseFont /Arial /FirstChar 65 /LastChar 67 /Widths [500 600 700] \
              /Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [65 /eacute /Euro 90 /g12] >> >>"
                .to_vec(),
            b"<< /Type /Font /Subtype /Type0 /BaseFont /Wide /Encoding /Identity-H /ToUnicode 7 0 R /DescendantFonts [<< /Type \
              /Font /Subtype /CIDFontType2 /BaseFont /Wide /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) \
              /Supplement 0 >> /DW 1000 /W [1 [500 600] 3 5 700] >>] >>"
                .to_vec(),
            stream("", map),
            stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Matrix [1 0 0 1 5 5]", "BT /F1 9 Tf (in a form) Tj ET"),
            b"<< /Title <FEFF0041> /Author (\\376\\377\\000B) /CreationDate (D:20240101120000+01'00') /Type /Outlines >>".to_vec(),
        ]
    };
    vec![
        ("plain.pdf", pdf::written(&base(show))),
        ("wide.pdf", pdf::written(&base(wide))),
        ("hex.pdf", pdf::written(&base(encoded))),
        ("base85.pdf", pdf::written(&base(turned))),
        ("headless.pdf", pdf::written(&base(show))[15..].to_vec()),
        ("objects.pdf", object_stream()),
    ]
}

fn stream(entries: &str, content: &str) -> Vec<u8> {
    format!("<< /Length {} {entries} >>\nstream\n{content}\nendstream", content.len()).into_bytes()
}

/// A file whose objects are in a stream, and so is their table.
fn object_stream() -> Vec<u8> {
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 \
         /BaseFont /Helvetica >> >> >> >>",
    ];
    let (mut index, mut body) = (String::new(), String::new());
    for (number, object) in objects.iter().enumerate() {
        index += &format!("{} {} ", number + 1, body.len());
        body += &format!("{object} ");
    }
    let entries = format!("/Type /ObjStm /N 3 /First {}", index.len());
    let mut file = b"%PDF-1.5\n".to_vec();
    let mut at = Vec::new();
    for (number, object) in
        [(4, stream(&entries, &(index + &body))), (5, stream("", "BT /F1 9 Tf (packed) Tj ET"))]
    {
        at.push(u8::try_from(file.len() / 2).unwrap_or_default());
        // An even place, so that it can be told in a byte.
        if file.len() % 2 == 1 {
            file.push(b'\n');
        }
        file.extend(format!("{number} 0 obj\n").into_bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let start = file.len();
    let table = [
        [0, 0, 0, 255],
        [2, 0, 4, 0],
        [2, 0, 4, 1],
        [2, 0, 4, 2],
        [1, 0, at[0], 0],
        [1, 0, at[1], 0],
        [1, 0, 0, 0],
    ];
    let mut entries = table.concat();
    entries.truncate(28);
    file.extend(b"6 0 obj\n<< /Type /XRef /Size 7 /W [1 2 1] /Root 1 0 R /Length 28 >>\nstream\n");
    file.extend(entries);
    file.extend(format!("\nendstream\nendobj\nstartxref\n{start}\n%%EOF\n").into_bytes());
    file
}

/// Mails of other shapes.
const MAILS: &[(&str, &str)] = &[
    (
        "plain.eml",
        "From: a@b.example\nTo: group: c@d.example, \"E, F\" <e@f.example>;\nSubject: plain\nDate: 1 Jan 24 10:00 EST\n\nwords\n",
    ),
    (
        "inner.eml",
        "From: a@b.example\nContent-Type: multipart/digest; boundary=\"x y\"\n\n--x y\n\nSubject: inner\n\nfirst\n--x y\n\
      Content-Type: message/rfc822\n\nSubject: other\nContent-Type: text/html; charset=koi8-r\nContent-Transfer-Encoding: base64\n\n\
      PHA+aGVsbG88L3A+\n--x y--\n",
    ),
    (
        "names.eml",
        "From: =?utf-7?Q?+AOQ-?= <a@b.example>\nSubject: =?iso-2022-jp?B?GyRCRnxLXBsoQg==?= =?x?X?y?=\n\
      Content-Type: text/rtf; name*0*=utf-8''a%20; name*1=b.rtf\nContent-Disposition: attachment; filename*=utf-8''%e2%82%ac.rtf\n\n{\\rtf1 in}\n",
    ),
    (
        "encoded.eml",
        "MIME-Version: 1.0 (a (nested) comment)\nContent-Type: text/plain; charset=shift_jis\n\
      Content-Transfer-Encoding: quoted-printable\n\n=93=FA=96{ soft=\n break =3D =XY\n",
    ),
    (
        "uu.eml",
        "Subject: folded\n\tagain\nX-Empty:\nReceived: from x by y; Mon, 32 Foo 2024 99:99:99 +9999\n\n\
      begin 644 a.txt\n#0V%T\n`\nend\n",
    ),
];

/// Rich texts of other shapes.
const RICH_TEXTS: &[(&str, &str)] = &[
    (
        "unicode.rtf",
        "{\\rtf1\\ansi\\ansicpg932\\uc2\\u-10179 ??\\u-8704 ??{\\uc0\\u8364}\\'93\\'fa\\~\\_\\-\\bin3 {}}x\\u65536 ?}",
    ),
    (
        "tables.rtf",
        "{\\rtf1\\mac{\\fonttbl{\\f0\\fcharset2 Symbol;}{\\f1\\fcharset128 Mincho;}}\\trowd a\\cell b\\cell\\row{\\*\\bkmkstart m}{\\f1\\'93\\'fa}{\\footnote note}\\page}",
    ),
    ("broken.rtf", "{\\rtf1 {{{\\info{\\title t{\\author a}}\\bin99999 x}}}}}\\'z\\"),
];
