//! Routes of rescue cards, which a customer stores on a phone.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::{Header, Path};

use crate::api::http::auth::Auth;
use crate::api::http::error::ApiError;
use crate::api::http::path_id::uuid_of;
use crate::api::http::payload::{DataResponse, EmptyBody, JsonResponse};
use crate::api::routes::documents::Pdf;
use crate::api::schema::rescue_card::{KeptCard, StoppedCards};
use crate::app::policies::{RescueCard, cover};
use crate::app::{App, AppError};

pub struct RescueCardRoutes;

#[OpenApi]
impl RescueCardRoutes {
    /// Creates a rescue card of a policy for a device. Returns the card, and the key that reads the card
    /// again.
    ///
    /// A policy that no longer covers anything gets a 422. A policy has at most 10 cards: a further card
    /// replaces the oldest.
    #[oai(path = "/api/v1/policy/:id/rescue-card", method = "post")]
    async fn keep(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
    ) -> Result<DataResponse<KeptCard>, ApiError> {
        let uuid = uuid_of(&who.0, &id)?;
        let (key, card) = cover::store_rescue_card(&app, &who.0, uuid).await?;
        JsonResponse::data(KeptCard {
            key: key.expose().to_string(),
            card,
        })
    }

    /// Revokes every rescue card of a policy, on all devices.
    #[oai(path = "/api/v1/policy/:id/rescue-card/stop", method = "post")]
    async fn stop(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
    ) -> Result<DataResponse<StoppedCards>, ApiError> {
        let uuid = uuid_of(&who.0, &id)?;
        let stopped = cover::revoke_rescue_cards(&app.store, &app.clock, &who.0, uuid).await?;
        JsonResponse::data(StoppedCards { stopped })
    }

    /// Returns the current rescue card of a key.
    ///
    /// A key that is unknown or revoked gets a 401. All keys get a 401 from 32 days after the last day of the
    /// policy and its renewals.
    #[oai(path = "/api/v1/rescue-card", method = "get")]
    async fn card(
        &self,
        app: Data<&Arc<App>>,
        #[oai(name = "X-Card-Key")] key: Header<Option<String>>,
    ) -> Result<DataResponse<RescueCard>, ApiError> {
        JsonResponse::data(cover::rescue_card(&app, &require_key(key)?).await?)
    }

    /// Returns a document of a rescue card as PDF.
    ///
    /// A document that is not on the card gets a 404. A document that is not rendered yet gets a 409 with the
    /// code `not_ready`.
    #[oai(path = "/api/v1/rescue-card/documents/:identifier", method = "get")]
    async fn document(
        &self,
        app: Data<&Arc<App>>,
        #[oai(name = "X-Card-Key")] key: Header<Option<String>>,
        identifier: Path<String>,
    ) -> Result<Pdf, ApiError> {
        let printed = cover::rescue_card_document(&app, &require_key(key)?, &identifier).await?;
        Ok(Pdf::new(printed))
    }

    /// Revokes the key of a rescue card that the customer removes from a device. An unknown key is ignored.
    #[oai(path = "/api/v1/rescue-card/remove", method = "post")]
    async fn remove(
        &self,
        app: Data<&Arc<App>>,
        #[oai(name = "X-Card-Key")] key: Header<Option<String>>,
    ) -> Result<DataResponse<EmptyBody>, ApiError> {
        cover::remove_rescue_card(&app.store, &require_key(key)?).await?;
        JsonResponse::data(EmptyBody {})
    }
}

fn require_key(key: Header<Option<String>>) -> Result<String, AppError> {
    key.0.ok_or(AppError::Unauthenticated)
}
