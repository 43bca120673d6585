//! `/metrics`: what a monitor sees.

use metrics_exporter_prometheus::PrometheusBuilder;
use stoa_testing::on_both;

use crate::support::{Anonymous, App, MIGRATIONS};

on_both! {
    async fn metrics_are_for_everybody_and_name_no_tenant(test) with MIGRATIONS; {
        let app = App::on(test).await;
        app.other_workspace().await;
        let handle = PrometheusBuilder::new().build_recorder().handle();
        let health = Anonymous::new(stoa::health::router(app.house.db.clone(), handle));
        let answer = health.get("/metrics").await;
        assert_eq!(answer.status, 200);
        assert!(answer.headers["content-type"].to_str().unwrap().starts_with("text/plain; version=0.0.4"));
        assert!(!answer.body.to_string().contains("other"));
    }
}
