//! What is measured, in memory until somebody asks for it.

use std::time::Duration;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio_util::sync::CancellationToken;

use crate::failure::Failure;

/// How often gathered metrics are tidied.
const TIDY: Duration = Duration::from_secs(5);
/// How the names of durations end, in seconds.
const DURATIONS: &str = "_seconds";
/// Upper bounds of the classes that durations are counted in.
const CLASSES: &[f64] =
    &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0];

/// Begins to gather: what is measured earlier is lost.
///
/// # Errors
/// [`Failure::Metrics`] when something gathers already.
pub fn start() -> Result<PrometheusHandle, Failure> {
    let classes = Matcher::Suffix(DURATIONS.to_owned());
    let builder = PrometheusBuilder::new().set_buckets_for_metric(classes, CLASSES);
    builder.and_then(PrometheusBuilder::install_recorder).map_err(|error| Failure::Metrics(error.to_string()))
}

/// Keeps what was measured small where nobody asks for it, until `stop`.
pub async fn tidy(metrics: PrometheusHandle, stop: CancellationToken) {
    while stop.run_until_cancelled(tokio::time::sleep(TIDY)).await.is_some() {
        metrics.run_upkeep();
    }
}
