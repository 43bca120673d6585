//! PDF files whose inner parts are not compressed, so that a change to them is one to what is read.

use stoa_testing::seeds::pdf::written;

/// What shows text: every operator of it, a form, an image in the line, marks.
const SHOW: &str = "q 1 0 0 1 72 700 cm BT /F1 12 Tf 14 TL (plain \\(words\\) \\101) Tj T* <776f726473> ' \
    0 1 (more) \" ET /X Do BI /W 2 /H 2 /BPC 8 /CS /G ID abcd EI Q /S <</MCID 0>> BDC [(ker) -120 (ned)] TJ EMC";
/// The same in a font that numbers its characters.
const WIDE: &str = "BT /F2 9 Tf <000100020003> Tj [<0004> 250 <0006>] TJ ET";
/// Which characters those numbers are.
const MAP: &str = "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <FFFF> \
    endcodespacerange 2 beginbfrange <0001> <0005> <0041> <0006> <0007> [<0058> <D83DDE00>] endbfrange \
    1 beginbfchar <0020> <0020> endbfchar endcmap end";
/// `BT /F1 9 Tf (hello) Tj ET`
const HEX: &str = "4254202F46312039205466202868656C6C6F2920546A204554>";
/// The same.
const BASE_85: &str = r"6<#'\7PQ#G+B2qq-tm1.Ci:aF<,*OE;u~>";

/// Each with its name.
pub fn all() -> Vec<(&'static str, Vec<u8>)> {
    let shown = file("", SHOW);
    let headless = shown[b"%PDF-1.7\n%....\n".len()..].to_vec();
    vec![
        ("plain.pdf", shown),
        ("wide.pdf", file("", WIDE)),
        ("hex.pdf", file("/Filter /ASCIIHexDecode", HEX)),
        ("base85.pdf", file("/Filter [/ASCII85Decode]", BASE_85)),
        ("headless.pdf", headless),
        ("objects.pdf", object_stream()),
    ]
}

/// A file with one page, whose content is this stream.
fn file(entries: &str, content: &str) -> Vec<u8> {
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Matrix [1 0 0 1 5 5]";
    written(&[
        b"<< /Type /Catalog /Pages 2 0 R /Outlines 9 0 R /AcroForm << /Fields [] >> >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Rotate 90 /Contents [4 0 R] /Resources << /Font \
          << /F1 5 0 R /F2 6 0 R >> /XObject << /X 8 0 R >> >> /Annots [<< /Type /Annot /Subtype /Link \
          /Rect [0 0 9 9] /A << /S /URI /URI (https://example.com) >> >>] >>"
            .to_vec(),
        stream(entries, content),
        b"<< /Type /Font /Subtype /TrueType /BaseFont /Arial /FirstChar 65 /LastChar 67 /Widths [500 600 700] \
          /Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [65 /eacute /Euro 90 /g12] >> >>"
            .to_vec(),
        b"<< /Type /Font /Subtype /Type0 /BaseFont /Wide /Encoding /Identity-H /ToUnicode 7 0 R /DescendantFonts \
          [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Wide /CIDSystemInfo << /Registry (Adobe) \
          /Ordering (Identity) /Supplement 0 >> /DW 1000 /W [1 [500 600] 3 5 700] >>] >>"
            .to_vec(),
        stream("", MAP),
        stream(form, "BT /F1 9 Tf (in a form) Tj ET"),
        b"<< /Title <FEFF0041> /Author (\\376\\377\\000B) /CreationDate (D:20240101120000+01'00') \
          /Type /Outlines >>"
            .to_vec(),
    ])
}

fn stream(entries: &str, content: &str) -> Vec<u8> {
    format!("<< /Length {} {entries} >>\nstream\n{content}\nendstream", content.len()).into_bytes()
}

/// A file whose objects are in a stream, and so is its table.
fn object_stream() -> Vec<u8> {
    let catalog = "<< /Type /Catalog /Pages 2 0 R >>";
    let pages = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
    let page = "<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << /Font << /F1 << /Type /Font \
        /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>";
    let index = format!("1 0 2 {} 3 {} ", catalog.len() + 1, catalog.len() + pages.len() + 2);
    let packed = stream(
        &format!("/Type /ObjStm /N 3 /First {}", index.len()),
        &format!("{index}{catalog} {pages} {page}"),
    );
    let mut file = b"%PDF-1.5\n".to_vec();
    // The type of each object in the table, where it is, and which it is there.
    let mut table = vec![[0, 0, 0, 255], [2, 0, 4, 0], [2, 0, 4, 1], [2, 0, 4, 2]];
    for (number, object) in [(4, packed), (5, stream("", "BT /F1 9 Tf (packed) Tj ET"))] {
        let [.., high, low] = file.len().to_be_bytes();
        table.push([1, high, low, 0]);
        file.extend([format!("{number} 0 obj\n").as_bytes(), &object, b"\nendobj\n"].concat());
    }
    let start = file.len();
    file.extend(b"6 0 obj\n<< /Type /XRef /Size 6 /W [1 2 1] /Root 1 0 R /Length 24 >>\nstream\n");
    file.extend(table.concat());
    file.extend(format!("\nendstream\nendobj\nstartxref\n{start}\n%%EOF\n").into_bytes());
    file
}
