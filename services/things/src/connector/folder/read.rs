//! Reading a file that may change meanwhile.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions};
use futures::stream::{StreamExt, iter, try_unfold};
use stoa_base::Timestamp;
use tokio::task::spawn_blocking;

use super::{open_folder, size_and_time};
use crate::connector::{Read, ReadError};

/// How much is read at once, in bytes: most files in one go.
const CHUNK: u64 = 1024 * 1024;

/// A file open for reading, and what it was when it was opened.
struct Reader {
    file: File,
    size: i64,
    modified_at: Timestamp,
    ended: bool,
}

/// Opens the file at `path` in the folder `root`, with its first chunk.
pub(super) async fn read(root: PathBuf, path: PathBuf) -> Result<Read, ReadError> {
    let (reader, first) = blocking(move || {
        let mut reader = Reader::open(&root, &path)?;
        let first = reader.next()?;
        Ok((reader, first))
    })
    .await?;
    let (size, modified_at) = (reader.size, reader.modified_at);
    let rest = try_unfold(reader, |mut reader| async {
        let (reader, chunk) = blocking(move || {
            let chunk = reader.next()?;
            Ok((reader, chunk))
        })
        .await?;
        Ok(chunk.map(|chunk| (chunk, reader)))
    });
    Ok(Read { size, modified_at, chunks: iter(first.map(Ok)).chain(rest).boxed() })
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ReadError> + Send + 'static,
) -> Result<T, ReadError> {
    spawn_blocking(work).await.unwrap_or_else(|died| Err(ReadError::Unreadable(died.to_string())))
}

impl Reader {
    /// Whatever stands at the path is opened without waiting: a pipe would wait for its other end.
    fn open(root: &Path, path: &Path) -> Result<Self, ReadError> {
        let root = Dir::open_ambient_dir(root, ambient_authority())?;
        let folder = open_folder(&root, path.parent().unwrap_or(Path::new("")))?;
        let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        let mut options = OpenOptions::new();
        options.read(true).follow(FollowSymlinks::No).nonblock(true);
        let file = folder.as_ref().unwrap_or(&root).open_with(name, &options)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(ReadError::Unreadable("it is not a file any more".to_owned()));
        }
        let (size, modified_at) = size_and_time(&metadata)?;
        Ok(Self { file, size, modified_at, ended: false })
    }

    /// The next chunk; `None` at the end. The last one is given only if the file is still what it was.
    fn next(&mut self) -> Result<Option<Vec<u8>>, ReadError> {
        if self.ended {
            return Ok(None);
        }
        let mut chunk = Vec::with_capacity(usize::try_from(self.size.clamp(0, 1024 * 1024) + 1).unwrap_or(0));
        let length = (&mut self.file).take(CHUNK).read_to_end(&mut chunk)?;
        if u64::try_from(length).is_ok_and(|length| length < CHUNK) {
            self.ended = true;
            self.settled()?;
        }
        Ok(Some(chunk))
    }

    fn settled(&self) -> Result<(), ReadError> {
        let now = size_and_time(&self.file.metadata()?)?;
        if now == (self.size, self.modified_at) { Ok(()) } else { Err(ReadError::Unsettled) }
    }
}
