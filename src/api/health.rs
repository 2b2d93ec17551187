//! Whether the process lives, and whether it can serve.

use std::sync::Arc;

use poem::http::StatusCode;
use poem::web::Data;
use poem::{IntoResponse, Response, handler};

use crate::app::App;

/// The process answers.
#[handler]
pub fn live() -> &'static str {
    "ok"
}

/// The store can be read.
#[handler]
pub fn ready(app: Data<&Arc<App>>) -> Response {
    match app.is_ready() {
        Ok(()) => "ok".into_response(),
        Err(error) => {
            tracing::error!(%error, "not ready");
            "not ready"
                .with_status(StatusCode::SERVICE_UNAVAILABLE)
                .with_header("Retry-After", "5")
                .into_response()
        }
    }
}
