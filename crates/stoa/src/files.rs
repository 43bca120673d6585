//! Files that hold secrets.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, ErrorKind};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use crate::failure::Failure;

/// A new file that its owner alone may read. What an earlier, broken-off attempt left in its place goes: it may
/// be readable by others, or a link to elsewhere.
///
/// # Errors
/// What the system says.
pub fn create_private(path: &Path) -> std::io::Result<File> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => (),
    }
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Writes a file that its owner alone may read, and that appears when it is whole.
///
/// # Errors
/// What `write` says, or [`Failure::File`].
pub async fn write_private<T>(
    path: &Path,
    write: impl AsyncFnOnce(BufWriter<&File>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let partial = path.with_added_extension("partial");
    let out = create_private(&partial).map_err(Failure::file(&partial))?;
    let written = write(BufWriter::new(&out)).await.inspect_err(|_| remove(&partial))?;
    out.sync_all().and_then(|()| std::fs::rename(&partial, path)).map_err(Failure::file(path))?;
    Ok(written)
}

fn remove(partial: &Path) {
    if let Err(error) = std::fs::remove_file(partial) {
        tracing::warn!(%error, file = %partial.display(), "an unfinished file is left");
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn what_lay_there_is_neither_written_to_nor_does_its_mode_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (elsewhere, path) = (folder.path().join("elsewhere"), folder.path().join("partial"));
        std::fs::write(&elsewhere, "mine").unwrap();
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        std::io::Write::write_all(&mut create_private(&path).unwrap(), b"secret").unwrap();
        assert_eq!(std::fs::read_to_string(elsewhere).unwrap(), "mine");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "secret");
        assert_eq!(std::fs::symlink_metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
    }
}
