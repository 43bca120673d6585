//! `stoa doctor`: healthy, and with each vital part broken.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;
use stoa_testing::TestMailServer;

use crate::support::{Place, ended};

/// A place that was begun.
async fn begun(place: &Place) {
    place.stoa(&["account", "add", "owner@example.com"]).await;
}

/// The state of a part, with the exit code.
async fn state(place: &Place, part: &str) -> (Option<i32>, String) {
    let output = place.run(&["doctor", "--json"]).await;
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = report["parts"].as_array().unwrap().iter().find(|found| found["part"] == part).unwrap();
    (output.status.code(), found["state"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_healthy_place_is_told_part_by_part() {
    for place in Place::both().await {
        begun(&place).await;
        let report = place.json(&["doctor"]).await;
        let parts = report["parts"].as_array().unwrap();
        for vital in ["settings", "data folder", "secret key", "database", "blobs"] {
            let found = parts.iter().find(|found| found["part"] == vital).unwrap();
            assert_eq!(found["state"], "ok", "{found}");
        }
        // The binary is run without a PATH.
        let missing = parts.iter().find(|found| found["part"] == "tesseract").unwrap();
        assert_eq!(missing["state"], "absent");
        let table = place.stoa(&["doctor"]).await;
        assert!(parts.iter().all(|found| table.contains(found["purpose"].as_str().unwrap())), "{table}");
    }
}

#[tokio::test]
async fn before_the_first_start_all_is_well_and_nothing_is_made() {
    let place = Place::sqlite();
    let folder = place.data.path().join("not yet");
    let doctor = ended(place.binary().env("STOA_DATA", &folder).arg("doctor")).await;
    assert!(doctor.status.success());
    assert!(!folder.exists());
}

#[tokio::test]
async fn a_broken_key_file_is_named_and_the_exit_code_is_1() {
    for place in Place::both().await {
        begun(&place).await;
        let key = place.data.path().join("secret.key");
        let kept = std::fs::read(&key).unwrap();
        std::fs::write(&key, &kept[..kept.len() / 2]).unwrap();
        assert_eq!(state(&place, "secret key").await, (Some(1), "broken".to_owned()));
        let complaint = place.run(&["doctor"]).await;
        assert_eq!(String::from_utf8_lossy(&complaint.stderr), "stoa: broken: secret key; see above\n");
        std::fs::write(&key, &kept).unwrap();
        assert_eq!(state(&place, "secret key").await, (Some(0), "ok".to_owned()));
    }
}

#[tokio::test]
async fn a_key_that_others_can_read_is_broken() {
    let place = Place::sqlite();
    begun(&place).await;
    let key = place.data.path().join("secret.key");
    std::fs::set_permissions(&key, Permissions::from_mode(0o644)).unwrap();
    assert_eq!(state(&place, "secret key").await, (Some(1), "broken".to_owned()));
}

#[tokio::test]
async fn the_key_of_another_stoa_does_not_fit_the_database() {
    let (place, other) = (Place::sqlite(), Place::sqlite());
    begun(&place).await;
    begun(&other).await;
    let key = place.data.path().join("secret.key");
    std::fs::copy(other.data.path().join("secret.key"), &key).unwrap();
    assert_eq!(state(&place, "database").await, (Some(1), "broken".to_owned()));
    let refusal = place.refused(1, &["token", "list"]).await;
    assert!(refusal.contains("this database belongs to the secret key"), "{refusal}");
    std::fs::remove_file(&key).unwrap();
    assert_eq!(state(&place, "database").await, (Some(0), "warning".to_owned()));
}

#[tokio::test]
async fn a_database_that_is_none_is_broken() {
    let place = Place::sqlite();
    std::fs::write(
        place.data.path().join("stoa.db"),
        "no database, but long enough to be looked at\n".repeat(99),
    )
    .unwrap();
    assert_eq!(state(&place, "database").await, (Some(1), "broken".to_owned()));
}

#[tokio::test]
async fn a_mail_server_is_greeted_where_one_is_configured() {
    let (place, server) = (Place::sqlite(), TestMailServer::start().await);
    begun(&place).await;
    let found = async |url: &str| {
        let mut doctor = place.binary();
        doctor.env("STOA_MAIL__URL", url).env("STOA_MAIL__FROM", "Stoa <stoa@example.org>");
        let output = ended(doctor.args(["doctor", "--json"])).await;
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(!printed.contains("hunter"), "{printed}");
        let report: Value = serde_json::from_str(&printed).unwrap();
        report["parts"].as_array().unwrap().iter().find(|found| found["part"] == "mail server").cloned()
    };
    assert_eq!(found(&server.url).await.unwrap()["state"], "ok");
    let wrong = found(&server.url.replace("hunter2", "hunter3")).await.unwrap();
    assert_eq!(
        (&wrong["state"], wrong["found"].as_str().unwrap().ends_with("code 530")),
        (&"warning".into(), true)
    );
    assert_eq!(found("hunter2").await.unwrap()["state"], "broken");
    let report = place.json(&["doctor"]).await;
    assert!(!report.to_string().contains("mail server"), "{report}");
    assert_eq!(server.mails().await, []);
}

#[tokio::test]
async fn what_is_written_is_its_owners_alone_whatever_the_folder_lets() {
    let place = Place::sqlite();
    std::fs::set_permissions(place.data.path(), Permissions::from_mode(0o755)).unwrap();
    begun(&place).await;
    let written = std::fs::read_dir(place.data.path()).unwrap().map(Result::unwrap);
    let open: Vec<_> =
        written.filter(|one| one.metadata().unwrap().permissions().mode() & 0o077 != 0).collect();
    assert!(open.is_empty(), "{open:?}");
    assert!(place.data.path().join("stoa.db").is_file());
}
