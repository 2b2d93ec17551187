//! JSON responses that are the same for everybody until the day ends. A browser that already has the
//! response receives a 304.

use std::marker::PhantomData;
use std::sync::Arc;

use poem::http::StatusCode;
use poem::{IntoResponse, Request, Response};
use poem_openapi::ApiResponse;
use poem_openapi::registry::{MetaResponse, MetaResponses, Registry};
use poem_openapi::types::Type;
use serde::Serialize;

use crate::api::http::daily_cache::{CacheKey, DailyCache};
use crate::api::http::error::ApiError;
use crate::api::http::payload::{JSON, JsonResponse};
use crate::api::website::files::File;
use crate::app::{App, AppError};

/// A JSON response, a `T`, without personal data.
///
/// Responses of the API with personal data are never compressed. If a response contained a token and text
/// that an attacker chose, its compressed length would reveal the token (docs/SECURITY.md).
pub struct CachedJson<T> {
    response: Response,
    form: PhantomData<fn() -> T>,
}

impl<T: Type + Serialize> CachedJson<T> {
    /// Returns the response to `request`. Builds the response with `make` if today's response about
    /// `subject` is not cached.
    ///
    /// # Errors
    /// If `make` fails, or if the response cannot be written as JSON.
    pub(in crate::api) fn new(
        request: &Request,
        app: &App,
        subject: CacheKey,
        make: impl FnOnce() -> Result<T, ApiError>,
    ) -> Result<Self, ApiError> {
        let cache = request
            .data::<Arc<DailyCache>>()
            .ok_or_else(|| ApiError::from(AppError::Internal("no cache in the request".into())))?;
        let file = cache.file(app.clock.today(), subject, || {
            let written = JsonResponse::<T>::new(make()?)?;
            Ok::<_, ApiError>(File::from_body(JSON, written.into_body()))
        })?;
        Ok(Self {
            response: file.answer(StatusCode::OK, request),
            form: PhantomData,
        })
    }
}

impl<T: Send> IntoResponse for CachedJson<T> {
    fn into_response(self) -> Response {
        self.response
    }
}

impl<T: Type> ApiResponse for CachedJson<T> {
    fn meta() -> MetaResponses {
        let mut meta = JsonResponse::<T>::meta();
        meta.responses.push(MetaResponse {
            description: "What the caller has already, by its ETag in `If-None-Match`",
            status: Some(304),
            status_range: None,
            content: vec![],
            headers: vec![],
        });
        meta
    }

    fn register(registry: &mut Registry) {
        JsonResponse::<T>::register(registry);
    }
}
