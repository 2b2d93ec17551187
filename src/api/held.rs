//! The calls that a shop answers while it is held after a restore.

use poem::Request;
use poem::http::Method;

/// The calls that write although the shop is held: a log-in, and whatever sets a password. The others only
/// calculate.
const PERMITTED: [&str; 10] = [
    "/api/login",
    "/api/v1/profile/password",
    "/api/v1/retrieve-password-request",
    "/api/v1/retrieve-password",
    "/api/v1/price",
    "/api/v1/prices",
    "/api/v1/monthly-price",
    "/api/v1/documents/check",
    "/api/v1/cover",
    "/api/v1/form/",
];

/// Returns whether a held shop refuses the request. It answers every read.
pub fn is_refused(request: &Request) -> bool {
    if matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    ) {
        return false;
    }
    let path = request.uri().path();
    let is_permitted = PERMITTED.iter().any(|permitted| {
        path == *permitted || permitted.ends_with('/') && path.starts_with(permitted)
    });
    let resets_password = path.starts_with("/api/v1/password/") && path.ends_with("/reset");
    !resets_password && !is_permitted
}
