//! Paying: start an attempt, look how it stands, hear the gateway.

use std::sync::Arc;

use poem::web::Data;
use poem::{Body, Request};
use poem_openapi::param::{Header, Path};
use poem_openapi::{Object, OpenApi};
use serde::Serialize;
use uuid::Uuid;

use super::auth::Auth;
use super::error::ApiError;
use super::payload::{DataResponse, JsonBody, JsonResponse, Nothing, read_body};
use super::quotes::uuid_of;
use super::wire::Pounds;
use crate::app::App;
use crate::app::payments::{PaymentView, Started};
use crate::domain::payment::{PageKind, PaymentStatus};

/// Payments.
pub struct Payments;

/// What is to be paid for.
#[derive(Object)]
struct Initiate {
    /// The quote's uuid.
    uuid: String,
}

/// An attempt the customer can pay now.
#[derive(Object, Serialize)]
pub(super) struct Initiated {
    payment_id: Uuid,
    /// `iframe` or `redirect`.
    kind: String,
    url: String,
    method: String,
    fields: std::collections::BTreeMap<String, String>,
    /// True when it was begun before.
    resumed: bool,
}

/// How an attempt stands.
#[derive(Object, Serialize)]
struct PaymentInfo {
    payment_id: Uuid,
    /// `pending`, `processing`, `paid`, `failed` or `refunded`.
    status: String,
    amount: Pounds,
    quote_uuid: Uuid,
    /// The policy, once there is one.
    policy_uuid: Option<Uuid>,
    /// The change of the policy that is paid for; none for a sale.
    adjustment_uuid: Option<Uuid>,
    custom_id: String,
    message: Option<String>,
    /// Whether money was taken; null while that isn't known.
    charged: Option<bool>,
    /// True once the policy is live.
    policy: bool,
}

#[OpenApi]
impl Payments {
    /// Starts to pay for an accepted quote, or comes back to the attempt that is open.
    #[oai(path = "/api/v1/gateway/:provider/initiate", method = "post")]
    async fn initiate(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        provider: Path<String>,
        #[oai(name = "Idempotency-Key")] key: Header<Option<String>>,
        request: JsonBody<Initiate>,
    ) -> Result<DataResponse<Initiated>, ApiError> {
        let key = request.key(key.as_deref(), &who.0, &format!("initiate/{}", *provider))?;
        let uuid = uuid_of(&who.0, &request.body.uuid)?;
        let started = app.initiate_payment(&who.0, &provider, uuid, key).await?;
        JsonResponse::data(&initiated(started))
    }

    /// The gateway says what became of an attempt.
    #[oai(path = "/api/v1/gateway/:provider/callback", method = "post", hidden)]
    async fn callback(
        &self,
        app: Data<&Arc<App>>,
        provider: Path<String>,
        request: &Request,
        body: Body,
    ) -> Result<DataResponse<Nothing>, ApiError> {
        let body = read_body(body).await?;
        let header = |name: &str| {
            let value = request.headers().get(name)?;
            value.to_str().ok().map(str::to_string)
        };
        app.gateway_callback(&provider, &body, header).await?;
        JsonResponse::data(&Nothing {})
    }

    /// An attempt by its own id, or the newest of a quote.
    #[oai(path = "/api/v1/payment/:id", method = "get")]
    async fn read(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
    ) -> Result<DataResponse<PaymentInfo>, ApiError> {
        let view = app.read_payment(&who.0, uuid_of(&who.0, &id)?).await?;
        JsonResponse::data(&info(view))
    }
}

/// An attempt that can be paid now, for the wire.
pub(super) fn initiated(started: Started) -> Initiated {
    let kind = match started.page.kind {
        PageKind::Iframe => "iframe",
        PageKind::Redirect => "redirect",
    };
    Initiated {
        payment_id: started.payment,
        kind: kind.to_string(),
        url: started.page.url,
        method: started.page.method,
        fields: started.page.fields.into_iter().collect(),
        resumed: started.resumed,
    }
}

fn info(view: PaymentView) -> PaymentInfo {
    let PaymentView {
        payment,
        reference,
        policy,
    } = view;
    let (status, charged) = match payment.status {
        PaymentStatus::Started | PaymentStatus::Pending => ("pending", None),
        PaymentStatus::Processing => ("processing", None),
        PaymentStatus::Paid => ("paid", Some(true)),
        PaymentStatus::Failed => ("failed", Some(false)),
        PaymentStatus::Refunding | PaymentStatus::Refunded => ("refunded", Some(true)),
    };
    PaymentInfo {
        payment_id: payment.id,
        status: status.to_string(),
        amount: Pounds(payment.amount),
        quote_uuid: payment.quote,
        policy_uuid: policy.then_some(payment.quote),
        adjustment_uuid: payment.adjustment,
        custom_id: reference,
        message: payment.message,
        charged,
        policy,
    }
}
