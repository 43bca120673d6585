//! rmcp's own client, over a personal token: lists tools, syncs, searches, reads.

use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Map, Value, json};

use crate::catalog::fill;
use crate::support::{Place, until};

type Peer = rmcp::service::RunningService<rmcp::RoleClient, ()>;

#[tokio::test]
async fn rmcp_lists_syncs_searches_and_reads() {
    let place = Place::sqlite();
    let files = tempfile::tempdir().unwrap();
    fill(files.path(), 60);
    let token = place.owner_token().await;
    let resource = place.add_folder("documents", files.path()).await;
    let server = place.serve().await;
    let config = StreamableHttpClientTransportConfig::with_uri(server.url("/things/mcp")).auth_header(token);
    let peer: Peer = ().serve(StreamableHttpClientTransport::from_config(config)).await.unwrap();

    let tools = peer.list_all_tools().await.unwrap();
    assert!(tools.iter().any(|tool| tool.name == "search_things"));

    let queued = call(&peer, "sync_resource", json!({ "resource_id": resource })).await;
    until("the sync is done", || async {
        let runs = call(&peer, "list_runs", json!({})).await;
        let run = runs["runs"].as_array()?.iter().find(|run| run["id"] == queued["run_id"])?.clone();
        (run["status"] == "done").then_some(())
    })
    .await;

    let found = call(&peer, "search_things", json!({ "query": "\"page 2\" topic2" })).await;
    assert_eq!(found["things"][0]["title"], "Page 2", "{found}");
    let thing = call(&peer, "get_thing", json!({ "id": found["things"][0]["id"] })).await;
    assert!(thing["body"].as_str().unwrap().contains("document 2 about topic2"));

    peer.cancel().await.unwrap();
    assert!(server.stop().await.success());
}

async fn call(peer: &Peer, tool: &str, arguments: Value) -> Value {
    let arguments: Map<String, Value> = arguments.as_object().unwrap().clone();
    let asked = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
    let answer = peer.call_tool(asked).await.unwrap();
    assert_ne!(answer.is_error, Some(true), "{tool}: {answer:?}");
    answer.structured_content.unwrap()
}
