//! JSON bodies. Requests are parsed directly into their types. Responses are written directly from their
//! types. An [`IdempotencyKey`] includes a digest of the call's body.

use std::marker::PhantomData;

use poem::http::StatusCode;
use poem::{IntoResponse, Request, RequestBody, Response};
use poem_openapi::payload::{ParsePayload, Payload};
use poem_openapi::registry::{
    MetaMediaType, MetaRequest, MetaResponse, MetaResponses, MetaSchemaRef, Registry,
};
use poem_openapi::types::Type;
use poem_openapi::{ApiExtractor, ApiExtractorType, ApiResponse, ExtractParamOptions};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Serializer;

use crate::api::http::bad_request;
use crate::api::http::bodies::{self, BodyBytes, LARGEST_BODY};
use crate::api::http::error::ApiError;
use crate::api::schema::published::Data;
use crate::api::schema::raw_json::WithPrepared;
use crate::app::{AppError, Caller, IdempotencyKey};
use crate::json_schema::ResponseSchema;

/// Initial capacity of a response, bytes.
const USUAL_ANSWER: usize = 12 << 10;

/// The content type of JSON responses.
pub(in crate::api) const JSON: &str = "application/json; charset=utf-8";

/// A JSON request body.
pub struct JsonBody<T> {
    pub body: T,
    raw: BodyBytes,
}

impl<T> JsonBody<T> {
    /// Returns the parsed body and its bytes.
    pub fn parts(self) -> (T, BodyBytes) {
        (self.body, self.raw)
    }

    /// Returns the idempotency key of the call, or `None` without the header.
    ///
    /// # Errors
    /// If the header is not a valid key.
    pub fn key(
        &self,
        header: Option<&str>,
        caller: &Caller,
        route: &str,
    ) -> Result<Option<IdempotencyKey>, AppError> {
        header
            .map(|header| IdempotencyKey::new(header, caller, route, &self.raw))
            .transpose()
    }
}

impl<T: Type> Payload for JsonBody<T> {
    const CONTENT_TYPE: &'static str = JSON;

    fn check_content_type(content_type: &str) -> bool {
        poem_openapi::payload::Json::<T>::check_content_type(content_type)
    }

    fn schema_ref() -> MetaSchemaRef {
        T::schema_ref()
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

impl<T: Type + DeserializeOwned> ParsePayload for JsonBody<T> {
    const IS_REQUIRED: bool = true;

    async fn from_request(request: &Request, body: &mut RequestBody) -> poem::Result<Self> {
        let raw = bodies::read(request, body.take()?, LARGEST_BODY).await?;
        match serde_json::from_slice(&raw) {
            Ok(body) => Ok(Self { body, raw }),
            Err(_) => Err(bad_request::parse_error_reason::<T>(&raw).into()),
        }
    }
}

impl<'a, T: Type + DeserializeOwned> ApiExtractor<'a> for JsonBody<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        <Self as Payload>::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        Some(MetaRequest {
            description: None,
            content: vec![MetaMediaType {
                content_type: Self::CONTENT_TYPE,
                schema: Self::schema_ref(),
            }],
            required: true,
        })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        match request.content_type() {
            Some(kind) if Self::check_content_type(kind) => {
                <Self as ParsePayload>::from_request(request, body).await
            }
            _ => Err(ApiError::malformed("Send JSON, with Content-Type: application/json.").into()),
        }
    }
}

/// A JSON response with `STATUS`. Creating the response writes its body.
pub struct JsonResponse<T, const STATUS: u16 = 200> {
    body: Vec<u8>,
    form: PhantomData<fn() -> T>,
}

impl<T, const STATUS: u16> JsonResponse<T, STATUS> {
    pub fn into_body(self) -> Vec<u8> {
        self.body
    }
}

impl<T: Type + Serialize, const STATUS: u16> JsonResponse<T, STATUS> {
    /// Writes `answer` as JSON.
    ///
    /// # Errors
    /// If the answer cannot be written as JSON.
    pub fn new(answer: T) -> Result<Self, ApiError> {
        let mut body = Vec::with_capacity(USUAL_ANSWER);
        answer
            .serialize(&mut Serializer::with_formatter(&mut body, WithPrepared))
            .map_err(|error| AppError::internal("an answer can't be written", error))?;
        Ok(Self {
            body,
            form: PhantomData,
        })
    }
}

/// A JSON response in the envelope `{"data": ...}`.
pub type DataResponse<T, const STATUS: u16 = 200> = JsonResponse<Data<T>, STATUS>;

impl<T: Type + Serialize, const STATUS: u16> DataResponse<T, STATUS> {
    /// Writes `data` in the envelope.
    ///
    /// # Errors
    /// As [`JsonResponse::new`].
    pub fn data(data: T) -> Result<Self, ApiError> {
        Self::new(Data { data })
    }
}

/// An empty object. The request has succeeded.
#[derive(Serialize, ResponseSchema)]
pub struct EmptyBody {}

impl<T: Send, const STATUS: u16> IntoResponse for JsonResponse<T, STATUS> {
    fn into_response(self) -> Response {
        Response::builder()
            .status(StatusCode::from_u16(STATUS).unwrap_or_default())
            .content_type(JSON)
            .body(self.body)
    }
}

impl<T: Type, const STATUS: u16> ApiResponse for JsonResponse<T, STATUS> {
    fn meta() -> MetaResponses {
        MetaResponses {
            responses: vec![MetaResponse {
                description: "",
                status: Some(STATUS),
                status_range: None,
                content: vec![MetaMediaType {
                    content_type: JSON,
                    schema: T::schema_ref(),
                }],
                headers: vec![],
            }],
        }
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}
