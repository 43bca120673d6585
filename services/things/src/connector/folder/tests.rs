use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::process::Command;

use futures::TryStreamExt;
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::connector::{Found, Listed, PassedOver};

fn folder(path: &Path) -> Folder {
    Folder {
        ambient: Ambient::system(),
        path: fs::canonicalize(path).unwrap(),
        own: false,
        exclusions: Arc::new(Exclusions::new(EXCLUDED, None)),
    }
}

async fn listed(folder: &Folder) -> (Vec<Listed>, PassedOver) {
    let mut listing = folder.list();
    let mut files = Vec::new();
    while let Some(batch) = listing.recv().await {
        for found in batch.unwrap() {
            match found {
                Found::File(file) => files.push(file),
                Found::Unreadable { position, problem } => panic!("{position}: {problem}"),
                Found::End(passed) => return (files, passed),
            }
        }
    }
    panic!("the listing broke off");
}

async fn keys(folder: &Folder) -> Vec<String> {
    listed(folder).await.0.into_iter().map(|file| file.at.key).collect()
}

async fn read(folder: &Folder, at: &Locator) -> Result<Vec<u8>, ReadError> {
    folder.read(at).await?.chunks.try_concat().await
}

fn at(key: &str) -> Locator {
    Locator { key: key.to_owned(), raw: None }
}

fn write(root: &TempDir, path: impl AsRef<Path>, bytes: &[u8]) {
    let path = root.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn names_of_any_kind_are_listed_and_read() {
    let root = tempfile::tempdir().unwrap();
    let longest = "x".repeat(255);
    let names = ["a b", "line\nbreak", "\u{202E}txt.exe", " ", "~", "-rf", "año/日本.md", &longest];
    for name in names {
        write(&root, name, name.as_bytes());
    }
    let folder = folder(root.path());
    assert_eq!(
        keys(&folder).await.into_iter().collect::<BTreeSet<_>>(),
        BTreeSet::from(names.map(str::to_owned))
    );
    for name in names {
        assert_eq!(read(&folder, &at(name)).await.unwrap(), name.as_bytes());
    }
}

#[tokio::test]
async fn a_name_that_is_not_utf_8_keeps_its_bytes_beside_a_readable_key() {
    let root = tempfile::tempdir().unwrap();
    let raw = b"d\xE9/caf\xE9.txt";
    write(&root, OsStr::from_bytes(raw), b"coffee");
    let folder = folder(root.path());
    let (files, _) = listed(&folder).await;
    let [file] = &files[..] else { panic!("one file") };
    assert!(file.at.key.starts_with("d\\xE9~") && file.at.key.contains("/caf\\xE9.txt~"), "{}", file.at.key);
    assert_eq!(file.at.raw.as_deref(), Some(&raw[..]));
    assert_eq!(read(&folder, &file.at).await.unwrap(), b"coffee");
}

#[tokio::test]
async fn a_name_that_mimics_a_readable_form_never_gives_the_same_key_twice() {
    let root = tempfile::tempdir().unwrap();
    write(&root, OsStr::from_bytes(b"\xE9"), b"1");
    write(&root, name::readable(b"\xE9"), b"2");
    let (files, passed) = listed(&folder(root.path())).await;
    assert_eq!((files.len(), passed.skipped), (1, 1));
}

#[tokio::test]
async fn links_are_counted_and_not_followed() {
    let root = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    write(&outside, "secret", b"secret");
    write(&root, "dir/plain", b"plain");
    symlink(outside.path(), root.path().join("out")).unwrap();
    symlink(outside.path().join("secret"), root.path().join("file")).unwrap();
    symlink("dir", root.path().join("inside")).unwrap();
    symlink("nowhere", root.path().join("dangling")).unwrap();
    symlink(".", root.path().join("dir/loop")).unwrap();
    let folder = folder(root.path());
    let (files, passed) = listed(&folder).await;
    assert_eq!(files.len(), 1);
    assert_eq!(passed, PassedOver { links: 5, skipped: 0 });
    for key in ["out/secret", "file", "inside/plain", "../x", "/etc/passwd", "dir/../../x", ""] {
        assert!(read(&folder, &at(key)).await.is_err(), "{key}");
    }
}

#[tokio::test]
async fn special_files_and_excluded_names_are_passed_over_without_a_look() {
    let root = tempfile::tempdir().unwrap();
    write(&root, ".git/HEAD", b"x");
    write(&root, ".gitignore", b"x");
    let fifo = root.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let _socket = UnixListener::bind(root.path().join("socket")).unwrap();
    let folder = folder(root.path());
    let (files, passed) = listed(&folder).await;
    assert_eq!(files.len(), 1);
    assert_eq!(passed, PassedOver { links: 0, skipped: 3 });
    // Also where one took a file's place since the listing.
    assert!(matches!(read(&folder, &at("fifo")).await, Err(ReadError::Unreadable(_))));
}

#[tokio::test]
async fn a_file_that_changes_while_it_is_read_is_unsettled() {
    let root = tempfile::tempdir().unwrap();
    write(&root, "log", &vec![b'x'; 3 << 20]);
    let reading = folder(root.path()).read(&at("log")).await.unwrap();
    write(&root, "log", &vec![b'y'; (3 << 20) + 1]);
    assert_eq!(reading.chunks.try_concat().await, Err(ReadError::Unsettled));
}

#[tokio::test]
async fn a_long_file_is_read_to_its_end() {
    let root = tempfile::tempdir().unwrap();
    for size in [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20] {
        let bytes: Vec<u8> = (0..size).map(|n: u32| n.to_le_bytes()[n as usize % 4]).collect();
        write(&root, "file", &bytes);
        assert!(read(&folder(root.path()), &at("file")).await.unwrap() == bytes, "{size}");
    }
}

#[tokio::test]
async fn keys_that_no_index_takes_are_skipped_with_all_below_them() {
    let root = tempfile::tempdir().unwrap();
    let deep = vec!["d".repeat(200); 12].join("/");
    // Too long for one call: made level by level.
    let mut dir = Dir::open_ambient_dir(root.path(), ambient_authority()).unwrap();
    for name in deep.split('/') {
        dir.create_dir(name).unwrap();
        dir = dir.open_dir(name).unwrap();
        dir.write("f", "x").unwrap();
    }
    let (files, passed) = listed(&folder(root.path())).await;
    assert_eq!((files.len(), passed.skipped), (10, 1));
}

#[tokio::test]
async fn the_data_folder_is_never_listed_by_a_folder_that_holds_it() {
    let root = tempfile::tempdir().unwrap();
    write(&root, "home/stoa/secret.key", b"x");
    write(&root, "home/notes", b"x");
    let path = fs::canonicalize(root.path()).unwrap();
    let connectors = Connectors::new(Ambient::system(), path.join("home/stoa"));
    let connector = open(&connectors, &json!({ "path": path })).unwrap();
    let mut listing = connector.list();
    let found = listing.recv().await.unwrap().unwrap();
    assert!(matches!(&found[..], [Found::File(file), Found::End(_)] if file.at.key == "home/notes"));
    let inside = BTreeMap::from([("path".to_owned(), path.join("home/stoa").to_str().unwrap().to_owned())]);
    assert!(configure(&connectors, &inside).unwrap_err().to_string().contains("Stoa's own data folder"));
    let own = path.join("home/stoa/storage/one");
    assert!(open(&connectors, &json!({ "path": own })).unwrap().check().await.reachable);
    assert!(own.is_dir());
}

#[tokio::test]
async fn a_folder_that_is_missing_or_became_a_link_is_unreachable() {
    let root = tempfile::tempdir().unwrap();
    let path = fs::canonicalize(root.path()).unwrap();
    fs::create_dir(path.join("a")).unwrap();
    let folder = folder(&path.join("a"));
    assert!(folder.check().await.reachable);
    fs::rename(path.join("a"), path.join("b")).unwrap();
    for _ in 0..2 {
        let checked = folder.check().await;
        assert!(!checked.reachable && checked.latency_ms.is_none() && checked.problem.is_some());
        assert!(matches!(folder.list().recv().await, Some(Err(ConnectorError::Unreachable(_)))));
        let _again = symlink(path.join("b"), path.join("a"));
    }
}

#[test]
fn a_configuration_names_the_folder_without_links() {
    let root = tempfile::tempdir().unwrap();
    let path = fs::canonicalize(root.path()).unwrap();
    fs::create_dir(path.join("real")).unwrap();
    symlink("real", path.join("link")).unwrap();
    let connectors = Connectors::new(Ambient::system(), PathBuf::from("/nowhere"));
    let set = |path: PathBuf| BTreeMap::from([("path".to_owned(), path.to_str().unwrap().to_owned())]);
    let configured = configure(&connectors, &set(path.join("link/../link"))).unwrap();
    assert_eq!(configured, json!({ "path": path.join("real"), "exclude": EXCLUDED }));
    let missing = configure(&connectors, &set(path.join("missing"))).unwrap_err().to_string();
    assert!(missing.starts_with("path: ") && missing.contains("No such file"), "{missing}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn a_listing_is_in_the_byte_order_of_whole_keys(
        paths in prop::collection::vec("[ab!0~é-][ab!.0~é-]?(/[ab!0~é-][ab!.0~é-]?){0,3}", 1..40)
    ) {
        let root = tempfile::tempdir().unwrap();
        for path in paths {
            // A file where another path has a folder is not made.
            let path = root.path().join("r").join(path);
            let _made = fs::create_dir_all(path.parent().unwrap()).and_then(|()| fs::write(&path, "x"));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let keys = runtime.block_on(keys(&folder(root.path())));
        let mut sorted = keys.clone();
        sorted.sort_unstable();
        sorted.dedup();
        prop_assert_eq!(keys, sorted);
    }
}
