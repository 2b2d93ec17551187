//! Log in, log out, profile.

use std::sync::Arc;

use poem::Request;
use poem::web::Data;
use poem::web::cookie::{Cookie, CookieJar, SameSite};
use poem_openapi::{Object, OpenApi};
use serde::Serialize;
use uuid::Uuid;

use super::auth::{SESSION_COOKIE, Who};
use super::error::ApiError;
use super::payload::{DataOut, In, Nothing, Out};
use crate::app::App;

/// Accounts.
pub struct Accounts;

/// A user name and password.
#[derive(Object)]
struct Login {
    #[oai(default)]
    username: String,
    #[oai(default)]
    password: String,
    /// True keeps the log-in after the browser is closed.
    #[oai(default)]
    remember: bool,
}

/// A person's details.
#[derive(Object, Serialize)]
struct ProfileRead {
    user_id: Option<Uuid>,
    user_uuid: Option<Uuid>,
    user_username: Option<String>,
    title_id: Option<u32>,
    first_name: Option<String>,
    middle_name: Option<String>,
    last_name: Option<String>,
    email_primary: Option<String>,
    address_primary: Option<String>,
    postcode_primary: Option<String>,
    tel_primary: Option<String>,
    gsm_primary: Option<String>,
    fax_primary: Option<String>,
    country_id: Option<u32>,
}

#[OpenApi]
impl Accounts {
    /// Logs in, and sets the session's cookie.
    #[oai(path = "/api/login", method = "post")]
    async fn login(
        &self,
        app: Data<&Arc<App>>,
        cookies: &CookieJar,
        request: In<Login>,
    ) -> Result<Out<Nothing>, ApiError> {
        let Login {
            username,
            password,
            remember,
        } = request.body;
        let login = app.log_in(&username, password, remember).await?;
        let mut cookie = session_cookie(&app, login.token.expose());
        if let Some(seconds) = login.keep_seconds {
            cookie.set_max_age(std::time::Duration::from_secs(seconds));
        }
        cookies.add(cookie);
        Out::of(&Nothing {})
    }

    /// Ends the session on the server. A link on another site can't do it.
    #[oai(path = "/api/logout", method = "get")]
    async fn logout(
        &self,
        app: Data<&Arc<App>>,
        request: &Request,
        cookies: &CookieJar,
    ) -> Result<DataOut<Nothing>, ApiError> {
        let from = request
            .headers()
            .get("sec-fetch-site")
            .and_then(|site| site.to_str().ok());
        if from.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
            return Err(ApiError::cross_site());
        }
        if let Some(cookie) = cookies.get(SESSION_COOKIE) {
            app.log_out(cookie.value_str()).await?;
            let mut gone = session_cookie(&app, "");
            gone.set_max_age(std::time::Duration::ZERO);
            cookies.add(gone);
        }
        Out::data(&Nothing {})
    }

    /// The logged-in user's details, or what was typed into the token's quote.
    #[oai(path = "/api/v1/profile", method = "get")]
    async fn profile(&self, app: Data<&Arc<App>>, who: Who) -> Result<Out<ProfileRead>, ApiError> {
        let view = app.profile(&who.0)?;
        let profile = view.profile;
        Out::of(&ProfileRead {
            user_id: view.user,
            user_uuid: view.user,
            user_username: profile.email_primary.clone(),
            title_id: profile.title_id,
            first_name: profile.first_name,
            middle_name: profile.middle_name,
            last_name: profile.last_name,
            email_primary: profile.email_primary,
            address_primary: profile.address_primary,
            postcode_primary: profile.postcode_primary,
            tel_primary: profile.tel_primary,
            gsm_primary: profile.gsm_primary,
            fax_primary: profile.fax_primary,
            country_id: profile.country_id,
        })
    }
}

fn session_cookie(app: &App, token: &str) -> Cookie {
    let mut cookie = Cookie::new_with_str(SESSION_COOKIE, token);
    cookie.set_path("/");
    cookie.set_http_only(true);
    cookie.set_same_site(SameSite::Lax);
    cookie.set_secure(app.public_url.starts_with("https://"));
    cookie
}
