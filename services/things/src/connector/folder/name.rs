//! Names of files that are not UTF-8.

use std::fmt::Write as _;

/// A name as a key shows it. One that is not UTF-8 has its bad bytes as `\xNN` and ends in `~` and the
/// beginning of its hash, so that names which look alike stay apart.
pub(super) fn readable(raw: &[u8]) -> String {
    if let Ok(name) = str::from_utf8(raw) {
        return name.to_owned();
    }
    let mut name = String::new();
    for chunk in raw.utf8_chunks() {
        name.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a String can't fail.
            let _ = write!(name, "\\x{byte:02X}");
        }
    }
    let hash = blake3::hash(raw).to_hex();
    let _ = write!(name, "~{}", &hash[..8]);
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_utf_8_is_itself() {
        assert_eq!(readable("Año\n\u{202E}".as_bytes()), "Año\n\u{202E}");
    }

    #[test]
    fn bad_bytes_are_readable_and_names_that_look_alike_stay_apart() {
        assert!(readable(b"caf\xE9.txt").starts_with("caf\\xE9.txt~"));
        assert_ne!(readable(b"\xE9\\xE9"), readable(b"\\xE9\xE9"));
    }
}
