//! Between a name and its connection.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::{Lookup, is_private_host};
use crate::is_public;

/// Resolves names for the client's connections, which go to what is given here and nowhere else.
pub(super) struct Guard {
    pub lookup: Arc<dyn Lookup>,
    pub private_hosts: Arc<[String]>,
}

/// A name has no address that may be connected to.
#[derive(Debug, thiserror::Error)]
#[error("{host} is not on the public internet")]
pub(super) struct Refused {
    pub host: String,
}

impl Refused {
    /// The refusal that led to this error.
    pub fn within<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a Self> {
        let mut cause = Some(error);
        while let Some(error) = cause {
            if let Some(refused) = error.downcast_ref() {
                return Some(refused);
            }
            cause = error.source();
        }
        None
    }
}

impl Resolve for Guard {
    /// All addresses must be public: a name that has both kinds is somebody's attempt.
    fn resolve(&self, name: Name) -> Resolving {
        let (lookup, private_hosts) = (self.lookup.clone(), self.private_hosts.clone());
        Box::pin(async move {
            let host = name.as_str().to_ascii_lowercase();
            let found = lookup.lookup(&host).await?;
            let is_allowed =
                is_private_host(&private_hosts, &host) || found.iter().all(|address| is_public(*address));
            if !is_allowed {
                return Err(Refused { host }.into());
            }
            // The port is the URL's.
            let addresses = found.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}
