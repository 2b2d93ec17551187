//! Policies as they are read.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;

use super::auth::Auth;
use super::error::ApiError;
use super::ids::uuid_of;
use super::payload::DataResponse;
use super::quote_view::{self, QuoteExtras};
use super::wire::adjustment::AdjustmentInfo;
use super::wire::cancellation::ActivityInfo;
use super::wire::policy::PolicyInfo;
use super::wire::quote_read::QuoteRead;
use super::wire::renewal::RenewalInfo;
use crate::app::{App, Caller};
use crate::domain::quote::QuoteStatus;

/// Policies.
pub struct Policies;

#[OpenApi]
impl Policies {
    /// A policy.
    #[oai(path = "/api/v2/policy/:id", method = "get")]
    async fn policy(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
    ) -> Result<DataResponse<QuoteRead>, ApiError> {
        read(&app, &who.0, &id).await
    }

    /// A policy.
    #[oai(path = "/api/v2/policy/read/:id", method = "get")]
    async fn policy_read(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
    ) -> Result<DataResponse<QuoteRead>, ApiError> {
        read(&app, &who.0, &id).await
    }
}

async fn read(app: &App, caller: &Caller, id: &str) -> Result<DataResponse<QuoteRead>, ApiError> {
    let view = app.read_policy(caller, uuid_of(caller, id)?).await?;
    let context = &view.context;
    let renewal = view.renewal.as_ref();
    let buyable = renewal.is_some_and(|renewal| renewal.status == QuoteStatus::Quote);
    let (can, why_not) = PolicyInfo::can(&view.may, buyable && view.is_owner);
    let info = PolicyInfo {
        inception: context.policy.inception,
        expiry: context.policy.expiry,
        cover_begins: context.policy.cover_begins,
        auto_renew: context.renews_by_itself(),
        paid: view.paid,
        is_disputed: view.is_owner && view.is_disputed,
        purchased: context.policy.purchased,
        can,
        why_not,
        locked: view.locked,
        card_stored: context.card_stored,
        next_year: view.next_year,
        cancellation: view.cancellation.map(ActivityInfo::from),
        pending_cancellation: view.pending_cancellation.map(ActivityInfo::from),
        coming_change: view.coming_change.map(AdjustmentInfo::from),
        change_days: view.change_days,
        cancel_days: view.cancel_days,
        renewal: renewal.map(RenewalInfo::from),
        renewed_by: renewal
            .filter(|renewal| renewal.status.is_policy())
            .map(|renewal| renewal.quote),
        renews: context.quote.renews,
    };
    let extras = QuoteExtras {
        policy: Some(info),
        ..QuoteExtras::default()
    };
    quote_view::answer_with(app, view.quote, extras)
}
