//! The address and the device cookie of a request's client, for rate limits.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use poem::{FromRequest, Request, RequestBody};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};

use crate::api::http::error::ApiError;
use crate::app::{App, AppError, ClientAddress};
use crate::config::{Network, ServerSettings, client_address};

/// Name of the device cookie over plain http. The cookie marks a browser that has logged in before.
const DEVICE_COOKIE: &str = "layby_device";

/// Name of the device cookie over https. The cookie's path limits it to the log-in. A `__Host-` name
/// would require the path `/`.
const DEVICE_COOKIE_SECURE: &str = "__Secure-layby_device";

/// Time between two warnings of an untrusted proxy.
const WARN_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Returns the name of the device cookie, by the scheme of the shop's public address.
pub fn device_cookie(app: &App) -> &'static str {
    if app.public_url.starts_with("https://") {
        DEVICE_COOKIE_SECURE
    } else {
        DEVICE_COOKIE
    }
}

/// The client's address and device cookie.
pub struct CalledFrom(pub ClientAddress);

impl<'a> ApiExtractor<'a> for CalledFrom {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::PoemExtractor];

    type ParamType = ();
    type ParamRawType = ();

    async fn from_request(
        request: &'a Request,
        _: &mut RequestBody,
        _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let app = request
            .data::<Arc<App>>()
            .ok_or_else(|| ApiError::from(AppError::Internal("no app in the request".into())))?;
        let cookies = <&poem::web::cookie::CookieJar>::from_request_without_body(request).await?;
        let device = cookies.get(device_cookie(app));
        Ok(Self(ClientAddress {
            address: address_of(request, &app.config.server),
            device: device.map(|cookie| cookie.value_str().to_string()),
        }))
    }
}

/// Returns the client's address, see [`client_address`].
pub(in crate::api) fn address_of(request: &Request, server: &ServerSettings) -> IpAddr {
    // A proxy may add its own `X-Forwarded-For` header after a header that the client sent.
    let forwarded = request.headers().get_all("x-forwarded-for").iter();
    let forwarded: Vec<_> = forwarded.filter_map(|line| line.to_str().ok()).collect();
    let peer = peer_of(request);
    if !forwarded.is_empty() && !server.trusted_proxies.iter().any(|own| own.contains(peer)) {
        warn_of_untrusted_proxy();
    }
    client_address(&server.trusted_proxies, peer, Some(&forwarded.join(",")))
}

/// Logs once an hour that `X-Forwarded-For` came from an address that is no trusted proxy.
fn warn_of_untrusted_proxy() {
    static WARNED: Mutex<Option<Instant>> = Mutex::new(None);
    let mut warned = WARNED.lock().unwrap_or_else(PoisonError::into_inner);
    if warned.is_none_or(|last| last.elapsed() >= WARN_INTERVAL) {
        *warned = Some(Instant::now());
        tracing::warn!(
            "X-Forwarded-For is ignored, because server.trusted_proxies does not name its sender: if that is your \
             proxy, all its customers count as one client"
        );
    }
}

/// Checks whether a request comes from an address in `server.metrics_allow`. Behind a trusted proxy,
/// checks the address that the proxy names. Returns `false` if the trusted proxy names no address. Also
/// returns `false` if an untrusted peer sends a proxy's header, such as `Via`.
pub(in crate::api) fn is_operators(request: &Request, server: &ServerSettings) -> bool {
    let among = |networks: &[Network], address| networks.iter().any(|one| one.contains(address));
    let forwarded = ["x-forwarded-for", "forwarded", "via"];
    let relayed = forwarded
        .iter()
        .any(|name| request.headers().contains_key(*name));
    let (peer, address) = (peer_of(request), address_of(request, server));
    let is_client_known = if among(&server.trusted_proxies, peer) {
        address != peer
    } else {
        !relayed
    };
    is_client_known && among(&server.metrics_allow, address)
}

fn peer_of(request: &Request) -> IpAddr {
    let peer = request.remote_addr().as_socket_addr();
    peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| {
        peer.ip().to_canonical()
    })
}
