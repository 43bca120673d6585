//! The name of this node, and the lock that it alone serves its data folder.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use stoa_base::{Ambient, Id};

use crate::failure::Failure;

/// The file that holds the name and is locked while the node serves.
const FILE: &str = "node";

/// Marks the ids of nodes.
enum Marker {}

/// This node, as long as it is kept.
#[derive(Debug)]
pub struct Node {
    /// Its name, the same at its next start, so that it takes up at once what an earlier life left undone.
    pub name: String,
    /// Locked. The operating system unlocks it however the process ends.
    _lock: File,
}

impl Node {
    /// Takes the data folder for this process.
    ///
    /// # Errors
    /// [`Failure::FolderInUse`] while another server has it; [`Failure::File`] when the file can't be used.
    pub fn take(folder: &Path, ambient: &Ambient) -> Result<Self, Failure> {
        let path = folder.join(FILE);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        let mut file = options.open(&path).map_err(Failure::file(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Failure::FolderInUse(folder.to_owned())),
            Err(TryLockError::Error(source)) => return Err(Failure::File { path, source }),
        }
        let name = read_or_make(&mut file, ambient).map_err(Failure::file(&path))?;
        Ok(Self { name, _lock: file })
    }
}

fn read_or_make(file: &mut File, ambient: &Ambient) -> std::io::Result<String> {
    let mut name = String::new();
    file.read_to_string(&mut name)?;
    if name.is_empty() {
        name = Id::<Marker>::new(ambient).to_string();
        file.write_all(name.as_bytes())?;
        file.sync_all()?;
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_keeps_its_name_and_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let ambient = Ambient::system();
        let first = Node::take(folder.path(), &ambient).unwrap();
        assert!(matches!(Node::take(folder.path(), &ambient), Err(Failure::FolderInUse(_))));
        let name = first.name.clone();
        drop(first);
        assert_eq!(Node::take(folder.path(), &ambient).unwrap().name, name);
    }
}
