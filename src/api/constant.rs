//! Answers that are the same for everybody until the day ends: they are written and compressed once, and a
//! browser that has one is told so instead of being sent it again.

use std::marker::PhantomData;
use std::sync::Arc;

use poem::http::StatusCode;
use poem::{IntoResponse, Request, Response};
use poem_openapi::ApiResponse;
use poem_openapi::registry::{MetaResponse, MetaResponses, Registry};
use poem_openapi::types::Type;
use serde::Serialize;

use super::assets::files::File;
use super::error::ApiError;
use super::of_the_day::OfTheDay;
use super::payload::{JSON, JsonResponse};
use crate::app::{App, AppError};

/// The answers that were written today, by their addresses.
pub(super) type Constants = OfTheDay<String>;

/// A JSON answer that carries nothing of anybody: a `T`.
///
/// Only such an answer is compressed. One that carries a token never is: how long it comes out beside
/// words that somebody else chose would tell the token (docs/SECURITY.md).
pub struct ConstantResponse<T> {
    response: Response,
    form: PhantomData<fn() -> T>,
}

impl<T: Type + Serialize> ConstantResponse<T> {
    /// The answer to `request`, which `make` makes where today's isn't kept. It fails for an address that
    /// nothing is found at, so only as many are kept as there are things to read.
    ///
    /// # Errors
    /// Those of `make`, and where the answer can't be written as JSON.
    pub fn of(
        request: &Request,
        app: &App,
        make: impl FnOnce() -> Result<T, ApiError>,
    ) -> Result<Self, ApiError> {
        let constants = request
            .data::<Arc<Constants>>()
            .ok_or_else(|| ApiError::from(AppError::Internal("nothing is kept".into())))?;
        let address = request.uri().path().to_owned();
        let file = constants.file(app.today(), address, || {
            let written = JsonResponse::<T>::of(make()?)?;
            Ok::<_, ApiError>(File::made(JSON, written.into_body()))
        })?;
        Ok(Self {
            response: file.answer(StatusCode::OK, request),
            form: PhantomData,
        })
    }
}

impl<T: Send> IntoResponse for ConstantResponse<T> {
    fn into_response(self) -> Response {
        self.response
    }
}

impl<T: Type> ApiResponse for ConstantResponse<T> {
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
