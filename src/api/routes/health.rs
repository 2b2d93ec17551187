//! Routes for the operator: liveness, readiness and metrics.

use std::sync::Arc;

use poem::http::StatusCode;
use poem::http::header::RETRY_AFTER;
use poem::web::Data;
use poem::{IntoResponse, Request, Response, handler};

use crate::api::http::client::is_operators;
use crate::api::http::error::ApiError;
use crate::app::backups::backup;
use crate::app::{App, AppError, jobs};
use crate::config::ServerSettings;
use crate::metrics;

/// Returns a 200: the process answers.
#[handler]
pub fn live() -> &'static str {
    "ok"
}

/// Returns a 200 if the store can be read and the clock is right. Returns a 503 in every other case, and
/// after the process was told to stop.
#[handler]
pub async fn ready(app: Data<&Arc<App>>) -> Response {
    if app.is_draining() {
        return unavailable("draining: this process was told to stop".to_string());
    }
    if let Some(why) = app.wrong_clock() {
        return unavailable(why.to_string());
    }
    match app.is_ready().await {
        Ok(()) if app.is_held() => {
            "ok, but held after a restore: nothing is sold until `layby resume`".into_response()
        }
        Ok(()) if !app.disk_space.is_short() => "ok".into_response(),
        // With little disk space, the shop is still ready, because open payments and refunds still work.
        Ok(()) => "ok, but the disk is short of space: nothing new begins".into_response(),
        Err(error) => {
            tracing::error!(error = error.log_text(), "not ready");
            not_ready(app.percent_repaired())
        }
    }
}

/// Returns the 503 of a shop that cannot serve. During a repair, the response contains the repaired
/// percentage of the store.
pub(in crate::api) fn not_ready(percent: Option<u8>) -> Response {
    let text = percent.map_or_else(
        || "not ready".to_string(),
        |percent| format!("repairing: {percent} percent of the store are in order"),
    );
    unavailable(text)
}

fn unavailable(text: String) -> Response {
    text.with_status(StatusCode::SERVICE_UNAVAILABLE)
        .with_header(RETRY_AFTER, "5")
        .into_response()
}

/// Returns the process's metrics to its operator, and a 404 to everybody else.
#[handler]
pub async fn metrics_text(request: &Request, app: Data<&Arc<App>>) -> Response {
    app.disk_space.is_short();
    metrics::set_clock_wrong(app.wrong_clock().is_some());
    if let Some(bytes) = app.store.size() {
        metrics::set_store_bytes(bytes);
    }
    // If the store fails, the response still has the other metrics, because the operator needs them.
    if let Err(error) = jobs::record_queues(&app.store, &app.clock).await {
        tracing::warn!(error = error.log_text(), "jobs can't be counted");
        metrics::forget_queues();
    }
    if let Err(error) = backup::record_age(&app.store, app.clock.now()).await {
        tracing::warn!(
            error = error.log_text(),
            "the age of the newest backup can't be read"
        );
    }
    recorded_metrics(request, &app.config.server)
}

/// Returns the metrics as they were last recorded.
pub(in crate::api) fn recorded_metrics(request: &Request, server: &ServerSettings) -> Response {
    if !is_operators(request, server) {
        return ApiError::from(AppError::NotFound).into_response();
    }
    match metrics::render() {
        Ok(all) => all.with_content_type(metrics::OPEN_METRICS).into_response(),
        Err(error) => {
            let error = AppError::internal("a metric can't be written", error);
            ApiError::from(error).into_response()
        }
    }
}
