//! The folder that is synced.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::{Bench, Outcome, search};

/// Files of a generated folder, where nothing is said.
const FILES: usize = 20_000;
/// Words of a generated file: some 3 kB.
const WORDS: usize = 400;
/// One file in so many holds a rare word.
const RARE: usize = 500;
/// Words that are neither rare nor in every file.
const VOCABULARY: usize = 20_000;

/// A folder; a generated one goes with it.
pub enum Tree {
    Found(PathBuf),
    Generated(TempDir),
}

impl Tree {
    /// The folder that was asked for, else the HTML of the Rust toolchain, else a generated one.
    pub fn of(bench: &Bench) -> Outcome<Self> {
        let options = &bench.options;
        match (&options.folder, options.files) {
            (Some(folder), _) => Ok(Self::Found(folder.clone())),
            (None, Some(files)) => generate(files),
            (None, None) => toolchain().map_or_else(|| generate(FILES), |html| Ok(Self::Found(html))),
        }
    }

    pub fn path(&self) -> &Path {
        match self {
            Self::Found(path) => path,
            Self::Generated(folder) => folder.path(),
        }
    }
}

fn toolchain() -> Option<PathBuf> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
    let root = String::from_utf8(output.stdout).ok()?;
    let html = Path::new(root.trim()).join("share/doc/rust/html");
    html.is_dir().then_some(html)
}

fn generate(files: usize) -> Outcome<Tree> {
    let folder = tempfile::tempdir()?;
    for file in 0..files {
        let within =
            folder.path().join(search::FOLDERS[file % search::FOLDERS.len()]).join(format!("{}", file / 400));
        fs::create_dir_all(&within)?;
        fs::write(within.join(format!("{file}.html")), page(file))?;
    }
    Ok(Tree::Generated(folder))
}

/// A page with the common words and phrases, and words that are the rarer the higher their number.
fn page(file: usize) -> String {
    let mut words: Vec<String> = Vec::with_capacity(WORDS);
    let mut state = file as u64;
    for at in 0..WORDS {
        // A linear congruential generator (Knuth): the same page for the same number.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let chance = usize::try_from(state >> 40).unwrap_or(0);
        let depth = (chance % VOCABULARY) * (chance / 7 % VOCABULARY) / VOCABULARY;
        words.push(if at.is_multiple_of(10) { common(chance).to_owned() } else { format!("w{depth}") });
    }
    if file.is_multiple_of(RARE) {
        words.push(search::RARE[file / RARE % search::RARE.len()].to_owned());
    }
    format!("<!DOCTYPE html><title>Page {file}</title><p>{}</p>", words.join(" "))
}

fn common(chance: usize) -> &'static str {
    let words = [search::COMMON, search::PHRASES, search::STEMS].concat();
    words[chance % words.len()]
}
