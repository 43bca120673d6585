//! Where a request came from.

use std::net::IpAddr;

use stoa_base::subscriber::subscriber;
use stoa_store::audit::AddressClass;

/// Where a request of a person's browser or of a client came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The address, as the trusted proxies tell it; `None` where the connection has none. Sessions keep its network,
    /// the quota of registrations a keyed hash.
    pub address: Option<IpAddr>,
    /// What kind of address that is.
    pub class: AddressClass,
    /// What the browser or the program calls itself; kept cut and cleaned.
    pub user_agent: Option<String>,
    /// The trace that the request belongs to.
    pub trace_id: Option<String>,
}

impl Visit {
    /// The network that counts as one visitor: an IPv4 address, or the 64 bits of IPv6 that a household is given.
    #[must_use]
    pub fn network(&self) -> String {
        match self.address.map(|address| subscriber(address.to_canonical())) {
            None => "unknown".to_owned(),
            Some(IpAddr::V4(address)) => address.to_string(),
            Some(IpAddr::V6(network)) => format!("{network}/64"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_households() {
        let network = |address: &str| {
            let address = Some(address.parse().unwrap());
            Visit { address, class: AddressClass::Public, user_agent: None, trace_id: None }.network()
        };
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
        assert_eq!(network("::ffff:192.0.2.7"), "192.0.2.7");
    }
}
