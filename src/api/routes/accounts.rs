//! Routes of accounts: log in, log out, profile and sessions.

use std::sync::Arc;
use std::time::Duration;

use poem::Request;
use poem::web::Data;
use poem::web::cookie::{Cookie, CookieJar, SameSite};
use poem_openapi::OpenApi;

use crate::api::http::auth::{Auth, session_cookie};
use crate::api::http::client::{CalledFrom, device_cookie};
use crate::api::http::error::ApiError;
use crate::api::http::payload::{DataResponse, EmptyBody, JsonBody, JsonResponse};
use crate::api::schema::account::{LinkSecret, Login, LoginResponse, ProfileEdit};
use crate::app::accounts::{self, ProfileView, SessionView};
use crate::app::{App, access};

/// Lifetime of the device cookie, which marks a browser that has logged in before.
const DEVICE_KEPT: Duration = Duration::from_secs(365 * 24 * 3600);

/// Name of the cookie that tells the website's scripts that there may be a session. It holds no secret. A
/// visitor without it is logged out, so the website need not read the profile
/// (`ui/src/lib/session/mayBeLoggedIn.ts`).
const LOGIN_HINT: &str = "layby_logged_in";

pub struct AccountRoutes;

#[OpenApi]
impl AccountRoutes {
    /// Logs in, and sets the cookie of the session. With `token`, returns the session's token instead.
    ///
    /// A wrong user name or password gets a 422 with the code `wrong_login`.
    #[oai(path = "/api/login", method = "post")]
    async fn login(
        &self,
        app: Data<&Arc<App>>,
        from: CalledFrom,
        cookies: &CookieJar,
        request: JsonBody<Login>,
    ) -> Result<JsonResponse<LoginResponse>, ApiError> {
        let Login {
            username,
            password,
            remember,
            token,
        } = request.body;
        let before = session_of(&app, cookies).filter(|_| !token);
        let login = accounts::log_in(
            &app,
            &username,
            password,
            remember,
            &from.0,
            before.as_deref(),
        )
        .await?;
        if token {
            let token = Some(login.token.expose().to_string());
            return JsonResponse::new(LoginResponse { token });
        }
        let mut session = cookie(&app, session_cookie(&app), login.token.expose());
        let mut hint = login_hint(&app, "1");
        if let Some(seconds) = login.keep_seconds {
            session.set_max_age(Duration::from_secs(seconds));
            hint.set_max_age(Duration::from_secs(seconds));
        }
        cookies.add(session);
        cookies.add(hint);
        keep_device(&app, cookies, &login.device);
        JsonResponse::new(LoginResponse { token: None })
    }

    /// Ends the log-in sessions of the request's cookie and bearer token.
    ///
    /// A request from a page of another site gets a 403.
    #[oai(path = "/api/logout", method = "get")]
    async fn logout(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        request: &Request,
        cookies: &CookieJar,
    ) -> Result<DataResponse<EmptyBody>, ApiError> {
        let from = request
            .headers()
            .get("sec-fetch-site")
            .and_then(|site| site.to_str().ok());
        if from.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
            return Err(ApiError::cross_site());
        }
        accounts::log_out(&app.store, &who.0).await?;
        // If the request also has a quote's token, `who` is the visitor of that token. The session of the
        // cookie must end too.
        if let Some(cookie) = cookies.get(session_cookie(&app)) {
            let caller = access::caller(&app.store, &app.clock, None, Some(cookie.value_str()));
            accounts::log_out(&app.store, &caller.await?).await?;
            end_cookie(&app, cookies);
        }
        JsonResponse::data(EmptyBody {})
    }

    /// Returns the logged-in user's details. With a quote's token, returns the policyholder's details in the
    /// quote.
    #[oai(path = "/api/v1/profile", method = "get")]
    async fn profile(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
    ) -> Result<JsonResponse<ProfileView>, ApiError> {
        JsonResponse::new(accounts::profile(&app, &who.0).await?)
    }

    /// Changes the logged-in user's details.
    ///
    /// If a detail is invalid, a 422 names every invalid detail, and nothing is changed.
    #[oai(path = "/api/v1/profile", method = "put")]
    async fn change(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        request: JsonBody<ProfileEdit>,
    ) -> Result<JsonResponse<ProfileView>, ApiError> {
        let change = request.body.change();
        JsonResponse::new(accounts::change_profile(&app, &who.0, change).await?)
    }

    /// Returns the active sessions of the logged-in user, newest first.
    #[oai(path = "/api/v1/profile/sessions", method = "get")]
    async fn sessions(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
    ) -> Result<DataResponse<Vec<SessionView>>, ApiError> {
        JsonResponse::data(accounts::sessions(&app.store, &app.clock, &who.0).await?)
    }

    /// Ends all sessions of the logged-in user except the session of this request.
    #[oai(path = "/api/v1/profile/sessions/end", method = "post")]
    async fn end_sessions(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
    ) -> Result<DataResponse<EmptyBody>, ApiError> {
        accounts::end_other_sessions(&app.store, &who.0).await?;
        JsonResponse::data(EmptyBody {})
    }

    /// Confirms a new mail address with the secret of the link that was mailed to the address.
    ///
    /// The user must be logged in. A link that is invalid, or of another user, gets a 404.
    #[oai(path = "/api/v1/profile/email", method = "post")]
    async fn confirm(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        request: JsonBody<LinkSecret>,
    ) -> Result<DataResponse<EmptyBody>, ApiError> {
        accounts::confirm_address(&app.store, &app.clock, &who.0, &request.body.secret).await?;
        JsonResponse::data(EmptyBody {})
    }
}

/// Sets the device cookie, by which the next log-in recognises the browser.
pub(in crate::api) fn keep_device(app: &App, cookies: &CookieJar, device: &str) {
    let mut device = cookie(app, device_cookie(app), device);
    device.set_path("/api/login");
    device.set_max_age(DEVICE_KEPT);
    cookies.add(device);
}

/// Returns the session's token from the browser's cookie.
pub(in crate::api) fn session_of(app: &App, cookies: &CookieJar) -> Option<String> {
    let cookie = cookies.get(session_cookie(app))?;
    Some(cookie.value_str().to_string())
}

/// Deletes the session cookie and its hint.
pub(in crate::api) fn end_cookie(app: &App, cookies: &CookieJar) {
    for mut gone in [cookie(app, session_cookie(app), ""), login_hint(app, "")] {
        gone.set_max_age(Duration::ZERO);
        cookies.add(gone);
    }
}

fn login_hint(app: &App, value: &str) -> Cookie {
    let mut hint = cookie(app, LOGIN_HINT, value);
    hint.set_http_only(false);
    hint
}

fn cookie(app: &App, name: &str, value: &str) -> Cookie {
    let mut cookie = Cookie::new_with_str(name, value);
    cookie.set_path("/");
    cookie.set_http_only(true);
    cookie.set_same_site(SameSite::Lax);
    cookie.set_secure(app.public_url.starts_with("https://"));
    cookie
}
