//! Policies: read, change, end, renew.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::param::{Header, Path, Query};
use poem_openapi::{Object, OpenApi};
use uuid::Uuid;

use super::auth::Auth;
use super::error::ApiError;
use super::payload::{DataResponse, JsonBody, JsonResponse};
use super::payments::{Initiated, initiated};
use super::quote_view::{self, QuoteExtras};
use super::quotes::uuid_of;
use super::wire::Pounds;
use super::wire::policy::{
    ActivityInfo, ActivityRequest, AdjustmentId, AdjustmentInfo, AmountLine, AutoRenew,
    ChangeRequest, DecreaseInfo, NotTakenUp, PolicyInfo, PriceKept, ReasonInfo, RefundInfo,
    RenewalComparison, RenewalInfo,
};
use super::wire::quote_read::QuoteRead;
use crate::app::policies::cancellation::Ending;
use crate::app::{App, AppError, Caller, IdempotencyKey};
use crate::domain::adjustment::AdjustmentKind;
use crate::domain::cancellation::REASONS;
use crate::domain::quote::QuoteStatus;

/// Policies.
pub struct Policies;

/// The switch of renewing by itself.
#[derive(Object)]
struct AutoRenewRequest {
    auto_renew: bool,
}

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
        read(&app, &who.0, &id)
    }

    /// A policy.
    #[oai(path = "/api/v2/policy/read/:id", method = "get")]
    async fn policy_read(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
    ) -> Result<DataResponse<QuoteRead>, ApiError> {
        read(&app, &who.0, &id)
    }

    /// Makes a change at once that doesn't move the price.
    #[oai(path = "/api/v1/policy/:id/price-keep", method = "post")]
    async fn price_keep(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
        #[oai(name = "Idempotency-Key")] key: Header<Option<String>>,
        request: JsonBody<ChangeRequest>,
    ) -> Result<DataResponse<PriceKept>, ApiError> {
        let uuid = uuid_of(&who.0, &id)?;
        let key = request.key(key.as_deref(), &who.0, &format!("keep/{uuid}"))?;
        let changed = request.body.product.answers()?;
        let errors = match app.keep_price(&who.0, uuid, changed, key).await {
            Ok(()) => None,
            Err(AppError::Invalid(errors)) => Some(errors.0.into_iter().collect()),
            Err(AppError::Refused { message, .. }) => {
                Some([(String::new(), vec![message])].into_iter().collect())
            }
            Err(other) => return Err(other.into()),
        };
        JsonResponse::data(&PriceKept {
            success: u8::from(errors.is_none()),
            errors: errors.unwrap_or_default(),
        })
    }

    /// What changed answers cost; the price is held for 24 hours.
    #[oai(path = "/api/v1/policy/:id/mta/confirm", method = "put")]
    async fn confirm(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
        #[oai(name = "Idempotency-Key")] key: Header<Option<String>>,
        request: JsonBody<ChangeRequest>,
    ) -> Result<DataResponse<AdjustmentInfo>, ApiError> {
        let uuid = uuid_of(&who.0, &id)?;
        let key = request.key(key.as_deref(), &who.0, &format!("change/{uuid}"))?;
        let ChangeRequest {
            product,
            effective_date,
        } = request.body;
        let changed = product.answers()?;
        let offered = app
            .offer_change(&who.0, uuid, changed, effective_date, key)
            .await?;
        JsonResponse::data(&AdjustmentInfo::from(offered))
    }

    /// Starts to pay for a change; the payment makes it.
    #[oai(path = "/api/v1/policy/:id/mta/increase", method = "put")]
    async fn increase(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
        #[oai(name = "Idempotency-Key")] key: Header<Option<String>>,
        request: JsonBody<AdjustmentId>,
    ) -> Result<DataResponse<Initiated>, ApiError> {
        let (uuid, change) = ids(&who.0, &id, &request.body)?;
        let key = request.key(key.as_deref(), &who.0, &format!("increase/{change}"))?;
        app.pending_change(&who.0, uuid, change, AdjustmentKind::Increase)?;
        let provider = app.providers().next().ok_or(AppError::Unavailable)?;
        let started = app
            .initiate_payment(&who.0, provider.name(), change, key)
            .await?;
        JsonResponse::data(&initiated(started))
    }

    /// What a change gives back.
    #[oai(path = "/api/v1/policy/:id/mta/decrease", method = "put")]
    async fn decrease(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
        request: JsonBody<AdjustmentId>,
    ) -> Result<DataResponse<DecreaseInfo>, ApiError> {
        let (uuid, change) = ids(&who.0, &id, &request.body)?;
        let change = app.pending_change(&who.0, uuid, change, AdjustmentKind::Decrease)?;
        JsonResponse::data(&DecreaseInfo {
            adjustment_id: change.id,
            refund: RefundInfo {
                amount: Pounds(-change.figures.amount),
                lines: change.figures.lines.iter().map(AmountLine::from).collect(),
                status: "none".to_string(),
            },
        })
    }

    /// Makes a change for which nothing more is due.
    #[oai(path = "/api/v1/policy/:id/mta", method = "put")]
    async fn accept(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
        request: JsonBody<AdjustmentId>,
    ) -> Result<DataResponse<AdjustmentInfo>, ApiError> {
        let (uuid, change) = ids(&who.0, &id, &request.body)?;
        let made = app.accept_change(&who.0, uuid, change).await?;
        JsonResponse::data(&AdjustmentInfo::from(made))
    }

    /// A policy's changes, newest first.
    #[oai(path = "/api/v1/policy/:id/mta", method = "get")]
    async fn changes(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
    ) -> Result<DataResponse<Vec<AdjustmentInfo>>, ApiError> {
        let changes = app.changes(&who.0, uuid_of(&who.0, &id)?)?;
        let changes: Vec<_> = changes.into_iter().map(AdjustmentInfo::from).collect();
        JsonResponse::data(&changes)
    }

    /// Undoes a policy before it begins.
    #[oai(path = "/api/v1/policy/ntu/:id", method = "put")]
    async fn not_take_up(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
        #[oai(name = "Idempotency-Key")] key: Header<Option<String>>,
    ) -> Result<DataResponse<NotTakenUp>, ApiError> {
        let uuid = uuid_of(&who.0, &id)?;
        let key = key.as_deref();
        let key = key.map(|key| IdempotencyKey::new(key, &who.0, &format!("ntu/{uuid}"), &[]));
        let activity = app.not_take_up(&who.0, uuid, key.transpose()?).await?;
        JsonResponse::data(&NotTakenUp {
            status_id: QuoteStatus::NotTakenUp.id(),
            refund: RefundInfo::from(&activity),
        })
    }

    /// Switches a policy's renewing by itself.
    #[oai(path = "/api/v1/policy/:id/auto-renew", method = "put")]
    async fn auto_renew(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
        request: JsonBody<AutoRenewRequest>,
    ) -> Result<DataResponse<AutoRenew>, ApiError> {
        let uuid = uuid_of(&who.0, &id)?;
        let wanted = request.body.auto_renew;
        let auto_renew = app.switch_auto_renew(&who.0, uuid, wanted).await?;
        JsonResponse::data(&AutoRenew { auto_renew })
    }

    /// A renewal quote beside the policy it follows.
    #[oai(path = "/api/v1/renewal/:id", method = "get")]
    async fn renewal(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
    ) -> Result<DataResponse<RenewalComparison>, ApiError> {
        let renewal = app.compare_renewal(&who.0, uuid_of(&who.0, &id)?)?;
        JsonResponse::data(&RenewalComparison::from(renewal))
    }

    /// Why a policy may be cancelled.
    #[oai(path = "/api/v1/policy/reasons/cancellation", method = "get")]
    async fn reasons(&self) -> Result<DataResponse<Vec<ReasonInfo>>, ApiError> {
        let reasons = REASONS.map(|(id, title)| ReasonInfo {
            id,
            title: title.to_string(),
        });
        JsonResponse::data(&reasons)
    }

    /// What was asked for a policy: its cancellation.
    #[oai(path = "/api/v1/activities", method = "get")]
    async fn activities(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        policy: Query<Option<String>>,
        #[oai(name = "type")] kind: Query<Option<String>>,
    ) -> Result<DataResponse<Vec<ActivityInfo>>, ApiError> {
        let uuid = uuid_of(&who.0, policy.as_deref().unwrap_or_default())?;
        let asked = app.activities(&who.0, uuid)?;
        let cancellations = kind.as_deref().is_none_or(|kind| kind == "cancellation");
        let asked = asked.into_iter().filter(|_| cancellations);
        JsonResponse::data(&asked.map(ActivityInfo::from).collect::<Vec<_>>())
    }

    /// Cancels a policy, or shows what that would give back.
    #[oai(path = "/api/v1/activity/create", method = "post")]
    async fn create_activity(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        #[oai(name = "Idempotency-Key")] key: Header<Option<String>>,
        request: JsonBody<ActivityRequest>,
    ) -> Result<DataResponse<ActivityInfo>, ApiError> {
        let uuid = uuid_of(&who.0, &request.body.policy_uuid)?;
        let key = request.key(key.as_deref(), &who.0, &format!("activity/{uuid}"))?;
        let asked = request.body;
        if asked.kind != "cancellation" {
            return Err(AppError::field("type", "Only a cancellation can be asked for.").into());
        }
        let ending = Ending {
            reason: asked.reason_id.unwrap_or(0),
            note: asked.note.filter(|note| !note.trim().is_empty()),
            effective: asked.effective_date.unwrap_or_else(|| app.today()),
        };
        let activity = if asked.preview {
            app.preview_cancellation(&who.0, uuid, &ending)?
        } else {
            app.cancel(&who.0, uuid, ending, key).await?
        };
        JsonResponse::data(&ActivityInfo::from(activity))
    }
}

fn ids(caller: &Caller, policy: &str, change: &AdjustmentId) -> Result<(Uuid, Uuid), ApiError> {
    Ok((
        uuid_of(caller, policy)?,
        uuid_of(caller, &change.adjustment_id)?,
    ))
}

fn read(app: &App, caller: &Caller, id: &str) -> Result<DataResponse<QuoteRead>, ApiError> {
    let view = app.read_policy(caller, uuid_of(caller, id)?)?;
    let facts = app.policy_facts(caller, &view)?;
    let held = &facts.held;
    let renewal = facts.renewal.as_ref();
    let buyable = renewal.is_some_and(|renewal| renewal.status == QuoteStatus::Quote);
    let (can, why_not) = PolicyInfo::can(&facts.may, buyable && facts.is_owner);
    let info = PolicyInfo {
        inception: held.policy.inception,
        expiry: held.policy.expiry,
        cover_begins: held.policy.cover_begins,
        auto_renew: held.policy.auto_renew,
        paid: Pounds(facts.paid),
        purchased: held.policy.purchased,
        can,
        why_not,
        locked: facts.locked,
        card_stored: facts.card_stored,
        cancellation: facts.cancellation.map(ActivityInfo::from),
        renewal: renewal.map(RenewalInfo::from),
        renewed_by: renewal
            .filter(|renewal| renewal.status.is_policy())
            .map(|renewal| renewal.quote),
        renews: held.quote.renews,
    };
    let with = QuoteExtras {
        policy: Some(info),
        ..QuoteExtras::default()
    };
    quote_view::answer_with(app, &view, with)
}
