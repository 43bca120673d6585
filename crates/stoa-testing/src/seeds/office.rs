//! Word, Excel and PowerPoint: since 2007 written part by part, before as files.

use super::Seed;
use super::packed::zip;

pub(super) fn all() -> Vec<Seed> {
    vec![
        Seed {
            name: "minutes.docx",
            mime: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            bytes: docx(),
            title: Some("Minutes of the guild"),
            words: &["Rope and tar", "The mast was measured", "Oakum", "nine bales", "Otto Brandt"],
        },
        Seed {
            name: "prices.xlsx",
            mime: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            bytes: xlsx(),
            title: None,
            words: &["Prices", "Cinnamon", "Nutmeg", "317"],
        },
        Seed {
            name: "voyage.pptx",
            mime: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            bytes: pptx(),
            title: None,
            words: &["Voyage to the islands", "Trade winds carry us"],
        },
        // These three came out of the makers of test files in the crate undoc 0.27.1 (MIT), with our words.
        Seed {
            name: "board.doc",
            mime: "application/msword",
            bytes: include_bytes!("../../seeds/board.doc").to_vec(),
            title: None,
            words: &["Minutes of the harbor board", "lighthouse needs a new lamp", "Zürich", "Keeper Ansgar"],
        },
        Seed {
            name: "cargo.xls",
            mime: "application/vnd.ms-excel",
            bytes: include_bytes!("../../seeds/cargo.xls").to_vec(),
            title: None,
            words: &["Amber", "4217.5", "manifest", "Boatswain Łucja"],
        },
        Seed {
            name: "voyage.ppt",
            mime: "application/vnd.ms-powerpoint",
            bytes: include_bytes!("../../seeds/voyage.ppt").to_vec(),
            title: None,
            words: &["Quarterly voyage", "Amber rose", "Source: harbor master", "Speak of the gale here"],
        },
    ]
}

const TYPES: &str = "http://schemas.openxmlformats.org/package/2006/content-types";
const RELATIONS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const VENDOR: &str = "application/vnd.openxmlformats-officedocument";

/// A package: its main part, the parts' types, and the parts.
fn package(main: &str, types: &[(&str, &str)], parts: &[(&str, &str)]) -> Vec<u8> {
    let overrides: String = types
        .iter()
        .map(|(part, kind)| format!(r#"<Override PartName="/{part}" ContentType="{VENDOR}.{kind}+xml"/>"#))
        .collect();
    let types = format!(
        r#"<Types xmlns="{TYPES}"><Default Extension="xml" ContentType="application/xml"/>
        <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
        <Override PartName="/docProps/core.xml"
        ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>{overrides}</Types>"#
    );
    let core = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties";
    let relations = format!(
        r#"<Relationships xmlns="{RELATIONS}"><Relationship Id="r1" Type="{OFFICE}/officeDocument" Target="{main}"/>
        <Relationship Id="r2" Type="{core}" Target="docProps/core.xml"/></Relationships>"#
    );
    let head = [("[Content_Types].xml", types.as_str()), ("_rels/.rels", relations.as_str())];
    zip(&[&head, parts].concat())
}

fn relations(of: &[(&str, &str, &str)]) -> String {
    let each = of.iter().map(|(id, kind, target)| {
        format!(r#"<Relationship Id="{id}" Type="{OFFICE}/{kind}" Target="{target}"/>"#)
    });
    format!(r#"<Relationships xmlns="{RELATIONS}">{}</Relationships>"#, each.collect::<String>())
}

fn docx() -> Vec<u8> {
    let document = r#"<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>
        <w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Rope and tar</w:t></w:r></w:p>
        <w:p><w:r><w:t xml:space="preserve">The mast </w:t></w:r><w:ins><w:r><w:t>was measured</w:t></w:r></w:ins>
        <w:r><w:footnoteReference w:id="2"/></w:r></w:p>
        <w:tbl><w:tr><w:tc><w:p><w:r><w:t>Oakum</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>nine bales</w:t></w:r></w:p>
        </w:tc></w:tr></w:tbl></w:body></w:document>"#;
    let notes = r#"<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
        <w:footnote w:id="2"><w:p><w:r><w:t>By Otto Brandt</w:t></w:r></w:p></w:footnote></w:footnotes>"#;
    let core = r#"<cp:coreProperties
        xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
        xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Minutes of the guild</dc:title>
        <dc:creator>Otto Brandt</dc:creator></cp:coreProperties>"#;
    let kind = "wordprocessingml";
    package(
        "word/document.xml",
        &[
            ("word/document.xml", &format!("{kind}.document.main")),
            ("word/footnotes.xml", &format!("{kind}.footnotes")),
        ],
        &[
            ("word/document.xml", document),
            ("word/footnotes.xml", notes),
            ("word/_rels/document.xml.rels", &relations(&[("r1", "footnotes", "footnotes.xml")])),
            ("docProps/core.xml", core),
        ],
    )
}

fn xlsx() -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let workbook = format!(
        r#"<workbook xmlns="{main}" xmlns:r="{OFFICE}"><sheets><sheet name="Prices" sheetId="1" r:id="r1"/></sheets>
        </workbook>"#
    );
    let sheet = format!(
        r#"<worksheet xmlns="{main}"><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>317</v></c></row>
        <row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2"><f>B1*2</f><v>634</v></c></row></sheetData></worksheet>"#
    );
    let strings = format!(
        r#"<sst xmlns="{main}"><si><t>Cinnamon</t></si><si><r><t>Nut</t></r><r><t>meg</t></r></si></sst>"#
    );
    let of = relations(&[
        ("r1", "worksheet", "worksheets/sheet1.xml"),
        ("r2", "sharedStrings", "sharedStrings.xml"),
    ]);
    package(
        "xl/workbook.xml",
        &[
            ("xl/workbook.xml", "spreadsheetml.sheet.main"),
            ("xl/worksheets/sheet1.xml", "spreadsheetml.worksheet"),
            ("xl/sharedStrings.xml", "spreadsheetml.sharedStrings"),
        ],
        &[
            ("xl/workbook.xml", &workbook),
            ("xl/_rels/workbook.xml.rels", &of),
            ("xl/worksheets/sheet1.xml", &sheet),
            ("xl/sharedStrings.xml", &strings),
        ],
    )
}

fn pptx() -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/presentationml/2006/main";
    let drawing = "http://schemas.openxmlformats.org/drawingml/2006/main";
    let deck = format!(
        r#"<p:presentation xmlns:p="{main}" xmlns:r="{OFFICE}"><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst>
        </p:presentation>"#
    );
    let shape = |id: u32, kind: &str, text: &str| {
        format!(
            r#"<p:sp><p:nvSpPr><p:cNvPr id="{id}" name="s{id}"/><p:cNvSpPr/><p:nvPr><p:ph type="{kind}"/></p:nvPr>
            </p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"#
        )
    };
    let (title, body) =
        (shape(2, "title", "Voyage to the islands"), shape(3, "body", "Trade winds carry us"));
    let slide = format!(
        r#"<p:sld xmlns:p="{main}" xmlns:a="{drawing}"><p:cSld><p:spTree><p:nvGrpSpPr/><p:grpSpPr/>{title}{body}
        </p:spTree></p:cSld></p:sld>"#
    );
    package(
        "ppt/presentation.xml",
        &[
            ("ppt/presentation.xml", "presentationml.presentation.main"),
            ("ppt/slides/slide1.xml", "presentationml.slide"),
        ],
        &[
            ("ppt/presentation.xml", &deck),
            ("ppt/_rels/presentation.xml.rels", &relations(&[("r1", "slide", "slides/slide1.xml")])),
            ("ppt/slides/slide1.xml", &slide),
        ],
    )
}
