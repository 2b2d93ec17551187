//! Ids in addresses.

use uuid::Uuid;

use crate::api::http::error::ApiError;
use crate::app::{AppError, Caller};

/// Parses the uuid in an address. A caller without a valid log-in and without a quote's token gets a 401
/// for any id. So the response does not reveal whether the id exists. Other callers get a 404 for an
/// invalid uuid.
pub fn uuid_of(caller: &Caller, id: &str) -> Result<Uuid, ApiError> {
    if matches!(caller, Caller::Anonymous | Caller::InvalidCredentials) {
        return Err(AppError::Unauthenticated.into());
    }
    Uuid::parse_str(id).map_err(|_| ApiError::not_found())
}
