//! Tokens and passwords stand in no log, no audit and no backup: only what was made of them.

use std::io::Read;

use flate2::read::GzDecoder;
use serde_json::json;
use sqlx::query_scalar;
use stoa_store::on;

use crate::support::{Place, ended};

const PASSWORD: &str = "correct horse battery";

/// Everything that a backup holds, unpacked.
async fn backup(place: &Place) -> String {
    let file = place.data.path().join("backup.tar.gz");
    place.stoa(&["backup", "--with-key", "--out", file.to_str().unwrap()]).await;
    let mut unpacked = Vec::new();
    GzDecoder::new(std::fs::File::open(file).unwrap()).read_to_end(&mut unpacked).unwrap();
    String::from_utf8_lossy(&unpacked).into_owned()
}

/// The only token's hash, in hexadecimal.
async fn hash(place: &Place) -> String {
    let db = place.database().await;
    let hash: Vec<u8> = on!(read db, c => query_scalar("SELECT hash FROM token").fetch_one(c).await).unwrap();
    db.close().await;
    hex::encode(hash)
}

#[tokio::test]
async fn secrets_are_kept_as_hashes_and_said_nowhere() {
    for place in Place::both().await {
        let mut said = String::new();
        let add = ["account", "add", "owner@example.com", "--password-stdin"];
        let added = place.run_with_input(&add, &format!("{PASSWORD}\n")).await;
        said += &String::from_utf8_lossy(&[added.stdout, added.stderr].concat());
        let ask = ["token", "add", "--account", "owner@example.com", "--mount", "things"];
        let made = ended(place.binary().env("STOA_LOG__LEVEL", "debug").args(ask)).await;
        said += &String::from_utf8_lossy(&made.stderr);
        let token = String::from_utf8(made.stdout).unwrap().trim_end().to_owned();

        let mut binary = place.binary();
        binary.env("STOA_LOG__LEVEL", "debug");
        let server = place.start(binary).await;
        let client = server.client(&token);
        client.call("search_things", json!({ "query": "fox" })).await;
        client.call("no_such_tool", json!({ "token": token })).await;
        let elsewhere = reqwest::Client::new().post(server.url("/mcp")).bearer_auth(&token).send().await;
        assert_eq!(elsewhere.unwrap().status(), 401);
        assert!(server.stop().await.success());

        let (audit, backup) = (place.stoa(&["audit", "export"]).await, backup(&place).await);
        assert!(place.log().contains("DEBUG") && audit.contains("search_things"));
        assert!(backup.contains(&hash(&place).await) && backup.contains("$argon2id$"));
        said += &(place.log() + &audit + &backup + &place.stoa(&["token", "list", "--json"]).await);
        for secret in [PASSWORD, &token, token.trim_start_matches("stoa_pat_")] {
            assert!(!said.contains(secret), "{secret} is said");
        }
    }
}
