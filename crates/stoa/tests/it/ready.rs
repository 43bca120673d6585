//! `/healthz` and `/readyz`: what a supervisor asks.

use axum::body::Body;
use http::Method;
use metrics_exporter_prometheus::PrometheusBuilder;
use stoa_testing::on_both;

use crate::support::{Anonymous, App, MIGRATIONS};

on_both! {
    async fn ready_means_that_the_database_answers(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let handle = PrometheusBuilder::new().build_recorder().handle();
        let health = Anonymous::new(stoa::health::router(app.house.db.clone(), handle));
        assert_eq!(health.get("/healthz").await.status, 200);
        assert_eq!(health.get("/readyz").await.status, 200);
        for path in stoa::health::ROUTES {
            assert_eq!(health.send(Method::POST, path, Body::empty()).await.status, 405, "{path}");
        }
        app.house.db.close().await;
        assert_eq!(health.get("/readyz").await.status, 503);
        assert_eq!(health.get("/healthz").await.status, 200);
    }
}
