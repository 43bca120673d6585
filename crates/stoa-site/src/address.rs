//! Where a request comes from.

use std::net::{IpAddr, Ipv4Addr};
use std::str::FromStr;

use http::{HeaderMap, HeaderName};
use stoa_store::audit::AddressClass;

/// What proxies tell of whom they speak for; each adds the address that it saw at the end.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// A range of addresses: `10.0.0.0/8`, `::1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    first: IpAddr,
    prefix: u32,
}

/// The text is no range of addresses.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("expected an address or a range such as 10.0.0.0/8")]
pub struct NotANetwork;

impl FromStr for Network {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let (address, prefix) = text.split_once('/').map_or((text, None), |(a, p)| (a, Some(p)));
        let first: IpAddr = address.parse().map_err(|_| NotANetwork)?;
        let longest = if first.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.map_or(Ok(longest), str::parse).map_err(|_| NotANetwork)?;
        if prefix > longest {
            return Err(NotANetwork);
        }
        Ok(Self { first, prefix })
    }
}

impl Network {
    /// Whether `address` lies in it.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.first, address) {
            (IpAddr::V4(first), IpAddr::V4(address)) => {
                let shift = 32 - self.prefix;
                u64::from(u32::from(first)) >> shift == u64::from(u32::from(address)) >> shift
            }
            (IpAddr::V6(first), IpAddr::V6(address)) => {
                let differ = u128::from(first) ^ u128::from(address);
                differ.leading_zeros() >= self.prefix
            }
            _ => false,
        }
    }
}

/// The address that a request comes from: the peer's, or where the peer is a trusted proxy, the last one in
/// `X-Forwarded-For` that is none. What an untrusted peer writes there counts for nothing.
#[must_use]
pub fn of_client(peer: Option<IpAddr>, headers: &HeaderMap, trusted: &[Network]) -> Option<IpAddr> {
    let peer = peer?.to_canonical();
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    if !is_trusted(peer) {
        return Some(peer);
    }
    let lines: Vec<&str> =
        headers.get_all(FORWARDED_FOR).iter().filter_map(|line| line.to_str().ok()).collect();
    let hops = lines.iter().rev().flat_map(|line| line.rsplit(','));
    let mut nearest = peer;
    for hop in hops {
        let Ok(address) = hop.trim().parse::<IpAddr>() else { break };
        nearest = address.to_canonical();
        if !is_trusted(nearest) {
            break;
        }
    }
    Some(nearest)
}

/// What the audit keeps of an address.
#[must_use]
pub fn class(address: Option<IpAddr>) -> AddressClass {
    match address {
        None => AddressClass::Unknown,
        Some(address) if address.is_loopback() => AddressClass::Loopback,
        Some(IpAddr::V4(v4)) if is_private_v4(v4) => AddressClass::Private,
        Some(IpAddr::V6(v6)) if v6.is_unique_local() || v6.is_unicast_link_local() => AddressClass::Private,
        Some(_) => AddressClass::Public,
    }
}

fn is_private_v4(v4: Ipv4Addr) -> bool {
    v4.is_private() || v4.is_link_local()
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn client(peer: &str, forwarded: &[&'static str], trusted: &[&str]) -> Option<IpAddr> {
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append(FORWARDED_FOR, HeaderValue::from_static(line));
        }
        let trusted: Vec<Network> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        of_client(Some(peer.parse().unwrap()), &headers, &trusted)
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn what_an_untrusted_peer_says_of_others_counts_for_nothing() {
        assert_eq!(client("203.0.113.9", &["1.2.3.4"], &["10.0.0.0/8"]), Some(ip("203.0.113.9")));
    }

    #[test]
    fn behind_trusted_proxies_the_last_untrusted_hop_counts() {
        let trusted = ["10.0.0.0/8", "fd00::/8"];
        assert_eq!(
            client("10.0.0.1", &["6.6.6.6, 203.0.113.9, 10.0.0.2"], &trusted),
            Some(ip("203.0.113.9"))
        );
        assert_eq!(client("::ffff:10.0.0.1", &["6.6.6.6", "203.0.113.9"], &trusted), Some(ip("203.0.113.9")));
        assert_eq!(client("fd00::1", &["nonsense"], &trusted), Some(ip("fd00::1")));
        assert_eq!(client("10.0.0.1", &[], &trusted), Some(ip("10.0.0.1")));
    }

    #[test]
    fn networks_contain_what_shares_their_prefix() {
        let network = |text: &str| text.parse::<Network>().unwrap();
        assert!(network("0.0.0.0/0").contains(ip("9.9.9.9")));
        assert!(network("::/0").contains(ip("2001:db8::1")));
        assert!(!network("10.0.0.0/8").contains(ip("11.0.0.0")));
        assert!(network("::1").contains(ip("::1")) && !network("::1").contains(ip("::2")));
        for text in ["", "10.0.0.0/33", "10.0.0/8", "host"] {
            assert_eq!(text.parse::<Network>(), Err(NotANetwork), "{text}");
        }
    }

    #[test]
    fn classes_name_the_kind_of_network_only() {
        let of = |text: &str| class(Some(ip(text)));
        assert_eq!((of("127.8.8.8"), of("::1")), (AddressClass::Loopback, AddressClass::Loopback));
        assert_eq!((of("192.168.1.1"), of("fd00::1")), (AddressClass::Private, AddressClass::Private));
        assert_eq!((of("9.9.9.9"), class(None)), (AddressClass::Public, AddressClass::Unknown));
    }
}
