//! Ids in addresses.

use uuid::Uuid;

use crate::api::http::error::ApiError;
use crate::app::{AppError, Caller};

/// The uuid in an address. A caller without a log-in or token gets a 401 whatever the id is, so that
/// the answer doesn't tell whether it exists; for others, what is no uuid is a 404.
pub fn uuid_of(caller: &Caller, id: &str) -> Result<Uuid, ApiError> {
    if matches!(caller, Caller::Nobody | Caller::Stranger) {
        return Err(AppError::Unauthenticated.into());
    }
    Uuid::parse_str(id).map_err(|_| ApiError::not_found())
}
