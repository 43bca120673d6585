//! Tools that tell how they go: progress, and log messages.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use serde_json::json;
use stoa_mcp::{Answer, Call, Content, Level, Tool, ToolError};

use crate::tool::tool;

/// Between two messages: more than the shortest pause between two of progress.
const PAUSE: Duration = Duration::from_millis(120);

pub fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        tool("test_tool_with_progress", "Reports progress.", |call| progress(call).boxed()),
        tool("test_tool_with_logging", "Logs what it does.", |call| logging(call).boxed()),
        tool("test_logging_tool", "Logs what it does, to whoever asked.", |call| logging(call).boxed()),
    ]
}

async fn progress(call: Call) -> Result<Answer, ToolError> {
    for done in [0.0, 50.0, 100.0] {
        call.progress.report(done, Some(100.0), Some("Working"));
        tokio::time::sleep(PAUSE).await;
    }
    Ok(Answer::content(vec![Content::text("Progress test completed")]))
}

async fn logging(call: Call) -> Result<Answer, ToolError> {
    for message in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        call.log.tell(Level::Info, "conformance", &json!(message));
        tokio::time::sleep(PAUSE).await;
    }
    Ok(Answer::content(vec![Content::text("Logging test completed")]))
}
