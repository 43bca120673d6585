//! Where settings come from, and which are refused.

use std::net::TcpListener;
use std::process::Output;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use tokio::process::Command;

use crate::support::{Place, ended, free_port};

/// A folder to start in, with a `stoa.toml`.
fn folder(text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("stoa.toml"), text).unwrap();
    folder
}

/// The binary in that folder, told nothing by the environment.
fn binary_in(folder: &TempDir) -> Command {
    let mut command = Place::sqlite().binary();
    command.current_dir(folder.path()).env_remove("STOA_DATA");
    command
}

fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[tokio::test]
async fn an_unknown_key_is_refused_by_name_with_its_line() {
    for (text, told) in [
        ("listn = ['127.0.0.1:1']\n", "stoa.toml, line 1: unknown field `listn`"),
        ("[things]\nmcp_limit = 5\nfolder_root = []\n", "stoa.toml, line 3: unknown field `folder_root`"),
        ("[flood]\nper_second = 'many'\n", "stoa.toml, line 2: invalid type"),
        ("data = \n", "stoa.toml, line 1: "),
    ] {
        let told_of = complaint(&ended(binary_in(&folder(text)).arg("version")).await);
        assert!(told_of.starts_with(&format!("stoa: {told}")), "{told_of}");
    }
}

#[tokio::test]
async fn a_file_that_is_named_must_be_there_and_is_read_instead() {
    let place = Place::sqlite();
    let named = place.data.path().join("other.toml");
    let folder = folder("listn = 1");
    let mut command = binary_in(&folder);
    let output = ended(command.env("STOA_CONFIG", &named).arg("version")).await;
    assert!(complaint(&output).contains("other.toml can't be read"));
    std::fs::write(&named, "public_url = 'https://named.example.com'\n").unwrap();
    let output = ended(place.binary().env("STOA_CONFIG", &named).args(["connect", "claude"])).await;
    assert!(String::from_utf8_lossy(&output.stdout).contains("https://named.example.com/mcp"));
}

#[tokio::test]
async fn flags_win_over_variables_and_variables_over_the_file() {
    let folder = folder("data = 'of the file'\n");
    let data_folder = async |command: &mut Command| {
        let output = ended(command.args(["doctor", "--json"])).await;
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        report["parts"][1]["found"].as_str().unwrap().to_owned()
    };
    let found = data_folder(&mut binary_in(&folder)).await;
    assert!(found.starts_with("of the file "), "{found}");
    let found = data_folder(binary_in(&folder).env("STOA_DATA", "of the variable")).await;
    assert!(found.starts_with("of the variable "), "{found}");
    let found =
        data_folder(binary_in(&folder).env("STOA_DATA", "of the variable").args(["--data", "of the flag"]))
            .await;
    assert!(found.starts_with("of the flag "), "{found}");
}

#[tokio::test]
async fn addresses_follow_the_same_order() {
    let folder = folder("listen = ['0.0.0.0:1']\npublic_url = 'http://localhost:1'\n");
    let refused = async |command: &mut Command| complaint(&ended(command).await);
    let told = refused(binary_in(&folder).arg("serve")).await;
    assert!(told.starts_with("stoa: 0.0.0.0:1 "), "{told}");
    let told = refused(binary_in(&folder).env("STOA_LISTEN", "127.0.0.1:2,0.0.0.0:2").arg("serve")).await;
    assert!(told.starts_with("stoa: 0.0.0.0:2 "), "{told}");
    let mut command = binary_in(&folder);
    command.env("STOA_LISTEN", "127.0.0.1:2").env("STOA_PUBLIC_URL", "http://localhost:2");
    let told = refused(command.args(["serve", "--listen", "0.0.0.0:3"])).await;
    assert!(told.contains("0.0.0.0:3") && told.contains("http://localhost:2"), "{told}");
    let mut command = binary_in(&folder);
    command.args(["serve", "--listen", "0.0.0.0:3", "--public-url", "http://127.0.0.1:4"]);
    assert!(refused(&mut command).await.contains("http://127.0.0.1:4"));
}

#[tokio::test]
async fn a_variable_that_can_not_be_used_is_named() {
    let place = Place::sqlite();
    for (name, value) in [("STOA_FLOOD__PER_SECOND", "many"), ("STOA_THINGS__MCP_LIMIT", "1.5")] {
        let told = complaint(&ended(place.binary().env(name, value).arg("version")).await);
        assert!(told.starts_with(&format!("stoa: {name} in the environment")), "{told}");
    }
    let told =
        complaint(&ended(place.binary().env("STOA_PUBLIC_URL", "stoa.example.com").arg("version")).await);
    assert!(told.contains("is no public URL: give scheme and host only"), "{told}");
    // One that is no setting is told by the doctor: it may be another program's.
    let doctor = ended(place.binary().env("STOA_LISTN", "x").arg("doctor")).await;
    assert!(doctor.status.success());
    assert!(String::from_utf8_lossy(&doctor.stdout).contains("no settings: STOA_LISTN"));
}

#[tokio::test]
async fn a_database_url_that_can_not_be_used_is_not_repeated() {
    let place = Place::sqlite();
    let hangs_up = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = hangs_up.local_addr().unwrap();
    std::thread::spawn(move || hangs_up.incoming().for_each(drop));
    let nobody = format!("postgres://u:hunter2@127.0.0.1:{}/d", free_port());
    for url in ["mysql://u:hunter2@localhost/d", &format!("postgres://u:hunter2@{address}/d"), &nobody] {
        let command = ["--database-url", url, "token", "list"];
        let refused = place.refused(1, &command);
        let told = tokio::time::timeout(Duration::from_secs(10), refused).await.expect("told at once");
        assert!(told.contains("database") && !told.contains("hunter2"), "{told}");
    }
}

#[tokio::test]
async fn exit_codes_tell_help_from_mistakes() {
    let place = Place::sqlite();
    for help in [&["--help"][..], &["help", "things", "add"], &["--version"], &["version"]] {
        let output = place.run(help).await;
        assert_eq!(output.status.code(), Some(0), "{help:?}");
        assert!(!output.stdout.is_empty() && output.stderr.is_empty(), "{help:?}");
    }
    for mistake in [&[][..], &["things"], &["fly"], &["version", "--loud"], &["token", "revoke"]] {
        assert!(!place.refused(2, mistake).await.is_empty());
    }
    assert_eq!(place.stoa(&["version"]).await, format!("stoa {}", env!("CARGO_PKG_VERSION")));
}
