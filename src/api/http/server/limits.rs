//! The limits of a server's connections.

use std::net::IpAddr;
use std::time::Duration;

use crate::config::{Network, ServerSettings};

/// The maximum number of connections that no setting raised. Each takes memory.
const MAX_CONNECTIONS: usize = 10_000;
/// The assumed limit of open files if the system does not report its limit.
const USUAL_FILES: usize = 1024;

/// The limits on the number, the memory and the time of connections.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Maximum number of connections in all.
    pub in_all: usize,
    /// Maximum number of connections of one client, see [`crate::config::client_network`].
    pub per_client: usize,
    /// Proxies to which `per_client` does not apply.
    pub trusted_proxies: Vec<Network>,
    /// Whether HTTP/2 is on. HTTP/1 is always on.
    pub http2: bool,
    /// Bytes of unsent responses above which the server closes connections that stall.
    pub unread: usize,
    pub timeouts: Timeouts,
}

/// The time limits of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// Maximum time for the whole head of a request, from its first byte. For the first request of a
    /// connection, the time starts with the connection.
    pub head: Duration,
    /// Maximum wait for the next request, and for the client to read more of a response.
    pub idle: Duration,
    /// Maximum time for requests in progress when the server stops.
    pub grace: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(10),
            idle: Duration::from_secs(60),
            grace: Duration::from_secs(20),
        }
    }
}

impl Limits {
    /// Reads the limits from the settings. If `max_connections` is 0, connections may use three quarters
    /// of the files that the process may open, at most [`MAX_CONNECTIONS`].
    #[must_use]
    pub fn from_settings(server: &ServerSettings) -> Self {
        let in_all = match server.max_connections {
            0 => (open_files().saturating_mul(3).div_ceil(4)).min(MAX_CONNECTIONS),
            set => set,
        };
        Self {
            in_all,
            per_client: server.max_connections_per_address,
            trusted_proxies: server.trusted_proxies.clone(),
            http2: server.http2,
            unread: server.max_body_memory,
            timeouts: Timeouts::default(),
        }
    }

    pub(super) fn is_trusted(&self, peer: IpAddr) -> bool {
        self.trusted_proxies
            .iter()
            .any(|proxy| proxy.contains(peer))
    }
}

/// Returns how many files this process may open (`ulimit -n`), from Linux's `/proc`. Returns
/// [`USUAL_FILES`] if `/proc` does not report the limit.
fn open_files() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    soft_limit(&limits).unwrap_or(USUAL_FILES)
}

/// Returns the soft limit in the line `Max open files   1024   524288   files` of `/proc/self/limits`.
/// Returns `None` if the line is missing or invalid.
fn soft_limit(limits: &str) -> Option<usize> {
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"))?;
    match line.split_whitespace().next()? {
        // The number of slots must be finite.
        "unlimited" => Some(1 << 20),
        number => number.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_soft_limit_is_read() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units\n\
                      Max processes             unlimited            unlimited            processes\n\
                      Max open files            1024                 524288               files\n";
        assert_eq!(soft_limit(limits), Some(1024));
        assert_eq!(
            soft_limit("Max open files  unlimited  unlimited files"),
            Some(1 << 20)
        );
        assert_eq!(soft_limit(""), None);
    }
}
