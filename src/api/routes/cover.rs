//! The route that checks cover after a breakdown.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::OpenApi;

use crate::api::http::client::CalledFrom;
use crate::api::http::error::ApiError;
use crate::api::http::payload::{DataResponse, JsonBody, JsonResponse};
use crate::api::schema::cover::CoverRequest;
use crate::app::App;
use crate::app::policies::{CoverAnswer, CoverQuestion, cover};

pub struct CoverRoutes;

#[OpenApi]
impl CoverRoutes {
    /// Returns whether there is cover now, by a registration or a policy number with the policyholder's
    /// postcode.
    ///
    /// The result is `not_found` for an unknown registration or number, for a wrong postcode, and after the
    /// cover has ended.
    #[oai(path = "/api/v1/cover", method = "post")]
    async fn cover(
        &self,
        app: Data<&Arc<App>>,
        from: CalledFrom,
        request: JsonBody<CoverRequest>,
    ) -> Result<DataResponse<CoverAnswer>, ApiError> {
        let CoverRequest {
            registration,
            reference,
            postcode,
        } = request.body;
        let question =
            CoverQuestion::read(registration.as_deref(), reference.as_deref(), &postcode)?;
        JsonResponse::data(cover::check_cover(&app, &from.0, &question).await?)
    }
}
