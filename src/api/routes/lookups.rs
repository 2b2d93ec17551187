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
    /// Returns a vehicle's details from the register.
    ///
    /// An unknown vehicle gets a 404. If the look-up is off, the status is 503 with the code
    /// `lookup_unavailable`. The status is also 503 without a useful answer within the shop's time limit, at
    /// most two seconds. The customer then types the details.
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

    /// Returns the addresses of a postcode or of a house in the postcode, at most 100.
    ///
    /// An unknown postcode gets a 404 with other postcodes, if any, as `suggestions`. An unknown house gets a
    /// 404 with addresses of the postcode as `suggestions`. The status is 503 in the same cases as for a
    /// vehicle.
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
