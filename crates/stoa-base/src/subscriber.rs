//! Whose an address is, as far as an address tells.

use std::net::{IpAddr, Ipv6Addr};

/// What is counted by: the address, or the network of 64 bits that one IPv6 subscriber has.
#[must_use]
pub fn subscriber(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => Ipv6Addr::from(u128::from(v6) & !u128::from(u64::MAX)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn one_ipv6_subscriber_is_one_network() {
        let a = subscriber(ip("2001:db8:1:2:3::4"));
        assert_eq!(a, subscriber(ip("2001:db8:1:2:ffff::1")));
        assert_ne!(a, subscriber(ip("2001:db8:1:3::1")));
    }
}
