//! `stoa workspace`.

use crate::support::Place;

#[tokio::test]
async fn a_workspace_is_added_once_and_its_owner_may_have_tokens_there() {
    for place in Place::both().await {
        place.stoa(&["account", "add", "first@example.com"]).await;
        place.stoa(&["account", "add", "owner@example.com"]).await;
        let add = ["workspace", "add", "acme", "--owner", "owner@example.com"];
        assert_eq!(place.stoa(&add).await, "added the workspace acme");
        assert_eq!(place.refused(1, &add).await, "stoa: there is a workspace acme already");
        place.token(&["--mount", "things", "--workspace", "acme"]).await;
        let refusal =
            place.refused(1, &["token", "add", "--account", "owner@example.com", "--mount", "things"]).await;
        assert_eq!(refusal, "stoa: owner@example.com is not a member of this workspace");
    }
}

#[tokio::test]
async fn an_owner_without_an_account_is_refused_and_no_workspace_is_left() {
    let place = Place::sqlite();
    let refusal = place.refused(1, &["workspace", "add", "acme", "--owner", "nobody@example.com"]).await;
    assert_eq!(refusal, "stoa: there is no account nobody@example.com");
    let refusal = place.refused(1, &["token", "list", "--workspace", "acme"]).await;
    assert_eq!(
        refusal,
        "stoa: there is no workspace acme: add it with `stoa workspace add acme --owner EMAIL`"
    );
}

#[tokio::test]
async fn a_name_that_fits_no_url_is_a_usage_error() {
    let place = Place::sqlite();
    for name in ["Acme", "a/b", "..", "-a"] {
        let complaint = place.refused(2, &["workspace", "add", "--owner", "a@example.com", "--", name]).await;
        assert!(complaint.contains("lower-case letters, digits and hyphens"), "{complaint}");
    }
}

#[tokio::test]
async fn a_new_workspace_is_empty_whatever_others_hold() {
    let place = Place::sqlite();
    let files = tempfile::tempdir().unwrap();
    std::fs::write(files.path().join("a.txt"), "the quick brown fox").unwrap();
    place.owner_token().await;
    let resource = place.add_folder("documents", files.path()).await;
    place.stoa(&["things", "sync", &resource, "--wait"]).await;
    place.stoa(&["workspace", "add", "acme", "--owner", "owner@example.com"]).await;
    let found = place.json(&["things", "search", "fox", "--workspace", "acme"]).await;
    assert_eq!(found["total"], 0);
    let refusal = place.refused(1, &["things", "sync", &resource, "--workspace", "acme"]).await;
    assert_eq!(refusal, format!("stoa: there is no resource {resource} in this workspace"));
}

#[tokio::test]
async fn a_command_typed_in_the_wrong_folder_begins_no_second_stoa() {
    let place = Place::sqlite();
    for arguments in [
        &["token", "list"][..],
        &["workspace", "add", "team", "--owner", "ann@example.com"],
        &["things", "search", "word"],
        &["audit", "verify"],
        &["backup"],
    ] {
        let typed =
            place.binary().env_remove("STOA_DATA").current_dir(place.data.path()).args(arguments).output();
        let output = typed.await.unwrap();
        let refusal = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "stoa {arguments:?}: {refusal}");
        assert!(refusal.contains("there is no Stoa in stoa-data") && refusal.contains("--data"), "{refusal}");
    }
    assert!(std::fs::read_dir(place.data.path()).unwrap().next().is_none(), "nothing was made");
}

#[tokio::test]
async fn a_workspace_is_exported_and_deleted_and_the_audit_of_the_house_says_so() {
    for place in Place::both().await {
        place.stoa(&["account", "add", "owner@example.com"]).await;
        place.stoa(&["workspace", "add", "acme", "--owner", "owner@example.com"]).await;
        place.token(&["--mount", "things", "--workspace", "acme"]).await;
        let file = place.data.path().join("acme.tar.gz");
        let file = file.to_str().unwrap();
        let written = place.stoa(&["workspace", "export", "acme", "--out", file]).await;
        assert!(written.starts_with(file), "{written}");
        let refusal = place.refused(1, &["restore", file, "--force"]).await;
        assert!(refusal.contains("no backup of Stoa"), "{refusal}");

        let refusal = place.refused(1, &["workspace", "delete", "acme", "--really", "acne"]).await;
        assert_eq!(
            refusal,
            "stoa: nothing was deleted: to delete the workspace acme with all that it has, say --really acme"
        );
        let refusal = place.refused(1, &["workspace", "delete", "default", "--really", "default"]).await;
        assert_eq!(refusal, "stoa: the workspace default can't be deleted: it is the server's own");
        let deleted = place.stoa(&["workspace", "delete", "acme", "--really", "acme"]).await;
        assert_eq!(deleted, "deleted the workspace acme");
        let refusal = place.refused(1, &["token", "list", "--workspace", "acme"]).await;
        assert!(refusal.contains("there is no workspace acme"), "{refusal}");
        let entries = place.stoa(&["audit", "export"]).await;
        let mut deletion = entries.lines().filter(|line| line.contains("workspace delete"));
        assert!(deletion.next_back().unwrap().contains("acme"), "{entries}");
        place.stoa(&["audit", "verify"]).await;
    }
}
