//! `--json` of every command that prints: it parses, its keys are in `snake_case` and stay what they are.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;

use crate::support::Place;

/// The paths of all keys. What a file of another program holds has that program's keys.
fn keys(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let snake_case = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
                assert!(name.chars().all(snake_case), "{path}{name}");
                found.insert(format!("{path}{name}"));
                if name != "content" {
                    keys(value, &format!("{path}{name}."), found);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, path, found)),
        _ => {}
    }
}

/// The commands that were asked for JSON so far, with the keys of what they printed.
struct Asked<'a> {
    place: &'a Place,
    keys: String,
}

impl Asked<'_> {
    /// Runs the command, whose standard output must be one JSON value and nothing else.
    async fn json(&mut self, name: &str, arguments: &[&str]) -> Value {
        let output = self.place.run(&[&["--json"], arguments].concat()).await;
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name}");
        assert!(output.status.success(), "{name}");
        let value = serde_json::from_slice(&output.stdout).unwrap();
        let mut found = BTreeSet::new();
        keys(&value, "", &mut found);
        writeln!(self.keys, "{name}: {}", Vec::from_iter(found).join(" ")).unwrap();
        value
    }
}

#[tokio::test]
async fn the_json_of_every_command_keeps_its_keys() {
    let place = Place::sqlite();
    let files = tempfile::tempdir().unwrap();
    std::fs::write(files.path().join("a.txt"), "the quick brown fox").unwrap();
    let setting = format!("path={}", files.path().display());
    let backup = place.data.path().join("backup.tar.gz");
    let backup = backup.to_str().unwrap();
    let owner = "owner@example.com";
    let mut asked = Asked { place: &place, keys: String::new() };

    asked.json("version", &["version"]).await;
    asked.json("setup-link", &["setup-link"]).await;
    asked.json("account add", &["account", "add", owner]).await;
    asked.json("account reset", &["account", "reset", owner]).await;
    asked.json("account disable", &["account", "disable", owner]).await;
    asked.json("account enable", &["account", "enable", owner]).await;
    asked.json("workspace add", &["workspace", "add", "acme", "--owner", owner]).await;
    asked.json("token add", &["token", "add", "--account", owner, "--mount", "all"]).await;
    let listed = asked.json("token list", &["token", "list"]).await;
    let token = listed["tokens"][0]["id"].as_str().unwrap().to_owned();
    asked.json("token revoke", &["token", "revoke", &token]).await;
    let add = ["things", "add", "--connector", "folder", "--name", "documents", "--set", &setting];
    let added = asked.json("things add", &add).await;
    let resource = added["id"].as_str().unwrap().to_owned();
    asked.json("things sync", &["things", "sync", &resource, "--wait"]).await;
    asked.json("things search", &["things", "search", "fox"]).await;
    asked.json("connect claude", &["connect", "claude"]).await;
    asked.json("connect vscode", &["connect", "vscode"]).await;
    asked.json("doctor", &["doctor"]).await;
    asked.json("audit verify", &["audit", "verify"]).await;
    asked.json("backup", &["backup", "--with-key", "--out", backup]).await;
    let restored = Place::sqlite();
    let mut asked = Asked { place: &restored, keys: asked.keys };
    asked.json("restore", &["restore", backup]).await;
    insta::assert_snapshot!(asked.keys);
}

#[tokio::test]
async fn the_audit_is_exported_as_json_lines_with_or_without_the_flag() {
    let place = Place::sqlite();
    place.stoa(&["account", "add", "owner@example.com"]).await;
    for arguments in [&["audit", "export"][..], &["audit", "export", "--json"]] {
        let exported = place.stoa(arguments).await;
        let first: Value = serde_json::from_str(exported.lines().next().unwrap()).unwrap();
        assert_eq!(first["arguments"]["email"], "owner@example.com");
        keys(&first, "", &mut BTreeSet::new());
    }
}
