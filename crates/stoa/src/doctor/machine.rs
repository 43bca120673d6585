//! The machine: folders, space, permissions, limits.

use std::fs::Permissions;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use stoa_store::secret::SecretKey;

use super::{Finding, State};
use crate::config::{Config, Environment};
use crate::serve::tls::Tls;

/// Free space below which a person should know.
const LITTLE_SPACE: u64 = 1 << 30;
/// Watches of a kernel's default that a few large folders use up.
const FEW_WATCHES: u64 = 65_536;
/// Where Linux says how many folders one user may watch.
const WATCHES: &str = "/proc/sys/fs/inotify/max_user_watches";

/// Whether every variable that looks like a setting is one.
pub fn settings(environment: &Environment) -> Finding {
    let unknown = environment.unknown();
    let (state, found) = if unknown.is_empty() {
        (State::Ok, "all are known".to_owned())
    } else {
        (State::Warning, format!("no settings: {}", unknown.join(", ")))
    };
    Finding { part: "settings", state, found, purpose: "stoa.toml and STOA_ variables" }
}

/// Whether the data folder can be written to.
pub fn data_folder(folder: &Path) -> Finding {
    let probe = folder.join(".doctor");
    let (state, found) = match std::fs::write(&probe, "").and_then(|()| std::fs::remove_file(&probe)) {
        Ok(()) => (State::Ok, folder.display().to_string()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            (State::Ok, format!("{} will be made at the first start", folder.display()))
        }
        Err(error) => (State::Broken, format!("{}: {error}", folder.display())),
    };
    Finding { part: "data folder", state, found, purpose: "database, blobs and secret key" }
}

/// How much may still be written there.
pub fn free_space(folder: &Path) -> Finding {
    let existing = folder.ancestors().find(|folder| folder.exists()).unwrap_or_else(|| Path::new("."));
    let (state, found) = match rustix::fs::statvfs(existing) {
        Ok(disk) => {
            let free = disk.f_bavail.saturating_mul(disk.f_frsize);
            let state = if free < LITTLE_SPACE { State::Warning } else { State::Ok };
            (state, indicatif::BinaryBytes(free).to_string())
        }
        Err(error) => (State::Warning, error.to_string()),
    };
    Finding { part: "free space", state, found, purpose: "the data folder grows with what is catalogued" }
}

/// Whether the secret key can be read, and is its owner's alone.
pub fn secret_key(path: &Path) -> Finding {
    let (state, found) = match std::fs::metadata(path).map(|file| file.permissions()) {
        Ok(permissions) => judge(path, &permissions),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            (State::Ok, format!("{} will be made at the first start", path.display()))
        }
        Err(error) => (State::Broken, format!("{}: {error}", path.display())),
    };
    Finding { part: "secret key", state, found, purpose: "seals credentials, signs the audit" }
}

fn judge(path: &Path, permissions: &Permissions) -> (State, String) {
    let mode = permissions.mode() & 0o777;
    let shown = path.display();
    if mode & 0o077 != 0 {
        return (State::Broken, format!("others can read {shown} ({mode:o}): chmod 600 {shown}"));
    }
    match SecretKey::load(path) {
        Ok(_) => (State::Ok, format!("{shown} ({mode:o})")),
        Err(error) => (State::Broken, error.to_string()),
    }
}

/// Whether the certificate can be served, where there is to be one.
pub fn certificate(config: &Config) -> Option<Finding> {
    let files = config.certificate()?;
    let shown = files.cert.display().to_string();
    let (state, found) = match Tls::load(files) {
        Ok(_) => (State::Ok, shown),
        Err(error) => (State::Broken, error.to_string()),
    };
    Some(Finding { part: "certificate", state, found, purpose: "https without a proxy" })
}

/// How many folders may be watched. Elsewhere than on Linux there is no such limit.
pub fn watches() -> Option<Finding> {
    let limit: u64 = std::fs::read_to_string(WATCHES).ok()?.trim().parse().ok()?;
    let state = if limit < FEW_WATCHES { State::Warning } else { State::Ok };
    let found = format!("fs.inotify.max_user_watches = {limit}");
    Some(Finding {
        part: "inotify",
        state,
        found,
        purpose: "seeing changes in catalogued folders, one watch a folder",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_others_can_read_or_nobody_is_broken() {
        let folder = tempfile::tempdir().unwrap();
        let key = folder.path().join("secret.key");
        assert_eq!(secret_key(&key).state, State::Ok);
        SecretKey::load_or_create(&key, &stoa_base::Ambient::system()).unwrap();
        assert_eq!(secret_key(&key).state, State::Ok);
        std::fs::set_permissions(&key, Permissions::from_mode(0o640)).unwrap();
        assert_eq!(secret_key(&key).state, State::Broken);
        std::fs::set_permissions(&key, Permissions::from_mode(0o600)).unwrap();
        std::fs::write(&key, "cut off").unwrap();
        assert_eq!(secret_key(&key).state, State::Broken);
    }

    #[test]
    fn a_data_folder_that_is_a_file_is_broken_and_a_missing_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        assert_eq!(data_folder(&file).state, State::Ok);
        std::fs::write(&file, "").unwrap();
        assert_eq!(data_folder(&file).state, State::Broken);
        assert_eq!(data_folder(folder.path()).state, State::Ok);
    }
}
