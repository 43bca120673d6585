//! PDF, written object by object.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::Seed;

pub(super) fn all() -> Vec<Seed> {
    vec![Seed {
        name: "report.pdf",
        mime: "application/pdf",
        bytes: file(),
        title: Some("Report of the harbor"),
        words: &[
            "Lighthouse accounts",
            "seventeen barrels of lamp oil",
            "second page tells of fog",
            "Berta Keel",
        ],
    }]
}

fn file() -> Vec<u8> {
    let first = "BT /F1 24 Tf 72 720 Td (Lighthouse accounts) Tj 0 -40 Td /F2 12 Tf \
        [(seventeen ) -20 (barrels of lamp oil)] TJ ET";
    let second = "BT /F2 12 Tf 1 0 0 1 72 700 Tm (The second page tells of fog.) Tj ET";
    let font = |name: &str| {
        format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>").into_bytes()
    };
    let page = |content: usize| {
        let resources = "/Resources << /Font << /F1 5 0 R /F2 6 0 R >> >>";
        format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {resources} /Contents {content} 0 R >>")
            .into_bytes()
    };
    written(&[
        b"<< /Type /Catalog /Pages 2 0 R /Outlines 10 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>".to_vec(),
        page(7),
        page(8),
        font("Helvetica-Bold"),
        font("Helvetica"),
        stream(first),
        stream(second),
        b"<< /Title (Report of the harbor) /Author (Berta Keel) /Producer (Stoa) >>".to_vec(),
        b"<< /Type /Outlines /First 11 0 R /Last 11 0 R /Count 1 >>".to_vec(),
        b"<< /Title (Accounts) /Parent 10 0 R /Dest [3 0 R /Fit] >>".to_vec(),
    ])
}

fn stream(content: &str) -> Vec<u8> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    packed.write_all(content.as_bytes()).expect("memory");
    let packed = packed.finish().expect("memory");
    let head = format!("<< /Length {} /Filter /FlateDecode >>\nstream\n", packed.len());
    [head.as_bytes(), &packed, b"\nendstream"].concat()
}

/// A file of these objects, numbered from 1: the first is the catalog, the ninth the information.
#[must_use]
pub fn written(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (index, object) in objects.iter().enumerate() {
        table.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.extend(format!("{} 0 obj\n", index + 1).into_bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let info = if objects.len() >= 9 { " /Info 9 0 R" } else { "" };
    let (size, at) = (objects.len() + 1, file.len());
    let trailer = format!("trailer\n<< /Size {size} /Root 1 0 R{info} >>\nstartxref\n{at}\n%%EOF\n");
    file.extend(table.into_bytes());
    file.extend(trailer.into_bytes());
    file
}
