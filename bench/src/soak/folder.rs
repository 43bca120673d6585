//! A folder whose files come, change, move, are copied and go.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use super::Soak;
use crate::{Outcome, Site, words};

/// From one change to the next.
const EVERY: Duration = Duration::from_millis(150);
const WORDS: u32 = 120;

pub struct Folder {
    place: TempDir,
    /// The number of the next text.
    next: Cell<u64>,
    files: u32,
}

impl Folder {
    pub fn with(site: &Site, files: u32) -> Outcome<Self> {
        let begin = u64::from(u16::from_be_bytes(site.ambient.bytes()));
        let folder = Self { place: tempfile::tempdir()?, next: Cell::new(begin), files };
        for below in ["a", "b", "c"] {
            std::fs::create_dir(folder.path().join(below))?;
        }
        (0..usize::try_from(files)?).try_for_each(|file| folder.write(file))?;
        Ok(folder)
    }

    pub fn path(&self) -> &Path {
        self.place.path()
    }

    /// Some file: it may be there or not.
    fn file(&self, number: usize) -> PathBuf {
        self.path().join(["a", "b", "c"][number % 3]).join(format!("{number}.html"))
    }

    /// A text that was never there.
    fn write(&self, number: usize) -> Outcome<()> {
        let text = self.next.get();
        self.next.set(text + 1);
        let body = words::text(text, WORDS);
        let page = format!("<!DOCTYPE html><title>Page {text}</title><p>{body}</p>");
        Ok(std::fs::write(self.file(number), page)?)
    }
}

/// One change after the other.
pub async fn change(soak: &Soak<'_>) -> Outcome<()> {
    let folder = &soak.folder;
    let end = usize::try_from(folder.files)? * 3 / 2;
    while !soak.is_over() {
        soak.wait(EVERY).await;
        let (from, to) = (folder.file(soak.chance(end)), soak.chance(end));
        match soak.chance(6) {
            0 if from.exists() => std::fs::remove_file(from)?,
            1 if from.exists() => std::fs::rename(from, folder.file(to))?,
            2 if from.exists() => drop(std::fs::copy(from, folder.file(to))?),
            _ => folder.write(to)?,
        }
    }
    Ok(())
}
