//! What a supervisor and a monitor ask: `/healthz`, `/readyz`, `/metrics`.

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{StatusCode, header};
use metrics_exporter_prometheus::PrometheusHandle;
use stoa_store::{Database, StoreError};

use crate::{schema, services};

/// The content type of the Prometheus text format, version 0.0.4.
const METRICS_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The paths that [`router`] answers.
pub const ROUTES: &[&str] = &["/healthz", "/readyz", "/metrics"];

/// The routes. They need no token and tell nothing of any tenant.
pub fn router(db: Database, metrics: PrometheusHandle) -> Router {
    Router::new()
        .route("/healthz", get(async || "alive\n"))
        .route("/readyz", get(ready).with_state(db))
        .route("/metrics", get(render).with_state(metrics))
}

/// 200 when the database answers and has the tables this build needs, else 503 with the reason's kind.
async fn ready(State(db): State<Database>) -> Response {
    match lacks(&db).await {
        Ok(None) => "ready\n".into_response(),
        Ok(Some(component)) => {
            (StatusCode::SERVICE_UNAVAILABLE, format!("migrations of {component} are missing\n"))
                .into_response()
        }
        Err(error) => {
            tracing::warn!(%error, "not ready: the database does not answer");
            (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n").into_response()
        }
    }
}

/// A component of which the database lacks migrations. A newer node may have brought more: that is no lack.
async fn lacks(db: &Database) -> Result<Option<String>, StoreError> {
    let applied = schema::applied(db, services::MIGRATIONS).await?;
    let needed = schema::built(services::MIGRATIONS, db.dialect());
    Ok(needed.into_iter().find(|(name, version)| applied.get(name) < Some(version)).map(|(name, _)| name))
}

async fn render(State(metrics): State<PrometheusHandle>) -> Response {
    ([(header::CONTENT_TYPE, METRICS_TYPE)], metrics.render()).into_response()
}
