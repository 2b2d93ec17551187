//! Routes of payments: start an attempt, read its status, receive the gateway's callback.

use std::sync::Arc;

use poem::http::StatusCode;
use poem::web::Data;
use poem::{Body, IntoResponse, Request, Response};
use poem_openapi::param::{Header, Path};
use poem_openapi::registry::{MetaResponses, Registry};
use poem_openapi::{ApiResponse, OpenApi};

use crate::api::http::auth::Auth;
use crate::api::http::bodies::{self, LARGEST_CALLBACK};
use crate::api::http::client::CalledFrom;
use crate::api::http::error::ApiError;
use crate::api::http::path_id::uuid_of;
use crate::api::http::payload::{DataResponse, JsonBody, JsonResponse};
use crate::api::schema::payment::{Initiate, PayPlan, PaymentInfo};
use crate::app::App;
use crate::app::payments::checkout::PaymentRequest;
use crate::app::payments::{CallbackAnswer, StartedPayment, checkout, status};

pub struct PaymentRoutes;

#[OpenApi]
impl PaymentRoutes {
    /// Starts a payment for an accepted quote or an offered change, or returns the open attempt.
    ///
    /// A gateway that the shop does not offer gets a 404.
    #[oai(path = "/api/v1/gateway/:provider/initiate", method = "post")]
    async fn initiate(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        from: CalledFrom,
        provider: Path<String>,
        #[oai(name = "Idempotency-Key")] key: Header<Option<String>>,
        request: JsonBody<Initiate>,
    ) -> Result<DataResponse<StartedPayment>, ApiError> {
        let key = request.key(key.as_deref(), &who.0, &format!("initiate/{}", *provider))?;
        let uuid = uuid_of(&who.0, &request.body.uuid)?;
        let target = PaymentRequest::Target(uuid);
        let started =
            checkout::initiate_payment(&app, (&who.0, &from.0), &provider, target, key).await?;
        JsonResponse::data(started)
    }

    /// Starts a payment of a policy's plan: of what is due, or of all that is left.
    ///
    /// A policy without a plan gets a 404. While a charge of the card has no outcome, the answer is a 409.
    #[oai(path = "/api/v1/policy/:id/pay", method = "post")]
    async fn pay(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        from: CalledFrom,
        id: Path<String>,
        #[oai(name = "Idempotency-Key")] key: Header<Option<String>>,
        request: JsonBody<PayPlan>,
    ) -> Result<DataResponse<StartedPayment>, ApiError> {
        let policy = uuid_of(&who.0, &id)?;
        let key = request.key(key.as_deref(), &who.0, &format!("pay/{policy}"))?;
        let plan = PaymentRequest::Plan {
            policy,
            is_rest: request.body.rest,
            keeps_card: request.body.keep_card,
        };
        let provider = &request.body.provider;
        let started =
            checkout::initiate_payment(&app, (&who.0, &from.0), provider, plan, key).await?;
        JsonResponse::data(started)
    }

    /// Handles a gateway's message about an attempt.
    #[oai(path = "/api/v1/gateway/:provider/callback", method = "post", hidden)]
    async fn callback(
        &self,
        app: Data<&Arc<App>>,
        provider: Path<String>,
        request: &Request,
        body: Body,
    ) -> Result<GatewayAnswer, ApiError> {
        let answer = receive_callback(&app, &provider, request, body).await?;
        Ok(GatewayAnswer(answer))
    }

    /// Returns an attempt to pay.
    ///
    /// The id is the id of an attempt, a quote or a change. For a quote or a change, the call prefers the
    /// attempt that bought something to the newest attempt.
    #[oai(path = "/api/v1/payment/:id", method = "get")]
    async fn read(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
    ) -> Result<DataResponse<PaymentInfo>, ApiError> {
        let view = status::read_payment(&app, &who.0, uuid_of(&who.0, &id)?).await?;
        JsonResponse::data(view.into())
    }
}

/// Reads the body of a callback, and handles it.
pub(in crate::api) async fn receive_callback(
    app: &App,
    provider: &str,
    request: &Request,
    body: Body,
) -> Result<CallbackAnswer, ApiError> {
    let body = bodies::read(request, body, LARGEST_CALLBACK).await?;
    let headers = request.headers().iter();
    let headers = headers.filter_map(|(name, value)| {
        let value = value.to_str().ok()?;
        Some((name.as_str().to_string(), value.to_string()))
    });
    let headers = headers.collect();
    Ok(status::gateway_callback(app, provider, &body, &headers).await?)
}

/// A response in a gateway's own format. The API's document does not describe this response.
struct GatewayAnswer(CallbackAnswer);

impl IntoResponse for GatewayAnswer {
    fn into_response(self) -> Response {
        Response::builder()
            .status(StatusCode::from_u16(self.0.status).unwrap_or_default())
            .content_type(self.0.content_type)
            .body(self.0.body)
    }
}

impl ApiResponse for GatewayAnswer {
    fn meta() -> MetaResponses {
        MetaResponses { responses: vec![] }
    }

    fn register(_: &mut Registry) {}
}
