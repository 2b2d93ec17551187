//! Routes of adjustments: price, confirm, pay, accept and list changes of a policy.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::{Header, Path, Query};
use uuid::Uuid;

use crate::api::http::auth::Auth;
use crate::api::http::client::CalledFrom;
use crate::api::http::error::ApiError;
use crate::api::http::paging::page_of;
use crate::api::http::path_id::uuid_of;
use crate::api::http::payload::{DataResponse, JsonBody, JsonResponse};
use crate::api::schema::adjustment::{AdjustmentId, AdjustmentRequest, DecreaseInfo, PriceKept};
use crate::app::payments::checkout::PaymentRequest;
use crate::app::payments::refunds::unrefunded::RefundProgress;
use crate::app::payments::{self, RefundInfo, StartedPayment, checkout};
use crate::app::policies::adjustments::{self, Offered, PricedChange, WishedChange};
use crate::app::{App, AppError, Caller, quotes};
use crate::domain::policy::adjustment::AdjustmentKind;
use crate::domain::product::form::errors::FieldErrors;

/// Changes on a page if the request sets no limit.
const USUAL_PAGE: usize = 50;

pub struct AdjustmentRoutes;

#[OpenApi]
impl AdjustmentRoutes {
    /// Makes a change that does not change the price, at once.
    ///
    /// `effective_date` is ignored. In place of a 422, a refused change gets a 200 with a `success` of 0.
    #[oai(path = "/api/v1/policy/:id/price-keep", method = "post")]
    async fn price_keep(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
        #[oai(name = "Idempotency-Key")] key: Header<Option<String>>,
        request: JsonBody<AdjustmentRequest>,
    ) -> Result<DataResponse<PriceKept>, ApiError> {
        let uuid = uuid_of(&who.0, &id)?;
        let key = request.key(key.as_deref(), &who.0, &format!("keep/{uuid}"))?;
        // Ignores the date of the request: a change without a new price takes effect at once.
        let change = WishedChange {
            effective: None,
            ..request.body.into_change()
        };
        let errors = match adjustments::accept_same_price(&app, &who.0, uuid, change, key).await {
            Ok(()) => None,
            Err(AppError::Invalid(errors)) => Some(errors.0.into_iter().collect()),
            Err(AppError::Refused { message, .. }) => {
                Some([(String::new(), vec![message])].into_iter().collect())
            }
            Err(other) => return Err(other.into()),
        };
        JsonResponse::data(PriceKept {
            success: u8::from(errors.is_none()),
            errors: errors.unwrap_or_default(),
        })
    }

    /// Returns the price of changed answers. Stores nothing, and does not hold the price.
    #[oai(path = "/api/v1/policy/:id/mta/price", method = "post")]
    async fn price(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        from: CalledFrom,
        id: Path<String>,
        request: JsonBody<AdjustmentRequest>,
    ) -> Result<DataResponse<PricedChange>, ApiError> {
        quotes::count_price(&app, &from.0)?;
        let uuid = uuid_of(&who.0, &id)?;
        let change = request.body.into_change();
        let priced =
            adjustments::price_adjustment(&app, &who.0, uuid, change.answers, change.effective)
                .await?;
        JsonResponse::data(priced)
    }

    /// Offers a change: returns the price of changed answers, and holds the price for 24 hours.
    #[oai(path = "/api/v1/policy/:id/mta/confirm", method = "put")]
    async fn confirm(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
        #[oai(name = "Idempotency-Key")] key: Header<Option<String>>,
        request: JsonBody<AdjustmentRequest>,
    ) -> Result<DataResponse<Offered>, ApiError> {
        let uuid = uuid_of(&who.0, &id)?;
        let key = request.key(key.as_deref(), &who.0, &format!("change/{uuid}"))?;
        let offered =
            adjustments::offer_adjustment(&app, &who.0, uuid, request.body.into_change(), key)
                .await?;
        JsonResponse::data(offered)
    }

    /// Starts the payment for an offered change. The change is agreed when the customer has paid. It takes
    /// effect at once, or on its later `effective_date`.
    ///
    /// A change without an amount due gets a 409.
    #[oai(path = "/api/v1/policy/:id/mta/increase", method = "put")]
    async fn increase(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        from: CalledFrom,
        id: Path<String>,
        #[oai(name = "Idempotency-Key")] key: Header<Option<String>>,
        request: JsonBody<AdjustmentId>,
    ) -> Result<DataResponse<StartedPayment>, ApiError> {
        let (uuid, change) = ids(&who.0, &id, &request.body)?;
        let key = request.key(key.as_deref(), &who.0, &format!("increase/{change}"))?;
        adjustments::pending_adjustment(&app, &who.0, uuid, change, AdjustmentKind::Increase)
            .await?;
        let gateway = payments::preferred_gateway(&app)?;
        let target = PaymentRequest::Target(change);
        let started =
            checkout::initiate_payment(&app, (&who.0, &from.0), gateway, target, key).await?;
        JsonResponse::data(started)
    }

    /// Returns the refund of an offered change. Changes nothing.
    ///
    /// A change without a refund gets a 409, and so does a change that is no longer pending.
    #[oai(path = "/api/v1/policy/:id/mta/decrease", method = "put")]
    async fn decrease(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
        request: JsonBody<AdjustmentId>,
    ) -> Result<DataResponse<DecreaseInfo>, ApiError> {
        let (uuid, change) = ids(&who.0, &id, &request.body)?;
        let change =
            adjustments::pending_adjustment(&app, &who.0, uuid, change, AdjustmentKind::Decrease)
                .await?;
        JsonResponse::data(DecreaseInfo {
            adjustment_id: change.id,
            refund: RefundInfo::for_change(&change, -change.figures.amount, RefundProgress::None),
        })
    }

    /// Agrees to an offered change for which no payment is due. The change takes effect at once, or on its
    /// later `effective_date`.
    ///
    /// A repeated call returns the same change. A change with an amount due gets a 409.
    #[oai(path = "/api/v1/policy/:id/mta", method = "put")]
    async fn accept(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
        request: JsonBody<AdjustmentId>,
    ) -> Result<DataResponse<Offered>, ApiError> {
        let (uuid, change) = ids(&who.0, &id, &request.body)?;
        let made = adjustments::accept_adjustment(&app, &who.0, uuid, change).await?;
        JsonResponse::data(made)
    }

    /// Returns a page of a policy's changes, newest first.
    #[oai(path = "/api/v1/policy/:id/mta", method = "get")]
    async fn changes(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
        /// The number of the page. 0 and 1 both select the first page.
        page: Query<Option<i64>>,
        /// The number of changes on a page, from 1 to 100. The default is 50.
        limit: Query<Option<i64>>,
    ) -> Result<DataResponse<Vec<Offered>>, ApiError> {
        let uuid = uuid_of(&who.0, &id)?;
        let mut errors = FieldErrors::default();
        let page = page_of((page.0, limit.0), USUAL_PAGE, &mut errors);
        if !errors.is_empty() {
            return Err(AppError::Invalid(errors).into());
        }
        let changes = adjustments::changes(&app, &who.0, uuid, page).await?;
        JsonResponse::data(changes)
    }
}

fn ids(caller: &Caller, policy: &str, change: &AdjustmentId) -> Result<(Uuid, Uuid), ApiError> {
    Ok((
        uuid_of(caller, policy)?,
        uuid_of(caller, &change.adjustment_id)?,
    ))
}
