//! `stoa connect`: for every agent and every mount, without a server and without a database.

use serde_json::{Value, json};

use crate::support::Place;

const CLIENTS: [&str; 5] = ["claude", "codex", "cursor", "gemini", "vscode"];
/// Each mount with what its endpoint calls itself and where it is.
const MOUNTS: [(&str, &str, &str); 2] =
    [("all", "stoa", "http://localhost:8787/mcp"), ("things", "things", "http://localhost:8787/things/mcp")];

async fn steps(place: &Place, client: &str, mount: &str) -> Value {
    place.json(&["connect", client, "--mount", mount]).await
}

#[tokio::test]
async fn every_agent_is_led_to_the_mount_by_a_command_or_a_file() {
    let place = Place::sqlite();
    for client in CLIENTS {
        for (mount, name, url) in MOUNTS {
            let steps = steps(&place, client, mount).await;
            assert_eq!(steps["url"], url);
            let token_command = steps["token_command"].as_str().unwrap();
            assert!(token_command.contains(&format!("token add --account EMAIL --mount {mount}")));
            let told = if steps["file"].is_null() { &steps["command"] } else { &steps["content"] };
            let told = told.to_string();
            assert!(told.contains(url) && told.contains(name), "{client} {mount}: {told}");
        }
    }
    assert!(std::fs::read_dir(place.data.path()).unwrap().next().is_none(), "nothing was opened");
}

#[tokio::test]
async fn commands_are_what_each_program_takes() {
    let place = Place::sqlite();
    let url = "http://localhost:8787/things/mcp";
    for (client, command) in [
        (
            "claude",
            format!(
                "claude mcp add --transport http things {url} --header 'Authorization: Bearer ${{STOA_TOKEN}}'"
            ),
        ),
        ("codex", format!("codex mcp add things --url {url} --bearer-token-env-var STOA_TOKEN")),
        (
            "gemini",
            format!(
                "gemini mcp add --transport http --header 'Authorization: Bearer $STOA_TOKEN' things {url}"
            ),
        ),
    ] {
        assert_eq!(steps(&place, client, "things").await["command"], command);
        let text = place.stoa(&["connect", client, "--mount", "things"]).await;
        assert!(text.lines().any(|line| line == command), "{text}");
    }
}

#[tokio::test]
async fn files_are_what_each_editor_reads() {
    let place = Place::sqlite();
    let url = "http://localhost:8787/mcp";
    for (client, file, content) in [
        (
            "cursor",
            ".cursor/mcp.json",
            json!({ "mcpServers": { "stoa": {
                "url": url, "headers": { "Authorization": "Bearer ${env:STOA_TOKEN}" },
            } } }),
        ),
        (
            "vscode",
            ".vscode/mcp.json",
            json!({
                "inputs": [
                    { "type": "promptString", "id": "stoa-token", "description": "Stoa token", "password": true },
                ],
                "servers": { "stoa": {
                    "type": "http", "url": url, "headers": { "Authorization": "Bearer ${input:stoa-token}" },
                } },
            }),
        ),
    ] {
        let steps = steps(&place, client, "all").await;
        assert_eq!((&steps["file"], &steps["content"]), (&json!(file), &content));
        // The text holds the same file, to be copied.
        let text = place.stoa(&["connect", client]).await;
        let copied = &text[text.find("\n{").unwrap()..];
        assert_eq!(serde_json::from_str::<Value>(copied).unwrap(), content);
    }
}

#[tokio::test]
async fn the_address_and_the_data_folder_are_those_of_this_stoa() {
    let place = Place::sqlite();
    let mut command = place.binary();
    command.env("STOA_PUBLIC_URL", "https://stoa.example.com").args(["--data", "/srv/my data"]);
    let output = command.args(["connect", "claude"]).output().await.unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("https://stoa.example.com/mcp"), "{text}");
    assert!(text.contains("--data '/srv/my data' token add"), "{text}");
}

#[tokio::test]
async fn a_mount_that_is_missing_is_refused_by_name_and_an_unknown_agent_is_a_usage_error() {
    let place = Place::sqlite();
    let refusal = place.refused(1, &["connect", "claude", "--mount", "articles"]).await;
    assert_eq!(refusal, "stoa: this build has no mount articles; it has: all, things");
    assert!(place.refused(2, &["connect", "emacs"]).await.contains("claude, codex, cursor, gemini, vscode"));
}
