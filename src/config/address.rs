//! Web origins, and networks of trusted proxies.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use ipnet::IpNet;
use poem::http::Uri;

/// The origin of a web page: scheme, host and port, as browsers write the origin in the `Origin` header.
/// The text is in lower case, without the scheme's default port and without a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WebOrigin(String);

impl WebOrigin {
    /// Returns the origin of an absolute `http` or `https` address. Drops everything after the host and port.
    /// Returns `None` for an invalid address, another scheme or port, or an address with a user name. Also
    /// returns `None` if the host has other characters than ASCII letters, digits and `.-_:[]`.
    #[must_use]
    pub fn parse(address: &str) -> Option<Self> {
        let uri = Uri::from_str(address).ok()?;
        let scheme = uri.scheme_str()?.to_ascii_lowercase();
        let own_port = match scheme.as_str() {
            "http" => 80,
            "https" => 443,
            _ => return None,
        };
        let host = uri.host()?.to_ascii_lowercase();
        // The website's security policy contains the origin, and ';' and ',' are separators in a policy.
        let plain = |c: char| c.is_ascii_alphanumeric() || ".-_:[]".contains(c);
        let authority = uri.authority()?.as_str();
        if host.is_empty() || authority.contains('@') || !host.chars().all(plain) {
            return None;
        }
        let has_port = authority.len() > host.len();
        match uri.port_u16() {
            Some(port) if port != own_port => Some(Self(format!("{scheme}://{host}:{port}"))),
            None if has_port => None,
            _ => Some(Self(format!("{scheme}://{host}"))),
        }
    }

    /// Returns the origin of a site address, as [`Self::parse`] does. Also returns `None` if the address
    /// has a query, a fragment, or another path than `/`.
    #[must_use]
    pub fn parse_site(address: &str) -> Option<Self> {
        let uri = Uri::from_str(address).ok()?;
        (uri.path() == "/" && uri.query().is_none() && !address.contains('#'))
            .then(|| Self::parse(address))
            .flatten()
    }

    /// Returns the origin of a server that listens on `bound`. An unspecified address becomes loopback.
    #[must_use]
    pub fn from_socket(bound: SocketAddr) -> Self {
        let ip = match bound.ip() {
            ip if !ip.is_unspecified() => ip,
            IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        };
        let bound = SocketAddr::new(ip, bound.port());
        // For http, browsers leave out only port 80.
        Self::parse(&format!("http://{bound}")).unwrap_or_else(|| Self(format!("http://{bound}")))
    }

    /// Returns the text of an `Origin` header, without a slash at the end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the host without scheme and port. An IPv6 address keeps its brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        let authority = self.0.split("//").nth(1).unwrap_or_default();
        match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => host,
            _ => authority,
        }
    }

    #[must_use]
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }

    #[must_use]
    pub fn is_this_machine(&self) -> bool {
        let host = self.host().trim_matches(['[', ']']);
        host.parse::<IpAddr>()
            .map_or(host == "localhost", |ip| ip.is_loopback())
    }

    /// Returns whether nobody on the network can read the data sent to this origin.
    #[must_use]
    pub fn is_private(&self) -> bool {
        self.is_https() || self.is_this_machine()
    }

    /// Returns the address of a path at this origin. The path must begin with a slash.
    #[must_use]
    pub fn join(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }
}

impl fmt::Display for WebOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns whether `path` is a path of our own website. Returns false for a text that browsers read as
/// another site's address.
#[must_use]
pub fn is_own_path(path: &str) -> bool {
    path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains('\\')
        && !path.chars().any(char::is_control)
}

/// A network: an address, and the number of its first bits that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network(IpNet);

impl Network {
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

impl FromStr for Network {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let address = || text.trim().parse::<IpAddr>().map(IpNet::from);
        let network = text.trim().parse().or_else(|_| address());
        network.map(Self).map_err(|_| ())
    }
}

/// Returns the network of one client: an IPv4 address, or the IPv6 /56 of a household. The limits of
/// requests and connections count by this network.
#[must_use]
pub fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 72 << 72).into()),
    }
}

/// Returns the client's address, for a connection from `peer` with this `X-Forwarded-For`. The client's
/// address is the last address that belongs to no trusted proxy: a client can forge all earlier addresses.
/// Reads the header from its end and stops at an unreadable address. If all addresses that were read belong
/// to trusted proxies, returns the earliest of these proxies.
#[must_use]
pub fn client_address(trusted: &[Network], peer: IpAddr, forwarded_for: Option<&str>) -> IpAddr {
    let mut client = peer.to_canonical();
    let mut hops = forwarded_for.unwrap_or_default().rsplit(',').map(str::trim);
    while trusted.iter().any(|network| network.contains(client)) {
        let parsed = hops.next().and_then(|hop| {
            let with_port = || hop.parse::<SocketAddr>().map(|address| address.ip());
            hop.parse::<IpAddr>().or_else(|_| with_port()).ok()
        });
        match parsed {
            Some(address) => client = address.to_canonical(),
            None => break,
        }
    }
    client
}
