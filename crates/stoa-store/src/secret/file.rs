//! The key file: one line, `stoa-secret-key-v1 KEY_ID KEY`, the key in base64.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use stoa_base::Ambient;
use zeroize::Zeroizing;

use super::{SecretError, SecretKey};

const FORMAT: &str = "stoa-secret-key-v1";

impl SecretKey {
    /// The key in the file at `path`, made there (mode 0600) if there is no such file. Processes that start
    /// together get the same key; a file half written is never seen.
    ///
    /// # Errors
    /// [`SecretError::File`] when the file can't be read or made; [`SecretError::Malformed`] when it holds
    /// something else.
    pub fn load_or_create(path: &Path, ambient: &Ambient) -> Result<Self, SecretError> {
        match Self::load(path) {
            Err(SecretError::File { source, .. }) if source.kind() == ErrorKind::NotFound => {
                create(path, &Self::generate(ambient)).map_err(failed(path))?;
                // Another process may have been faster: the file says which key it is.
                Self::load(path)
            }
            loaded => loaded,
        }
    }

    /// The key in the file at `path`. Warns when others than its owner may read it.
    ///
    /// # Errors
    /// As [`Self::load_or_create`], and [`SecretError::File`] when there is no such file.
    pub fn load(path: &Path) -> Result<Self, SecretError> {
        let text = std::fs::read_to_string(path).map(Zeroizing::new).map_err(failed(path))?;
        let key = parse(&text).ok_or_else(|| SecretError::Malformed { path: path.display().to_string() })?;
        warn_if_open(path);
        Ok(key)
    }
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> SecretError {
    move |source| SecretError::File { path: path.display().to_string(), source }
}

fn parse(text: &str) -> Option<SecretKey> {
    let mut words = text.split_whitespace();
    let (FORMAT, id, encoded, None) = (words.next()?, words.next()?, words.next()?, words.next()) else {
        return None;
    };
    let bytes = Zeroizing::new(STANDARD.decode(encoded).ok()?);
    let key = SecretKey::from_bytes(Zeroizing::new(bytes.as_slice().try_into().ok()?));
    // The id finds a mistyped copy.
    (key.id() == id).then_some(key)
}

fn create(path: &Path, key: &SecretKey) -> std::io::Result<()> {
    let folder = folder_of(path);
    let line = Zeroizing::new(format!("{FORMAT} {} {}\n", key.id(), STANDARD.encode(key.as_bytes())));
    // Made with mode 0600 by tempfile.
    let mut file = tempfile::NamedTempFile::new_in(&folder)?;
    file.write_all(line.as_bytes())?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Err(error) if error.error.kind() != ErrorKind::AlreadyExists => return Err(error.error),
        _ => {}
    }
    // What is sealed must not outlive its key: the name is on disk before anything is.
    File::open(folder)?.sync_all()
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

#[cfg(unix)]
fn warn_if_open(path: &Path) {
    use std::os::unix::fs::PermissionsExt;

    let mode = std::fs::metadata(path).map_or(0, |metadata| metadata.permissions().mode());
    if mode & 0o077 != 0 {
        tracing::warn!(path = %path.display(), "others may read the secret key: chmod 600 it");
    }
}

#[cfg(not(unix))]
const fn warn_if_open(_path: &Path) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.key");
        let made = SecretKey::load_or_create(&path, &Ambient::system()).unwrap();
        let again = SecretKey::load_or_create(&path, &Ambient::system()).unwrap();
        assert_eq!(made.as_bytes(), again.as_bytes());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_may_read_it() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.key");
        SecretKey::load_or_create(&path, &Ambient::system()).unwrap();
        assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn those_who_start_together_get_one_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.key");
        let ids: std::collections::HashSet<String> = std::thread::scope(|scope| {
            let load = || SecretKey::load_or_create(&path, &Ambient::system()).unwrap().id();
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(load)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(ids.len(), 1);
    }

    #[test]
    fn a_damaged_file_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.key");
        SecretKey::load_or_create(&path, &Ambient::system()).unwrap();
        let line = std::fs::read_to_string(&path).unwrap();
        let mistyped = line.replacen(' ', " 0", 1);
        for damaged in ["", &line[..40], &mistyped, "stoa-secret-key-v9 x y"] {
            std::fs::write(&path, damaged).unwrap();
            let loaded = SecretKey::load_or_create(&path, &Ambient::system());
            assert!(matches!(loaded, Err(SecretError::Malformed { .. })));
            assert_eq!(std::fs::read_to_string(&path).unwrap(), damaged);
        }
    }

    #[test]
    fn a_missing_file_is_not_made_by_load() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(SecretKey::load(&folder.path().join("none")), Err(SecretError::File { .. })));
    }
}
