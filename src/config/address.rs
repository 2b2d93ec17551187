//! Addresses: the origins of web pages, and the networks of trusted proxies.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use ipnet::IpNet;
use poem::http::Uri;

/// Where a web page comes from: scheme, host and port, as browsers write it in `Origin`
/// (in lower case, without the scheme's own port and without a path).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WebOrigin(String);

impl WebOrigin {
    /// The origin of an absolute `http` or `https` address; whatever follows the host is dropped.
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
        // These end up in a security policy, where ';' and ',' have a meaning of their own.
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

    /// The origin of a site address: as [`Origin::of`], but refused if anything follows the host.
    #[must_use]
    pub fn parse_site(address: &str) -> Option<Self> {
        let uri = Uri::from_str(address).ok()?;
        (uri.path() == "/" && uri.query().is_none() && !address.contains('#'))
            .then(|| Self::parse(address))
            .flatten()
    }

    /// The loopback address of a server that listens on `bound`.
    #[must_use]
    pub fn from_socket(bound: SocketAddr) -> Self {
        let ip = match bound.ip() {
            ip if !ip.is_unspecified() => ip,
            IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        };
        let bound = SocketAddr::new(ip, bound.port());
        // Port 80 is the only one that a browser leaves out.
        Self::parse(&format!("http://{bound}")).unwrap_or_else(|| Self(format!("http://{bound}")))
    }

    /// As it stands in an `Origin` header, without a slash at the end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The host alone, without scheme and port; an IPv6 address keeps its brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        let authority = self.0.split("//").nth(1).unwrap_or_default();
        match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => host,
            _ => authority,
        }
    }

    /// Whether it is reached over TLS.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }

    /// Whether it is on this very machine.
    #[must_use]
    pub fn is_this_machine(&self) -> bool {
        let host = self.host().trim_matches(['[', ']']);
        host.parse::<IpAddr>()
            .map_or(host == "localhost", |ip| ip.is_loopback())
    }

    /// The address of a path here. The path begins with a slash.
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

/// Whether this is a path of our own website: never another site's address in disguise.
#[must_use]
pub fn is_own_path(path: &str) -> bool {
    path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains('\\')
        && !path.chars().any(char::is_control)
}

/// A network: an address, and how many of its first bits count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network(IpNet);

impl Network {
    /// Whether an address lies in this network.
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

/// The network that one client has: an IPv4 address, or of IPv6 the /56 that a household is given. It
/// is what is counted where calls or connections are.
#[must_use]
pub fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 72 << 72).into()),
    }
}

/// Who really asks, when the connection comes from `peer` with this `X-Forwarded-For`: the last
/// address that no trusted proxy wrote. What lies before it in the header anyone could have made up.
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
