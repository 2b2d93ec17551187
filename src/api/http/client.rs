//! Where a call comes from, for counting tries.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use poem::{FromRequest, Request, RequestBody};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};

use crate::api::http::error::ApiError;
use crate::app::{App, AppError, ClientAddress};
use crate::config::{Network, ServerSettings, client_address};

/// Name of the cookie by which a browser that logged in before is known, over plain http.
const DEVICE_COOKIE: &str = "layby_device";

/// Its name over https. It goes to the log-in alone, by its path, which a name that begins with
/// `__Host-` doesn't allow.
const DEVICE_COOKIE_SECURE: &str = "__Secure-layby_device";

/// Name of the cookie by which a browser that logged in before is known.
pub fn device_cookie(app: &App) -> &'static str {
    if app.public_url.starts_with("https://") {
        DEVICE_COOKIE_SECURE
    } else {
        DEVICE_COOKIE
    }
}

/// The caller's address and browser.
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

/// Where a request comes from, past the proxies that are trusted.
pub(in crate::api) fn address_of(request: &Request, server: &ServerSettings) -> IpAddr {
    // A proxy may add a line of its own below one that the client made up.
    let forwarded = request.headers().get_all("x-forwarded-for").iter();
    let forwarded: Vec<_> = forwarded.filter_map(|line| line.to_str().ok()).collect();
    client_address(
        &server.trusted_proxies,
        peer_of(request),
        Some(&forwarded.join(",")),
    )
}

/// Whether a request comes from an address in `server.metrics_allow`. Behind a trusted proxy the address
/// is the one the proxy names. A request relayed by another proxy, or without an address named, is not
/// the operator's.
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
