//! Where a call comes from, for counting tries.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use poem::{FromRequest, Request, RequestBody};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};

use super::error::ApiError;
use crate::app::{App, AppError, Client};
use crate::config::client_address;

/// Name of the cookie by which a browser that logged in before is known.
pub const DEVICE_COOKIE: &str = "layby_device";

/// The caller's address and browser.
pub struct CalledFrom(pub Client);

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
        let peer = request.remote_addr().as_socket_addr();
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
        // A proxy may add a line of its own below one that the client made up.
        let forwarded = request.headers().get_all("x-forwarded-for").iter();
        let forwarded: Vec<_> = forwarded.filter_map(|line| line.to_str().ok()).collect();
        let forwarded = forwarded.join(",");
        let cookies = <&poem::web::cookie::CookieJar>::from_request_without_body(request).await?;
        let device = cookies.get(DEVICE_COOKIE);
        Ok(Self(Client {
            address: client_address(&app.config.server.trusted_proxies, peer, Some(&forwarded)),
            device: device.map(|cookie| cookie.value_str().to_string()),
        }))
    }
}
