//! The folder that is synced.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::{Bench, Outcome, words};

/// Words of a generated file: some 2 kB.
const WORDS: u32 = 400;
/// Files of one folder.
const IN_A_FOLDER: u32 = 500;

/// A folder; a generated one goes with it.
pub enum Tree {
    /// One that was there.
    Found(PathBuf),
    /// One of the bench's own.
    Generated(TempDir),
}

impl Tree {
    /// The folder that was asked for, else a generated one.
    pub fn of(bench: &Bench) -> Outcome<Self> {
        match &bench.options.folder {
            Some(folder) => Ok(Self::Found(folder.clone())),
            None => generate(bench.options.files),
        }
    }

    pub fn path(&self) -> &Path {
        match self {
            Self::Found(path) => path,
            Self::Generated(folder) => folder.path(),
        }
    }
}

fn generate(files: u32) -> Outcome<Tree> {
    let folder = tempfile::tempdir()?;
    for file in 0..files {
        let within = folder.path().join(format!("{:03}", file / IN_A_FOLDER));
        if file.is_multiple_of(IN_A_FOLDER) {
            fs::create_dir(&within)?;
        }
        let text = words::text(file.into(), WORDS);
        fs::write(
            within.join(format!("{file}.html")),
            format!("<!DOCTYPE html><title>Page {file}</title><p>{text}</p>"),
        )?;
    }
    Ok(Tree::Generated(folder))
}
