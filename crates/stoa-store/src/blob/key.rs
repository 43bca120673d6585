//! What a key may be. Checked here and nowhere else, since some storages leave their root on `..`.

/// The longest key, in bytes.
pub const LONGEST_KEY: usize = 512;

/// The text is not a blob's key.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("not a blob key: {0:?}")]
pub struct BadKey(String);

/// Takes parts joined by `/`, none of them empty, `.` or `..`, without NUL or backslash, at most
/// [`LONGEST_KEY`] bytes.
pub(super) fn check(key: &str) -> Result<(), BadKey> {
    let is_part = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\0', '\\']);
    if key.len() <= LONGEST_KEY && key.split('/').all(is_part) {
        return Ok(());
    }
    Err(BadKey(key.chars().take(80).collect()))
}

/// The key of content with this BLAKE3 hash, spread over folders.
#[must_use]
pub fn content_key(hash: &blake3::Hash) -> String {
    let hex = hash.to_hex();
    format!("content/{}/{}/{hex}", &hex[..2], &hex[2..4])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_parts_are_taken() {
        let longest = "k".repeat(LONGEST_KEY);
        for key in
            ["a", "a/b.txt", "año/日本 語", "..a/b..", longest.as_str(), &content_key(&blake3::hash(b"x"))]
        {
            assert_eq!(check(key), Ok(()), "{key}");
        }
    }

    #[test]
    fn what_could_leave_the_root_is_refused() {
        let too_long = "k".repeat(LONGEST_KEY + 1);
        for key in [
            "",
            "/a",
            "a/",
            "a//b",
            "..",
            "../a",
            "a/../b",
            "./a",
            "a/.",
            "a\0b",
            "a\\..\\b",
            too_long.as_str(),
        ] {
            assert!(check(key).is_err(), "{key}");
        }
    }
}
