//! Word, Excel and PowerPoint, since 2007 and before.

use undoc::render::RenderOptions;
use undoc::{Error, FormatType};

use crate::Format;
use crate::read::{ParseError, Parsed};
use crate::text::Text;

/// Reads any of them.
pub(crate) fn read(bytes: &[u8]) -> Result<Parsed, ParseError> {
    let parsed = undoc::parse_bytes(bytes).map_err(ParseError::of)?;
    let text = undoc::render::to_text(&parsed, &RenderOptions::default()).map_err(ParseError::of)?;
    let about = &parsed.metadata;
    let keywords = about.keywords.join(", ");
    let facts = [
        ("Author", about.author.as_deref()),
        ("Subject", about.subject.as_deref()),
        ("Description", about.description.as_deref()),
        ("Keywords", Some(keywords.as_str())),
    ];
    Ok(Parsed::with_about(about.title.clone(), Text::from(without_rules(&text)), &facts))
}

/// The text without the lines and the padding that draw its tables: `a | b` is left of a row.
fn without_rules(text: &str) -> String {
    let is_rule = |line: &str| line.starts_with('+') && line.chars().all(|c| matches!(c, '+' | '-' | '='));
    let lines = text.lines().filter(|line| !is_rule(line.trim()));
    let rows = lines.map(|line| match row(line.trim()) {
        Some(cells) => cells.split('|').map(str::trim).collect::<Vec<_>>().join(" | "),
        None => line.to_owned(),
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// What stands between the edges of a row.
fn row(line: &str) -> Option<&str> {
    line.strip_prefix('|')?.strip_suffix('|')
}

/// Which format a compound file has. Most of Windows uses them: one that is none of Office is none of ours.
pub(crate) fn compound(bytes: &[u8], hint: Option<Format>) -> Option<Format> {
    match undoc::detect_format_from_bytes(bytes) {
        Ok(FormatType::Doc) => Some(Format::Doc),
        Ok(FormatType::Xls) => Some(Format::Xls),
        Ok(FormatType::Ppt) => Some(Format::Ppt),
        // A package behind a password is kept in a compound file.
        Err(Error::Encrypted) => Some(hint.unwrap_or(Format::Docx)),
        Ok(_) | Err(_) => hint,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_not_drawn() {
        let drawn =
            "Costs\n+-----+----+\n| Rent |  7 |\n+=====+====+\n| Gas  |    |\n+-----+----+\nend | of it";
        assert_eq!(without_rules(drawn), "Costs\nRent | 7\nGas | \nend | of it");
    }
}
