//! Routes of look-ups: a vehicle by its registration, addresses by a postcode.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::OpenApi;

use crate::api::http::client::CalledFrom;
use crate::api::http::error::ApiError;
use crate::api::http::payload::{DataResponse, JsonBody, JsonResponse};
use crate::api::schema::lookup::{AddressLookupRequest, VehicleFound, VehicleLookupRequest};
use crate::app::{App, lookups};
use crate::domain::quote::lookup::Address;

pub struct LookupRoutes;

#[OpenApi]
impl LookupRoutes {
    /// A vehicle's details from the register. 503 with the code `lookup_unavailable` if there is no
    /// look-up, or no useful answer in two seconds. The customer then types the details.
    #[oai(path = "/api/v1/lookup/vehicle", method = "post")]
    async fn vehicle(
        &self,
        app: Data<&Arc<App>>,
        from: CalledFrom,
        request: JsonBody<VehicleLookupRequest>,
    ) -> Result<DataResponse<VehicleFound>, ApiError> {
        let registration = &request.body.registration;
        JsonResponse::data(
            lookups::look_up_vehicle(&app, &from.0, registration)
                .await?
                .into(),
        )
    }

    /// The addresses of a postcode, at most 100, or those of a house in it. 404 with suggestions: other
    /// postcodes, or addresses of this one where the house isn't found. 503 as for a vehicle.
    #[oai(path = "/api/v1/lookup/address", method = "post")]
    async fn address(
        &self,
        app: Data<&Arc<App>>,
        from: CalledFrom,
        request: JsonBody<AddressLookupRequest>,
    ) -> Result<DataResponse<Vec<Address>>, ApiError> {
        let AddressLookupRequest { postcode, house } = request.body;
        let found = lookups::look_up_addresses(&app, &from.0, &postcode, house.as_deref()).await?;
        JsonResponse::data(found)
    }
}
