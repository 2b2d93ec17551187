//! Authentication: reads the [`Caller`] of a request from its bearer token or its session cookie.
//! `app::access` decides what the caller may do.

use std::sync::Arc;

use poem::http::Method;
use poem::http::header::{AUTHORIZATION, ORIGIN};
use poem::{FromRequest, Request, RequestBody};
use poem_openapi::registry::{MetaSecurityScheme, Registry};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};

use crate::api::http::error::ApiError;
use crate::app::{App, AppError, Caller, access};

/// Name of the session cookie over plain http.
const SESSION_COOKIE: &str = "layby_session";

/// Name of the session cookie over https. Browsers accept a `__Host-` cookie only from this host and only
/// over https. A page of a sibling domain or a tampered http response cannot set the cookie.
const SESSION_COOKIE_OF_HOST: &str = "__Host-layby_session";

/// Returns the name of the session cookie, by the scheme of the shop's public address.
pub fn session_cookie(app: &App) -> &'static str {
    if app.public_url.starts_with("https://") {
        SESSION_COOKIE_OF_HOST
    } else {
        SESSION_COOKIE
    }
}

/// The caller. A quote's token is not yet checked: `app::access` checks the token when it reads the
/// quote.
pub struct Auth(pub Caller);

impl<'a> ApiExtractor<'a> for Auth {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];

    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        let scheme = |ty, description, name, key_in, scheme| MetaSecurityScheme {
            ty,
            description: Some(description),
            name,
            key_in,
            scheme,
            bearer_format: None,
            flows: None,
            openid_connect_url: None,
        };
        registry.create_security_scheme(
            "Token",
            scheme(
                "http",
                "A quote's consumer token.",
                None,
                None,
                Some("bearer"),
            ),
        );
        registry.create_security_scheme(
            "Session",
            scheme(
                "apiKey",
                "A log-in. Over https the cookie's name begins with `__Host-`.",
                Some(SESSION_COOKIE),
                Some("cookie"),
                None,
            ),
        );
    }

    fn security_schemes() -> Vec<&'static str> {
        vec!["Token", "Session"]
    }

    fn has_security_fallback() -> bool {
        true
    }

    async fn from_request(
        request: &'a Request,
        _: &mut RequestBody,
        _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        caller(request).await.map(Self)
    }
}

async fn caller(request: &Request) -> poem::Result<Caller> {
    let app = request
        .data::<Arc<App>>()
        .ok_or_else(|| ApiError::from(AppError::Internal("no app in the request".into())))?;
    let bearer = request
        .headers()
        .get(AUTHORIZATION)
        .and_then(|header| header.to_str().ok())
        .and_then(|header| header.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, token)| token.trim());
    let cookies = <&poem::web::cookie::CookieJar>::from_request_without_body(request).await?;
    let mut cookie = cookies.get(session_cookie(app));
    if cookie.is_some() && !is_same_site(request, &app.public_url) {
        if bearer.is_none() {
            return Err(ApiError::cross_site().into());
        }
        cookie = None;
    }
    let cookie = cookie.as_ref().map(poem::web::cookie::Cookie::value_str);
    Ok(access::caller(&app.store, &app.clock, bearer, cookie)
        .await
        .map_err(ApiError::from)?)
}

/// Checks whether a request comes from our own pages, by `Origin` or, if that is missing,
/// `Sec-Fetch-Site`. Returns `true` for every GET and HEAD.
fn is_same_site(request: &Request, public_url: &str) -> bool {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return true;
    }
    let header = |name: &str| {
        request
            .headers()
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    match header(ORIGIN.as_str()) {
        Some(origin) => origin == public_url,
        None => header("sec-fetch-site").is_some_and(|site| site == "same-origin"),
    }
}
