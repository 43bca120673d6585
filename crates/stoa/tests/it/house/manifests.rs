//! What every service says of its tools is what clients can take (notes on rude clients: rows 9 to 12).

use serde_json::json;
use stoa_testing::on_both;

use crate::support::{App, Bearer, MIGRATIONS};

on_both! {
    async fn every_manifest_keeps_to_what_clients_take(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let service = things::service(&app.services.things, 120);
        assert_eq!(stoa_mcp::check_manifest(&service), Vec::<String>::new());
    }
}

/// The arguments that may be objects, of every service there will be. Each is a map whose keys only the target knows.
const OBJECTS: [(&str, &str); 3] =
    [("ramble_ask", "context"), ("command_resource", "arguments"), ("configure_agent", "answers")];

on_both! {
    async fn no_service_takes_objects_but_where_that_was_decided(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let service = things::service(&app.services.things, 120);
        assert!(service.objects.iter().all(|object| OBJECTS.contains(object)), "{:?}", service.objects);
    }
}

on_both! {
    async fn instructions_are_counts_and_never_names(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let default = app.house.default;
        app.folder(default, "Confidential Place", &[("Confidential Name.txt", "Confidential words")]).await;
        let text = instructions(&app.token(default).await).await;
        assert!(text.contains("It holds 1 things; 1 of 1 places are synced"), "{text}");
        assert!(!text.contains("Confidential") && text.len() < 1_800, "{text}");
        let text = instructions(&app.token_at(default, "things", ["resources:read"]).await).await;
        assert!(!text.contains("It holds"), "{text}");
    }
}

/// What an agent is told at the handshake.
async fn instructions(bearer: &Bearer) -> String {
    let body = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        },
    });
    let answer = bearer.caller().post("/things/mcp", &body).await;
    answer.body["result"]["instructions"].as_str().unwrap().to_owned()
}
