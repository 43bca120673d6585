//! A peer of the bench: rmcp's server, stateless, with one tool. It asks nobody who they are.

use axum::Router;
use axum::routing::get;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::net::TcpListener;

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Serves at the address that is its argument, until it is ended.
#[tokio::main]
async fn main() -> Outcome<()> {
    let listen = std::env::args().nth(1).ok_or("rmcp ADDRESS")?;
    let config =
        StreamableHttpServerConfig::default().with_legacy_session_mode(false).with_json_response(true);
    let service: StreamableHttpService<Peer, LocalSessionManager> =
        StreamableHttpService::new(|| Ok(Peer), Default::default(), config);
    let router = Router::new().route("/readyz", get(async || "ready\n")).nest_service("/things/mcp", service);
    Ok(axum::serve(TcpListener::bind(listen).await?, router).await?)
}

#[derive(Clone)]
struct Peer;

impl ServerHandler for Peer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let text = arguments.get("text").and_then(|text| text.as_str());
        let text = text.ok_or_else(|| ErrorData::invalid_params("`text` is missing", None))?;
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}
