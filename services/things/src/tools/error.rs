//! How what went wrong is said on the wire.

use stoa_mcp::ToolError;

use crate::operations::ThingsError;

impl From<ThingsError> for ToolError {
    fn from(error: ThingsError) -> Self {
        let message = error.to_string();
        match error {
            // The reference's wire string, kept for its clients.
            ThingsError::NotFound { .. } => Self::failed("ActiveRecord::RecordNotFound", message),
            ThingsError::Denied { .. } => Self::denied("Grant::Denied", message),
            ThingsError::Argument(problem) => Self::bad_argument(problem),
            ThingsError::OverBudget(state) => Self::denied("OverBudget", message)
                .with("limit", state.limit)
                .with("used", state.used)
                .with("resets_at", state.resets_at.to_string())
                .with("retry_after_ms", state.retry_after_ms),
            ThingsError::Resource(_) => Self::failed("Resource::Failed", message),
            ThingsError::Store(error) => Self::internal(error),
        }
    }
}
