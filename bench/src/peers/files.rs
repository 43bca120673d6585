//! Files without a catalogue: what a walk, and a walk with a hash of each file, cost by themselves.

use std::fs::DirEntry;
use std::path::{Path, PathBuf};

use crate::Outcome;

/// Threads that hash.
const THREADS: usize = 2;

/// Walks, then reads and hashes (BLAKE3) each file, as `find | xargs -P 2 b3sum` does. The number of files.
pub fn hash(folder: &Path) -> Outcome<usize> {
    let files = walk(folder)?;
    let part = files.len().div_ceil(THREADS).max(1);
    std::thread::scope(|scope| {
        let parts: Vec<_> = files.chunks(part).map(|part| scope.spawn(|| hash_all(part))).collect();
        parts.into_iter().try_for_each(|part| part.join().map_err(|_| "a thread panicked")?)
    })?;
    Ok(files.len())
}

fn hash_all(files: &[PathBuf]) -> Outcome<()> {
    for file in files {
        std::hint::black_box(blake3::hash(&std::fs::read(file)?));
    }
    Ok(())
}

/// Walks and asks for each file's size and time, as `find -newer` does. The number of files.
pub fn list(folder: &Path) -> Outcome<usize> {
    let files = walk(folder)?;
    for file in &files {
        std::hint::black_box(file.symlink_metadata()?.modified()?);
    }
    Ok(files.len())
}

/// The files below a folder. Links are not followed.
fn walk(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries: Vec<DirEntry> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
        for entry in entries {
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            }
        }
    }
    Ok(files)
}
