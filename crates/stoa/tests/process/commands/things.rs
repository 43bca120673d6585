//! `stoa things add | search`.

use serde_json::Value;

use crate::support::{Place, ended};

const ADD: [&str; 6] = ["things", "add", "--connector", "folder", "--name", "documents"];

/// A folder with one file.
fn files() -> tempfile::TempDir {
    let files = tempfile::tempdir().unwrap();
    std::fs::write(files.path().join("a.txt"), "the quick brown fox").unwrap();
    files
}

#[tokio::test]
async fn the_id_stands_alone_on_standard_output() {
    for place in Place::both().await {
        let files = files();
        let setting = format!("path={}", files.path().display());
        let added = place.run(&[&ADD[..], &["--set", &setting]].concat()).await;
        assert!(added.status.success());
        assert_eq!(String::from_utf8_lossy(&added.stderr), "");
        let printed = String::from_utf8(added.stdout).unwrap();
        let id = printed.strip_suffix('\n').unwrap();
        place.stoa(&["things", "sync", id, "--wait"]).await;
        let refusal = place.refused(1, &[&ADD[..], &["--set", &setting]].concat()).await;
        assert_eq!(refusal, "stoa: name: there is a resource named documents already");
    }
}

#[tokio::test]
async fn a_relative_path_is_that_of_the_folder_where_it_was_typed() {
    let place = Place::sqlite();
    let files = files();
    let (parent, name) = (files.path().parent().unwrap(), files.path().file_name().unwrap());
    let setting = format!("path=./{}", name.to_str().unwrap());
    let added = ended(place.binary().current_dir(parent).args(ADD).args(["--set", &setting])).await;
    let id = String::from_utf8(added.stdout).unwrap().trim_end().to_owned();
    place.stoa(&["things", "sync", &id, "--wait"]).await;
    assert_eq!(place.json(&["things", "search", "fox"]).await["total"], 1);
}

#[tokio::test]
async fn what_can_not_be_connected_is_refused_with_the_reason() {
    let place = Place::sqlite();
    let files = files();
    let set = |path: &std::path::Path| format!("path={}", path.display());
    let (folder, file) = (set(files.path()), set(&files.path().join("a.txt")));
    let (missing, own) = (set(&files.path().join("missing")), set(place.data.path()));
    for (settings, reason) in [
        (&[missing.as_str()][..], "No such file or directory"),
        (&[&file], "is not a folder"),
        (&[&own], "lies in Stoa's own data folder"),
        (&[], "path: folder needs it"),
        (&["path="], "path: folder needs it"),
        (&[&folder, "depth=3"], "depth: folder has no such setting; it has: path, exclude"),
        (&[&folder, &folder], "--set path: give it once"),
    ] {
        let settings: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
        let complaint = place.refused(1, &[&ADD[..], &settings].concat()).await;
        assert!(complaint.contains(reason), "{complaint}");
    }
    let complaint = place.refused(2, &[&ADD[..], &["--set", "path"]].concat()).await;
    assert!(complaint.contains("expected KEY=VALUE"), "{complaint}");
    let other = ["things", "add", "--connector", "gopher", "--name", "documents"];
    let complaint = place.refused(1, &other).await;
    assert_eq!(complaint, "stoa: connector: there is none named gopher; there are: folder");
    // Nothing was left behind that would have the name.
    place.add_folder("documents", files.path()).await;
}

#[tokio::test]
async fn the_value_of_a_setting_stands_in_no_complaint_and_no_audit() {
    let place = Place::sqlite();
    let files = files();
    let setting = format!("path={}", files.path().display());
    let credential = ["--set", &setting, "--set", "password=hunter2-hunter2"];
    let complaint = place.refused(1, &[&ADD[..], &credential].concat()).await;
    assert!(complaint.contains("password") && !complaint.contains("hunter2"), "{complaint}");
    place.stoa(&[&ADD[..], &["--set", &setting, "--set", "exclude=hunter2-hunter2"]].concat()).await;
    let audit = place.stoa(&["audit", "export"]).await;
    assert!(audit.contains("exclude") && !audit.contains("hunter2"), "{audit}");
}

#[tokio::test]
async fn a_search_prints_what_it_found_and_how_complete_that_is() {
    for place in Place::both().await {
        let files = files();
        let resource = place.add_folder("documents", files.path()).await;
        place.add_folder("not synced", files.path()).await;
        place.stoa(&["things", "sync", &resource, "--wait"]).await;
        let found = place.run(&["things", "search", "\"quick brown\" -dog"]).await;
        assert_eq!(String::from_utf8_lossy(&found.stderr), "");
        let printed = String::from_utf8(found.stdout).unwrap();
        let lines: Vec<&str> = printed.lines().collect();
        assert_eq!(lines.len(), 3, "{printed}");
        assert!(lines[1].contains("document") && lines[1].ends_with("a.txt"), "{printed}");
        assert_eq!(lines[2], "1 of 1; 1 of 2 places are synced");
        let nothing = place.stoa(&["things", "search", "cat"]).await;
        assert_eq!(nothing, "0 of 0; 1 of 2 places are synced");
        let found = place.json(&["things", "search", "fox"]).await;
        assert_eq!(found["things"][0]["snippet"], "the quick brown fox");
        assert_eq!(found["things"][0]["references"][0]["resource_id"], Value::from(resource));
    }
}

#[tokio::test]
async fn a_query_that_asks_for_nothing_is_refused() {
    let place = Place::sqlite();
    for query in ["", "\"", "---", "!?"] {
        let complaint = place.refused(1, &["things", "search", "--", query]).await;
        assert!(complaint.starts_with("stoa: query: nothing in it can be searched for"), "{complaint}");
    }
    for wrong in [&["things", "search"][..], &["things", "search", "fox", "--limit", "0"]] {
        place.refused(2, wrong).await;
    }
}
