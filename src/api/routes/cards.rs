//! Routes of the logged-in user's stored cards.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;

use crate::api::http::auth::Auth;
use crate::api::http::error::ApiError;
use crate::api::http::path_id::uuid_of;
use crate::api::http::payload::{DataResponse, JsonResponse};
use crate::app::App;
use crate::app::payments::{self, CardView, RemovedCard};

pub struct CardRoutes;

#[OpenApi]
impl CardRoutes {
    /// Returns the cards that gateways keep for the logged-in user's policies, newest first.
    ///
    /// A card is replaced by paying for a renewal, or a payment of a plan, with another card.
    #[oai(path = "/api/v1/profile/cards", method = "get")]
    async fn cards(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
    ) -> Result<DataResponse<Vec<CardView>>, ApiError> {
        JsonResponse::data(payments::stored_cards(&app, &who.0).await?)
    }

    /// Removes a stored card, for good. Returns what stops.
    ///
    /// A card that was removed, or that no policy of the user has, gets a 404.
    #[oai(path = "/api/v1/profile/cards/:id/remove", method = "post")]
    async fn remove(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
    ) -> Result<DataResponse<RemovedCard>, ApiError> {
        let id = uuid_of(&who.0, &id)?;
        JsonResponse::data(payments::remove_card(&app, &who.0, id).await?)
    }
}
