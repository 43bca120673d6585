//! The server: everything that runs while it runs, and its end in the right order.

use std::time::Duration;

use axum::Router;
use metrics_exporter_prometheus::PrometheusHandle;
use stoa_mcp::Endpoint;
use stoa_runs::Workers;
use stoa_store::audit::chain;
use stoa_store::wake;
use stoa_web::Web;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::connections::Door;
use super::node::Node;
use super::tls::Tls;
use super::{connections, housekeeping, metrics};
use crate::health;
use crate::house::House;
use crate::services::Services;

/// Runs that one node works on at a time.
const WORKERS: usize = 2;
/// How long calls under way are waited for at the stop.
const GRACE: Duration = Duration::from_secs(30);

/// A running server.
pub struct Server {
    house: House,
    /// Kept until the end: the data folder is this node's.
    node: Node,
    endpoint: Endpoint,
    web: Web,
    workers: Workers,
    front: Tasks,
    back: Tasks,
    chainer: Tasks,
}

/// Tasks that end together.
#[derive(Debug, Default)]
struct Tasks {
    stop: CancellationToken,
    running: TaskTracker,
}

impl Tasks {
    fn start(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.running.spawn(task);
    }

    async fn stop(&self) {
        self.stop.cancel();
        self.running.close();
        self.running.wait().await;
    }
}

impl Server {
    /// Starts everything. From here on the listeners answer.
    #[must_use]
    pub fn start(
        house: House,
        node: Node,
        services: Services,
        metrics: PrometheusHandle,
        listeners: Vec<TcpListener>,
        tls: Option<Tls>,
    ) -> Self {
        let router = health::router(house.db.clone(), metrics.clone())
            .merge(stoa_mcp::router(services.endpoint.clone()))
            .merge(stoa_web::router(services.web.clone()));
        let (db, ambient, name) = (house.db.clone(), house.ambient.clone(), node.name.clone());
        let workers = Workers::start(db, ambient, name.clone(), services.works.clone(), WORKERS);
        Self {
            front: front(listeners, &router, tls),
            back: back(&house, &name, &services, metrics),
            chainer: chainer(&house, name),
            endpoint: services.endpoint,
            web: services.web,
            house,
            node,
            workers,
        }
    }

    /// The graceful stop: nothing new is taken, waits are answered, calls under way are finished, runs are
    /// handed back, and the last audit entries are written and linked.
    pub async fn stop(self) {
        self.front.stop.cancel();
        let drained = tokio::time::timeout(GRACE, self.endpoint.drain());
        let (drained, ()) = tokio::join!(drained, self.workers.stop());
        if drained.is_err() {
            tracing::warn!(seconds = GRACE.as_secs(), "calls were still under way at the stop");
        }
        self.front.stop().await;
        // What was put off until after its answer: each gives up by itself.
        self.web.settled().await;
        self.back.stop().await;
        self.house.audit.stop().await;
        self.chainer.stop().await;
        self.house.close().await;
        tracing::info!(node = %self.node.name, "stopped");
    }
}

fn front(listeners: Vec<TcpListener>, router: &Router, tls: Option<Tls>) -> Tasks {
    let front = Tasks::default();
    let bounds = connections::Bounds::of_system();
    for listener in listeners {
        let door = Door { router: router.clone(), tls: tls.clone() };
        front.start(connections::serve(listener, door, bounds.clone(), front.stop.clone()));
    }
    if let Some(tls) = tls {
        front.start(tls.keep_fresh(front.stop.clone()));
    }
    front
}

fn back(house: &House, node: &str, services: &Services, metrics: PrometheusHandle) -> Tasks {
    let back = Tasks::default();
    let stop = || back.stop.clone();
    let endpoint = services.endpoint.clone();
    back.start(async move { endpoint.tend().await });
    back.start(services.clone().watch(node.to_owned(), stop()));
    back.start(wake::carry(house.db.clone(), stop()));
    back.start(housekeeping::run(house.db.clone(), house.ambient.clone(), node.to_owned(), stop()));
    back.start(metrics::tidy(metrics, stop()));
    back
}

fn chainer(house: &House, node: String) -> Tasks {
    let chainer = Tasks::default();
    let stop = chainer.stop.clone();
    chainer.start(chain::run(house.db.clone(), house.ambient.clone(), house.chain_key(), node, stop));
    chainer
}
