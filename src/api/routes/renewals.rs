//! Routes of renewals: compare with the current policy, and switch automatic renewal.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;

use crate::api::http::auth::Auth;
use crate::api::http::error::ApiError;
use crate::api::http::path_id::uuid_of;
use crate::api::http::payload::{DataResponse, JsonBody, JsonResponse};
use crate::api::schema::price::is_monthly;
use crate::api::schema::renewal::{AutoRenew, AutoRenewRequest};
use crate::app::App;
use crate::app::policies::renewals::{self, RenewalComparison};

pub struct RenewalRoutes;

#[OpenApi]
impl RenewalRoutes {
    /// Compares a renewal quote with the policy that it renews.
    #[oai(path = "/api/v1/renewal/:id", method = "get")]
    async fn renewal(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
    ) -> Result<DataResponse<RenewalComparison>, ApiError> {
        JsonResponse::data(renewals::compare_renewal(&app, &who.0, uuid_of(&who.0, &id)?).await?)
    }

    /// Switches the automatic renewal of a policy on or off.
    ///
    /// A policy that can't renew automatically gets a 409.
    #[oai(path = "/api/v1/policy/:id/auto-renew", method = "put")]
    async fn auto_renew(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
        request: JsonBody<AutoRenewRequest>,
    ) -> Result<DataResponse<AutoRenew>, ApiError> {
        let uuid = uuid_of(&who.0, &id)?;
        let AutoRenewRequest {
            auto_renew,
            payment_frequency,
        } = request.body;
        let monthly = payment_frequency.as_deref().map(is_monthly).transpose()?;
        let auto_renew =
            renewals::switch_auto_renew(&app, &who.0, uuid, auto_renew, monthly).await?;
        JsonResponse::data(AutoRenew { auto_renew })
    }
}
