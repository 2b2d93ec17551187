//! Routes that end a policy before its expiry: cancelled, or not taken up.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::{Header, Path, Query};

use crate::api::http::auth::Auth;
use crate::api::http::error::ApiError;
use crate::api::http::path_id::uuid_of;
use crate::api::http::payload::{DataResponse, JsonBody, JsonResponse};
use crate::api::schema::cancellation::{ActivityRequest, NotTakenUp, ReasonInfo};
use crate::app::payments::RefundInfo;
use crate::app::policies::adjustments;
use crate::app::policies::cancellations::{self, ActivityInfo, CancellationRequest};
use crate::app::{App, AppError, IdempotencyKey};
use crate::domain::policy::cancellation::REASONS;
use crate::domain::quote::{QuoteStatus, StatusId};

pub struct CancellationRoutes;

#[OpenApi]
impl CancellationRoutes {
    /// Returns the reasons for a cancellation.
    #[oai(path = "/api/v1/policy/reasons/cancellation", method = "get")]
    async fn reasons(&self) -> Result<DataResponse<Vec<ReasonInfo>>, ApiError> {
        let reasons = REASONS.map(|(id, title)| ReasonInfo { id, title });
        JsonResponse::data(reasons.into())
    }

    /// Returns the cancellations of a policy, newest first.
    ///
    /// The list is empty for every `type` but `cancellation`.
    #[oai(path = "/api/v1/activities", method = "get")]
    async fn activities(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        /// The policy's uuid. A request without a uuid gets a 404.
        policy: Query<Option<String>>,
        #[oai(name = "type")] kind: Query<Option<String>>,
    ) -> Result<DataResponse<Vec<ActivityInfo>>, ApiError> {
        let uuid = uuid_of(&who.0, policy.as_deref().unwrap_or_default())?;
        let listed = cancellations::cancellations(&app, &who.0, uuid).await?;
        let cancellations = kind.as_deref().is_none_or(|kind| kind == "cancellation");
        let listed = listed.into_iter().filter(|_| cancellations);
        JsonResponse::data(listed.map(ActivityInfo::from).collect())
    }

    /// Cancels a policy today or on a later day. With `preview`, only returns the refund.
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
        let body = request.body;
        if body.kind != "cancellation" {
            return Err(AppError::field("type", "Only a cancellation can be asked for.").into());
        }
        let ending = CancellationRequest {
            reason: body.reason_id.unwrap_or(0),
            note: body.note.filter(|note| !note.trim().is_empty()),
            effective: body.effective_date.unwrap_or_else(|| app.clock.today()),
        };
        let progress = if body.preview {
            cancellations::preview_cancellation(&app, &who.0, uuid, &ending).await?
        } else {
            cancellations::cancel(&app, &who.0, uuid, ending, key).await?
        };
        JsonResponse::data(progress.into())
    }

    /// Undoes a policy before its first day. With the id of a change, withdraws the change.
    ///
    /// For 24 hours, a repeated call with the same `Idempotency-Key` returns the same cancellation. Every
    /// other call for an undone policy gets a 409. An agreed change can be withdrawn before its
    /// `effective_date`, and an offered or expired change at any time. For a change, the key has no effect,
    /// and a repeated call returns the same change.
    #[oai(path = "/api/v1/policy/ntu/:id", method = "put")]
    async fn not_take_up(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
        #[oai(name = "Idempotency-Key")] key: Header<Option<String>>,
    ) -> Result<DataResponse<NotTakenUp>, ApiError> {
        let uuid = uuid_of(&who.0, &id)?;
        if adjustments::is_adjustment(&app.store, uuid).await? {
            let (withdrawn, status) = adjustments::withdraw_adjustment(&app, &who.0, uuid).await?;
            let refund = withdrawn.refund.clone();
            return JsonResponse::data(NotTakenUp {
                status_id: StatusId(status),
                refund: refund.unwrap_or_else(RefundInfo::empty),
                adjustment: Some(withdrawn),
            });
        }
        let key = key.as_deref();
        let key = key.map(|key| IdempotencyKey::new(key, &who.0, &format!("ntu/{uuid}"), &[]));
        let progress = cancellations::decline_policy(&app, &who.0, uuid, key.transpose()?).await?;
        JsonResponse::data(NotTakenUp {
            status_id: StatusId(QuoteStatus::NotTakenUp),
            refund: RefundInfo::from(&progress),
            adjustment: None,
        })
    }

    /// Withdraws a cancellation before its day.
    ///
    /// The call needs no `Idempotency-Key`: a repeated call returns the same cancellation.
    #[oai(path = "/api/v1/activity/:id/withdraw", method = "put")]
    async fn withdraw(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
    ) -> Result<DataResponse<ActivityInfo>, ApiError> {
        let withdrawn =
            cancellations::withdraw_cancellation(&app, &who.0, uuid_of(&who.0, &id)?).await?;
        JsonResponse::data(withdrawn.into())
    }
}
