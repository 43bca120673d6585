//! `stoa serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

use crate::banner::Banner;
use crate::commands::Context;
use crate::failure::Failure;
use crate::house::House;
use crate::serve::node::Node;
use crate::serve::server::Server;
use crate::serve::signals::StopSignals;
use crate::serve::tls::Tls;
use crate::serve::{listeners, metrics};
use crate::services::{self, Services};

/// Help of `--listen`.
const LISTEN_HELP: &str = "An address to listen on; may be repeated [default: 127.0.0.1:8787 and [::1]:8787]";

/// Help of `--public-url`.
const PUBLIC_URL_HELP: &str = "The URL under which people and agents reach the server [default: \
    http://localhost and the port; https with a certificate]";

/// Arguments of `stoa serve`.
#[derive(Debug, Args)]
pub struct Serve {
    /// An address to listen on.
    #[arg(long, value_name = "ADDR", help = LISTEN_HELP)]
    pub listen: Vec<SocketAddr>,
    /// The URL under which people and agents reach the server.
    #[arg(long, value_name = "URL", help = PUBLIC_URL_HELP)]
    pub public_url: Option<String>,
    /// The file of the certificate to serve (PEM), with those that lead to its root; it takes --tls-key too
    #[arg(long, value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,
    /// The file of the certificate's private key (PEM)
    #[arg(long, value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
}

impl Serve {
    /// Serves until SIGTERM or SIGINT. A second one does not wait for what is under way.
    ///
    /// # Errors
    /// [`Failure`] says what can't be started.
    pub async fn run(self, context: &Context) -> Result<(), Failure> {
        listeners::check(&context.config)?;
        let tls = context.config.certificate().map(Tls::load).transpose()?;
        let house = House::open(&context.config, &context.ambient).await?;
        let node = Node::take(&context.config.data, &context.ambient)?;
        services::rebuild_where_due(&house).await?;
        let metrics = metrics::start()?;
        let services = Services::assemble(&house, &node.name).await?;
        let listeners = listeners::bind(&context.config.listen()).await?;
        let mut signals = StopSignals::listen().map_err(Failure::Signals)?;
        let banner = Banner::of(context, &house).await?;
        let server = Server::start(house, node, services, metrics, listeners, tls);
        context.output.print(&banner)?;
        signals.next().await;
        tracing::info!("stopping; a second signal does not wait");
        tokio::select! {
            () = server.stop() => {}
            () = signals.next() => tracing::warn!("stopped without waiting"),
        }
        Ok(())
    }
}
