//! Paying: start an attempt, look how it stands, hear the gateway.

use std::collections::BTreeMap;
use std::sync::Arc;

use poem::web::Data;
use poem::{Body, Request};
use poem_openapi::param::{Header, Path};
use poem_openapi::{Enum, OpenApi};
use serde::Serialize;
use uuid::Uuid;

use super::auth::Auth;
use super::error::ApiError;
use super::ids::uuid_of;
use super::payload::{DataResponse, JsonBody, JsonResponse, Nothing, read_body};
use super::wire::Pounds;
use super::wire::published::{answer, request};
use crate::app::App;
use crate::app::payments::{PaymentView, Started};
use crate::domain::payment::{self, PaymentStatus};

/// Payments.
pub struct Payments;

/// How a gateway's page is shown: in a frame, or in place of the shop's page.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case", remote = "payment::PageKind")]
#[serde(rename_all = "snake_case")]
enum PageKind {
    Iframe,
    Redirect,
}

/// How a gateway's page is asked for.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "UPPERCASE", remote = "payment::PageMethod")]
#[serde(rename_all = "UPPERCASE")]
enum PageMethod {
    Get,
    Post,
}

/// How an attempt to pay stands.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
enum PaymentState {
    Pending,
    Processing,
    Paid,
    Failed,
    Refunded,
}

request! {
    /// What is to be paid for.
    struct Initiate {
        /// The quote's uuid.
        uuid: String,
    }
}

answer! {
    /// An attempt the customer can pay now.
    pub(super) struct Initiated {
        payment_id: Uuid,
        kind: PageKind,
        url: String,
        method: PageMethod,
        fields: BTreeMap<String, String>,
        /// True when it was begun before.
        resumed: bool,
    }
}

answer! {
    /// How an attempt stands.
    struct PaymentInfo {
        payment_id: Uuid,
        status: PaymentState,
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
        JsonResponse::data(started.into())
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
        JsonResponse::data(Nothing {})
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
        JsonResponse::data(info(view))
    }
}

impl From<Started> for Initiated {
    fn from(started: Started) -> Self {
        let page = started.page;
        Self {
            payment_id: started.payment,
            kind: page.kind.into(),
            url: page.url,
            method: page.method.into(),
            fields: page.fields.into_iter().collect(),
            resumed: started.resumed,
        }
    }
}

fn info(view: PaymentView) -> PaymentInfo {
    let PaymentView {
        payment,
        reference,
        policy,
    } = view;
    let (status, charged) = match payment.status {
        PaymentStatus::Started | PaymentStatus::Pending => (PaymentState::Pending, None),
        PaymentStatus::Processing => (PaymentState::Processing, None),
        PaymentStatus::Paid => (PaymentState::Paid, Some(true)),
        PaymentStatus::Failed => (PaymentState::Failed, Some(false)),
        PaymentStatus::Refunding | PaymentStatus::Refunded => (PaymentState::Refunded, Some(true)),
    };
    PaymentInfo {
        payment_id: payment.id,
        status,
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
