//! The addresses that are listened on.

use std::net::{IpAddr, SocketAddr};

use rustix::io::Errno;
use tokio::net::TcpListener;

use crate::config::Config;
use crate::failure::Failure;

/// Refuses to open to others what was configured for this machine alone: with a loopback public URL, nothing
/// that is served would fit whoever comes from elsewhere.
///
/// # Errors
/// [`Failure::OpenListener`] names the first such address.
pub fn check(config: &Config) -> Result<(), Failure> {
    let open = config.listen().into_iter().find(|address| !address.ip().is_loopback());
    match open {
        Some(address) if config.is_local() => {
            Err(Failure::OpenListener { address, public_url: config.public_url() })
        }
        _ => Ok(()),
    }
}

/// Binds each address by itself. A machine without `::1` is served all the same, as long as another address
/// is left.
///
/// # Errors
/// [`Failure::Listen`] for an address that can't be bound.
pub async fn bind(addresses: &[SocketAddr]) -> Result<Vec<TcpListener>, Failure> {
    let mut listeners = Vec::new();
    for address in addresses {
        match TcpListener::bind(address).await {
            Ok(listener) => listeners.push(listener),
            Err(error) if addresses.len() > 1 && is_missing(*address, &error) => {
                tracing::warn!(%address, "this machine has no such address; it is not listened on");
            }
            Err(source) => return Err(Failure::Listen { address: *address, source }),
        }
    }
    Ok(listeners)
}

/// Whether the failure says that the machine has no IPv6 loopback.
fn is_missing(address: SocketAddr, error: &std::io::Error) -> bool {
    let absent = matches!(Errno::from_io_error(error), Some(Errno::ADDRNOTAVAIL | Errno::AFNOSUPPORT));
    absent && matches!(address.ip(), IpAddr::V6(ip) if ip.is_loopback())
}
