//! Routes of passwords: change a password with the old password, or set a password by a mailed link.

use std::sync::Arc;

use poem::web::Data;
use poem::web::cookie::CookieJar;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;

use crate::api::http::auth::Auth;
use crate::api::http::client::CalledFrom;
use crate::api::http::error::ApiError;
use crate::api::http::payload::{DataResponse, EmptyBody, JsonBody, JsonResponse};
use crate::api::routes::accounts::{end_cookie, keep_device, session_of};
use crate::api::schema::password::{
    ChangePassword, ResetPassword, ResetProfile, RetrievePassword, RetrieveRequest,
};
use crate::app::accounts::{self, Reset};
use crate::app::{App, AppError};

pub struct PasswordRoutes;

#[OpenApi]
impl PasswordRoutes {
    /// Changes the password of the logged-in user, and ends all sessions of the user.
    #[oai(path = "/api/v1/profile/password", method = "put")]
    async fn change(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        cookies: &CookieJar,
        request: JsonBody<ChangePassword>,
    ) -> Result<DataResponse<EmptyBody>, ApiError> {
        let ChangePassword {
            password,
            new_password,
            new_password_repeat,
        } = request.body;
        accounts::change_password(&app, &who.0, password, new_password, &new_password_repeat)
            .await?;
        end_cookie(&app, cookies);
        JsonResponse::data(EmptyBody {})
    }

    /// Returns the user whose password a mailed link sets.
    ///
    /// A link that is unknown, used or expired gets a 404.
    #[oai(path = "/api/v1/password/:aid/info", method = "get")]
    async fn info(
        &self,
        app: Data<&Arc<App>>,
        aid: Path<String>,
    ) -> Result<DataResponse<ResetProfile>, ApiError> {
        let owner = accounts::link_owner(&app.store, &app.clock, &aid).await?;
        let profile = owner.profile;
        JsonResponse::data(ResetProfile {
            user_username: profile.email_primary.clone(),
            email_primary: profile.email_primary,
            first_name: profile.first_name,
            identifier: owner.user,
            last_name: profile.last_name,
            new_user: owner.is_new,
        })
    }

    /// Sets a password with a mailed link or code, and ends all sessions of the user. The link can't be used
    /// again.
    ///
    /// An invalid link gets a 404.
    #[oai(path = "/api/v1/password/:aid/reset", method = "post")]
    async fn reset(
        &self,
        app: Data<&Arc<App>>,
        cookies: &CookieJar,
        aid: Path<String>,
        request: JsonBody<ResetPassword>,
    ) -> Result<DataResponse<EmptyBody>, ApiError> {
        let ResetPassword {
            issue: _,
            password,
            password_rpt,
            identifier,
        } = request.body;
        let device = accounts::reset_password(
            &app,
            Reset {
                link: &aid,
                password,
                repeat: &password_rpt,
                username: None,
                identifier: identifier.as_deref(),
                before: session_of(&app, cookies).as_deref(),
            },
        )
        .await?;
        end_cookie(&app, cookies);
        keep_device(&app, cookies, &device);
        JsonResponse::data(EmptyBody {})
    }

    /// Requests a letter with a link that sets a password. The answer does not reveal whether the user
    /// exists.
    #[oai(path = "/api/v1/retrieve-password-request", method = "post")]
    async fn request(
        &self,
        app: Data<&Arc<App>>,
        from: CalledFrom,
        request: JsonBody<RetrieveRequest>,
    ) -> Result<DataResponse<EmptyBody>, ApiError> {
        accounts::request_password(&app, &request.body.username, &from.0).await?;
        JsonResponse::data(EmptyBody {})
    }

    /// Sets a password with a mailed link or code and the user name, and ends all sessions of the user.
    ///
    /// A wrong link or user name gets a 422 with the code `wrong_link`.
    #[oai(path = "/api/v1/retrieve-password", method = "post")]
    async fn retrieve(
        &self,
        app: Data<&Arc<App>>,
        cookies: &CookieJar,
        request: JsonBody<RetrievePassword>,
    ) -> Result<DataResponse<EmptyBody>, ApiError> {
        let RetrievePassword {
            hash,
            password,
            password_rpt,
            username,
        } = request.body;
        let set = accounts::reset_password(
            &app,
            Reset {
                link: &hash,
                password,
                repeat: &password_rpt,
                username: Some(&username),
                identifier: None,
                before: session_of(&app, cookies).as_deref(),
            },
        )
        .await;
        match set {
            // The form contains the link's secret and the user name. So a wrong secret or user name is an
            // error of the form.
            Err(AppError::NotFound) => {
                Err(AppError::rule("wrong_link", "Please check form data and try again.").into())
            }
            Err(error) => Err(error.into()),
            Ok(device) => {
                end_cookie(&app, cookies);
                keep_device(&app, cookies, &device);
                JsonResponse::data(EmptyBody {})
            }
        }
    }
}
