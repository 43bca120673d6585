//! What a thing is called.

use stoa_base::text::clip::{clip, one_line};

use super::Kind;

/// The longest title, in characters.
pub const TITLE_CHARS: usize = 200;

/// How much of a text's own title is looked at, in characters: white space is folded before it is cut.
const OWN_TITLE_CHARS: usize = 2_000;

/// The longest ending of a file name that counts as its extension, in bytes.
const EXTENSION_BYTES: usize = 5;

/// The title of a thing: what its text calls itself, else its file name made readable. One line of
/// visible characters, 1 to [`TITLE_CHARS`].
#[must_use]
pub fn title(own: Option<&str>, key: &str, kind: Kind) -> String {
    let own = own.map(|own| one_line(clip(own, OWN_TITLE_CHARS).0, TITLE_CHARS));
    own.filter(|title| !title.is_empty()).unwrap_or_else(|| from_key(key, kind))
}

/// Code, data and archives are known by their whole file name; of the others the extension is left
/// out, since the kind says it.
fn from_key(key: &str, kind: Kind) -> String {
    let name = file_name(key);
    let readable = match kind {
        Kind::Code | Kind::Data | Kind::Archive | Kind::Other => one_line(name, TITLE_CHARS),
        _ => one_line(&without_extension(name).replace('_', " "), TITLE_CHARS),
    };
    if readable.is_empty() { "Untitled".to_owned() } else { readable }
}

/// The last part of a key: of an address, without what follows `?` or `#`.
fn file_name(key: &str) -> &str {
    let path = if key.contains("://") { key.split(['?', '#']).next().unwrap_or(key) } else { key };
    let path = path.trim_end_matches('/');
    path.rsplit('/').next().unwrap_or(path)
}

fn without_extension(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.trim().is_empty() && is_extension(ending) => stem,
        _ => name,
    }
}

fn is_extension(ending: &str) -> bool {
    (1..=EXTENSION_BYTES).contains(&ending.len())
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && ending.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_own_title_comes_first() {
        assert_eq!(title(Some(" Annual\n report "), "a/b.pdf", Kind::Document), "Annual report");
        assert_eq!(title(Some(" \n"), "a/b.pdf", Kind::Document), "b");
        assert_eq!(title(Some(&"x".repeat(500)), "b", Kind::Web).chars().count(), TITLE_CHARS);
    }

    #[test]
    fn a_file_name_is_made_readable() {
        assert_eq!(title(None, "2024/annual_report_v1.2.pdf", Kind::Document), "annual report v1.2");
        assert_eq!(title(None, "Release 1.2", Kind::Document), "Release 1.2");
        assert_eq!(title(None, "src/text_units.rs", Kind::Code), "text_units.rs");
        assert_eq!(title(None, "pictures/.hidden", Kind::Image), ".hidden");
        assert_eq!(title(None, "https://example.com/news/today.html?x=/y", Kind::Web), "today");
        assert_eq!(title(None, "https://example.com/", Kind::Web), "example");
    }

    #[test]
    fn a_thing_is_never_without_a_title() {
        assert_eq!(title(None, "", Kind::Other), "Untitled");
        assert_eq!(title(None, "a/\u{200B}", Kind::Other), "Untitled");
    }
}
