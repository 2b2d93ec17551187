//! Log in, log out, profile.

use std::sync::Arc;
use std::time::Duration;

use poem::Request;
use poem::web::Data;
use poem::web::cookie::{Cookie, CookieJar, SameSite};
use poem_openapi::OpenApi;
use uuid::Uuid;

use super::auth::{Auth, SESSION_COOKIE};
use super::client::{CalledFrom, DEVICE_COOKIE};
use super::error::ApiError;
use super::payload::{DataResponse, JsonBody, JsonResponse, Nothing};
use super::wire::published::{answer, or_default, request};
use crate::app::App;
use crate::app::accounts::{ProfileChange, ProfileView};
use crate::domain::person;
use crate::domain::policyholder;

/// How long the cookie is kept by which a browser that logged in before is recognised.
const DEVICE_KEPT: Duration = Duration::from_secs(365 * 24 * 3600);

/// Accounts.
pub struct Accounts;

request! {
    /// A user name and password.
    struct Login {
        #[serde(default, deserialize_with = "or_default")]
        username: String,
        #[serde(default, deserialize_with = "or_default")]
        password: String,
        /// True keeps the log-in after the browser is closed.
        #[serde(default, deserialize_with = "or_default")]
        remember: bool,
        /// True for a client that is no browser: the answer carries the session's token, for
        /// `Authorization: Bearer`, and sets no cookie.
        #[serde(default, deserialize_with = "or_default")]
        token: bool,
    }
}

answer! {
    /// The session's token, where it was asked for.
    struct LoggedIn {
        #[serde(skip_serializing_if = "Option::is_none")]
        token: Option<String>,
    }
}

answer! {
    /// A person's details.
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
        /// Whether we may write about offers; null for a quote's visitor.
        marketing_contact: Option<bool>,
        /// The mail address that counts once its mailbox confirms.
        email_pending: Option<String>,
    }
}

request! {
    /// Details to change. What is missing or null stays; an empty text clears, but not a name.
    struct ProfileEdit {
        title_id: Option<u32>,
        first_name: Option<String>,
        middle_name: Option<String>,
        last_name: Option<String>,
        /// Takes effect when the link in its mailbox is followed. Sending the present address withdraws an
        /// address that waits for that.
        email_primary: Option<String>,
        address_primary: Option<String>,
        postcode_primary: Option<String>,
        tel_primary: Option<String>,
        gsm_primary: Option<String>,
        fax_primary: Option<String>,
        country_id: Option<u32>,
        marketing_contact: Option<bool>,
    }
}

request! {
    /// The secret of a mailed link.
    pub(super) struct LinkSecret {
        #[serde(default, deserialize_with = "or_default")]
        pub(super) secret: String,
    }
}

#[OpenApi]
impl Accounts {
    /// Logs in, and sets the session's cookie.
    #[oai(path = "/api/login", method = "post")]
    async fn login(
        &self,
        app: Data<&Arc<App>>,
        from: CalledFrom,
        cookies: &CookieJar,
        request: JsonBody<Login>,
    ) -> Result<JsonResponse<LoggedIn>, ApiError> {
        let Login {
            username,
            password,
            remember,
            token,
        } = request.body;
        let before = session_of(cookies).filter(|_| !token);
        let login = app
            .log_in(&username, password, remember, &from.0, before.as_deref())
            .await?;
        if token {
            let token = Some(login.token.expose().to_string());
            return JsonResponse::of(LoggedIn { token });
        }
        let mut session = cookie(&app, SESSION_COOKIE, login.token.expose());
        if let Some(seconds) = login.keep_seconds {
            session.set_max_age(Duration::from_secs(seconds));
        }
        cookies.add(session);
        keep_device(&app, cookies, &login.device);
        JsonResponse::of(LoggedIn { token: None })
    }

    /// Ends the session on the server. Refused when another site's page asks for it.
    #[oai(path = "/api/logout", method = "get")]
    async fn logout(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        request: &Request,
        cookies: &CookieJar,
    ) -> Result<DataResponse<Nothing>, ApiError> {
        let from = request
            .headers()
            .get("sec-fetch-site")
            .and_then(|site| site.to_str().ok());
        if from.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
            return Err(ApiError::cross_site());
        }
        app.log_out(&who.0).await?;
        // Where a quote's token was sent as well, the caller is the token; the session of the cookie
        // ends nevertheless.
        if let Some(cookie) = cookies.get(SESSION_COOKIE) {
            let caller = app.caller(None, Some(cookie.value_str()));
            app.log_out(&caller.await?).await?;
            end_cookie(&app, cookies);
        }
        JsonResponse::data(Nothing {})
    }

    /// The logged-in user's details, or what was typed into the token's quote.
    #[oai(path = "/api/v1/profile", method = "get")]
    async fn profile(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
    ) -> Result<JsonResponse<ProfileRead>, ApiError> {
        profile_read(app.profile(&who.0).await?)
    }

    /// Changes the logged-in user's details.
    #[oai(path = "/api/v1/profile", method = "put")]
    async fn change(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        request: JsonBody<ProfileEdit>,
    ) -> Result<JsonResponse<ProfileRead>, ApiError> {
        let change = request.body.change();
        profile_read(app.change_profile(&who.0, change).await?)
    }

    /// Confirms a new mail address by the link that was mailed to it. The user must be logged in.
    #[oai(path = "/api/v1/profile/email", method = "post")]
    async fn confirm(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        request: JsonBody<LinkSecret>,
    ) -> Result<DataResponse<Nothing>, ApiError> {
        app.confirm_address(&who.0, &request.body.secret).await?;
        JsonResponse::data(Nothing {})
    }
}

impl ProfileEdit {
    fn change(self) -> ProfileChange {
        let texts = [
            (policyholder::FIRST_NAME, self.first_name),
            (policyholder::MIDDLE_NAME, self.middle_name),
            (policyholder::LAST_NAME, self.last_name),
            (policyholder::ADDRESS, self.address_primary),
            (policyholder::POSTCODE, self.postcode_primary),
            (policyholder::TELEPHONE, self.tel_primary),
            (policyholder::MOBILE, self.gsm_primary),
            (policyholder::FAX, self.fax_primary),
        ];
        let texts = texts
            .into_iter()
            .filter_map(|(name, text)| Some((name, text?)));
        ProfileChange {
            person: person::DetailsChange {
                title_id: self.title_id,
                country_id: self.country_id,
                texts: texts.collect(),
            },
            email: self.email_primary,
            marketing: self.marketing_contact,
        }
    }
}

fn profile_read(view: ProfileView) -> Result<JsonResponse<ProfileRead>, ApiError> {
    let profile = view.profile;
    let user = view.user.as_ref();
    JsonResponse::of(ProfileRead {
        user_id: user.map(|user| user.uuid),
        user_uuid: user.map(|user| user.uuid),
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
        marketing_contact: user.map(|user| user.marketing),
        email_pending: user.and_then(|user| user.email_pending.clone()),
    })
}

/// Sets the cookie by which the browser is recognised at its next log-in.
pub(super) fn keep_device(app: &App, cookies: &CookieJar, device: &str) {
    let mut device = cookie(app, DEVICE_COOKIE, device);
    device.set_path("/api/login");
    device.set_max_age(DEVICE_KEPT);
    cookies.add(device);
}

/// The session's token in the browser's cookie, if there is one.
pub(super) fn session_of(cookies: &CookieJar) -> Option<String> {
    let cookie = cookies.get(SESSION_COOKIE)?;
    Some(cookie.value_str().to_string())
}

/// Deletes the session's cookie.
pub(super) fn end_cookie(app: &App, cookies: &CookieJar) {
    let mut gone = cookie(app, SESSION_COOKIE, "");
    gone.set_max_age(Duration::ZERO);
    cookies.add(gone);
}

fn cookie(app: &App, name: &str, value: &str) -> Cookie {
    let mut cookie = Cookie::new_with_str(name, value);
    cookie.set_path("/");
    cookie.set_http_only(true);
    cookie.set_same_site(SameSite::Lax);
    cookie.set_secure(app.public_url.starts_with("https://"));
    cookie
}
