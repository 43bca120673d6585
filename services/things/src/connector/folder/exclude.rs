//! What a folder's listing leaves out.

use std::path::{Path, PathBuf};

use super::name::readable;

/// Names that are left out wherever they stand, and the data folder where it lies below.
#[derive(Debug)]
pub(super) struct Exclusions {
    patterns: Vec<String>,
    data: Option<PathBuf>,
}

impl Exclusions {
    /// `patterns` separated by commas; `data` is the data folder's path from the listed folder.
    pub(super) fn new(patterns: &str, data: Option<&Path>) -> Self {
        let patterns = patterns.split(',').map(str::trim).filter(|pattern| !pattern.is_empty());
        Self {
            patterns: patterns.map(str::to_owned).collect(),
            data: data.filter(|data| !data.as_os_str().is_empty()).map(Path::to_owned),
        }
    }

    /// Whether an entry of this readable name, at this path from the listed folder, is left out.
    pub(super) fn leaves_out(&self, name: &str, path: &Path) -> bool {
        self.patterns.iter().any(|pattern| matches(pattern.as_bytes(), name.as_bytes()))
            || self.data.as_deref() == Some(path)
    }

    /// Whether anything on the way to this path is left out.
    pub(super) fn leaves_out_path(&self, path: &Path) -> bool {
        path.ancestors().any(|part| {
            part.file_name().is_some_and(|name| self.leaves_out(&readable(name.as_encoded_bytes()), part))
        })
    }
}

/// Whether `name` is met by `pattern`, where `*` stands for any bytes and `?` for one character.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    // Where the last star stands, and how much of the name it has taken.
    let mut star = None;
    while n < name.len() {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p, n));
            p += 1;
        } else if pattern.get(p) == Some(&b'?') {
            p += 1;
            n += character(&name[n..]);
        } else if pattern.get(p) == Some(&name[n]) {
            p += 1;
            n += 1;
        } else if let Some((at, taken)) = star {
            star = Some((at, taken + 1));
            (p, n) = (at + 1, taken + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

/// The bytes of the first character.
fn character(text: &[u8]) -> usize {
    1 + text[1..].iter().take_while(|byte| **byte & 0b1100_0000 == 0b1000_0000).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_anything_and_a_question_mark_one_character() {
        for (pattern, name, met) in [
            (".git", ".git", true),
            (".git", ".github", false),
            ("*.tmp", "a.b.tmp", true),
            ("*.tmp", "a.tmp.b", false),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-b-b-d", false),
            ("?.txt", "é.txt", true),
            ("?.txt", "ab.txt", false),
            ("*", "", true),
            ("", "a", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), met, "{pattern} {name}");
        }
    }

    #[test]
    fn what_lies_below_an_excluded_folder_is_left_out() {
        let exclusions = Exclusions::new(" .git , node_* ,,", Some(Path::new("home/stoa")));
        assert!(exclusions.leaves_out_path(Path::new("a/.git/HEAD")));
        assert!(exclusions.leaves_out_path(Path::new("node_modules")));
        assert!(exclusions.leaves_out_path(Path::new("home/stoa/stoa.db")));
        assert!(!exclusions.leaves_out_path(Path::new("other/home/stoa")));
        assert!(!exclusions.leaves_out_path(Path::new("")));
    }
}
