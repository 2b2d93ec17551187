//! How bodies come in and go out: one limit, one digest for repeated calls, and answers
//! written straight from what they are.

use std::marker::PhantomData;

use poem::http::StatusCode;
use poem::{IntoResponse, Request, RequestBody, Response};
use poem_openapi::payload::{ParsePayload, Payload};
use poem_openapi::registry::{
    MetaMediaType, MetaRequest, MetaResponse, MetaResponses, MetaSchemaRef, Registry,
};
use poem_openapi::types::{ParseFromJSON, Type};
use poem_openapi::{ApiExtractor, ApiExtractorType, ApiResponse, ExtractParamOptions, Object};
use serde::Serialize;
use tokio::io::AsyncReadExt;

use super::error::ApiError;
use crate::app::{AppError, Caller, IdempotencyKey};

/// Largest body taken, bytes (1 MiB).
const LARGEST_BODY: usize = 1 << 20;

/// Up to this much of a body that is too large is read and thrown away, so that its sender
/// hears the answer instead of a broken connection.
const DRAINED: usize = 8 << 20;

/// Room an answer begins with, bytes; a quote with its form fits.
const USUAL_ANSWER: usize = 12 << 10;

/// Reads a body of at most [`LARGEST_BODY`] bytes.
///
/// # Errors
/// 413 for a larger one, 400 for one that breaks off.
pub async fn read_body(body: poem::Body) -> Result<Vec<u8>, ApiError> {
    let mut reader = body.into_async_read();
    let mut read = Vec::new();
    let mut drained = 0;
    let mut chunk = [0; 8192];
    loop {
        let count = reader
            .read(&mut chunk)
            .await
            .map_err(|_| ApiError::malformed("The request's body could not be read."))?;
        let part = chunk.get(..count).unwrap_or_default();
        if drained == 0 && read.len() + count <= LARGEST_BODY {
            if part.is_empty() {
                return Ok(read);
            }
            read.extend_from_slice(part);
        } else {
            drained += count;
            if part.is_empty() || drained >= DRAINED {
                return Err(ApiError::too_large());
            }
        }
    }
}

/// A JSON request body.
pub struct JsonBody<T> {
    /// What it says.
    pub body: T,
    raw: Vec<u8>,
}

impl<T> JsonBody<T> {
    /// What it says, and its bytes.
    pub fn parts(self) -> (T, Vec<u8>) {
        (self.body, self.raw)
    }

    /// The call's key, if it carried one.
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
    const CONTENT_TYPE: &'static str = "application/json; charset=utf-8";

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

impl<T: ParseFromJSON> ParsePayload for JsonBody<T> {
    const IS_REQUIRED: bool = true;

    async fn from_request(_: &Request, body: &mut RequestBody) -> poem::Result<Self> {
        let raw = read_body(body.take()?).await?;
        let malformed = || ApiError::malformed("The request is not valid JSON of the right form.");
        let value = serde_json::from_slice(&raw).map_err(|_| malformed())?;
        let body = T::parse_from_json(Some(value)).map_err(|_| malformed())?;
        Ok(Self { body, raw })
    }
}

impl<'a, T: ParseFromJSON> ApiExtractor<'a> for JsonBody<T> {
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

/// A JSON answer of the form `S`, with `STATUS`.
pub struct JsonResponse<S, const STATUS: u16 = 200> {
    body: Vec<u8>,
    form: PhantomData<fn() -> S>,
}

impl<S, const STATUS: u16> JsonResponse<S, STATUS> {
    /// Writes `answer`, whose JSON has the form `S`.
    pub fn of(answer: &impl Serialize) -> Result<Self, ApiError> {
        let mut body = Vec::with_capacity(USUAL_ANSWER);
        let written = serde_json::to_writer(&mut body, answer);
        Self::written(body, written)
    }

    fn written(body: Vec<u8>, written: serde_json::Result<()>) -> Result<Self, ApiError> {
        written
            .map_err(|error| AppError::Internal(format!("an answer can't be written: {error}")))?;
        Ok(Self {
            body,
            form: PhantomData,
        })
    }
}

/// `{"data": ...}`.
#[derive(Object, Serialize)]
pub struct Data<T>
where
    T: ParseFromJSON + poem_openapi::types::ToJSON + Type + Serialize,
{
    data: T,
}

#[derive(Serialize)]
struct Envelope<'a, T> {
    data: &'a T,
}

/// An answer in the envelope.
pub type DataResponse<S, const STATUS: u16 = 200> = JsonResponse<Data<S>, STATUS>;

impl<S, const STATUS: u16> DataResponse<S, STATUS>
where
    S: ParseFromJSON + poem_openapi::types::ToJSON + Type + Serialize,
{
    /// Writes `answer` inside `data`.
    pub fn data(answer: &impl Serialize) -> Result<Self, ApiError> {
        Self::of(&Envelope { data: answer })
    }

    /// Writes `{"data": {...}}` with the members of `rest`, a struct of one member at least, and
    /// before them one called `name`, whose value `first` writes by itself.
    pub fn data_with(
        name: &str,
        first: impl FnOnce(&mut Vec<u8>) -> serde_json::Result<()>,
        rest: &impl Serialize,
    ) -> Result<Self, ApiError> {
        let mut body = Vec::with_capacity(USUAL_ANSWER);
        let written = (|| {
            body.extend_from_slice(b"{\"data\":{");
            serde_json::to_writer(&mut body, name)?;
            body.push(b':');
            first(&mut body)?;
            let rest_begins = body.len();
            serde_json::to_writer(&mut body, rest)?;
            // It goes on where the first member ends, instead of beginning anew.
            if let Some(brace) = body.get_mut(rest_begins) {
                *brace = b',';
            }
            body.push(b'}');
            Ok(())
        })();
        Self::written(body, written)
    }
}

/// `{}`: it is done, and there is nothing more to say.
#[derive(Object, Serialize, Default)]
pub struct Nothing {}

impl<S: Send, const STATUS: u16> IntoResponse for JsonResponse<S, STATUS> {
    fn into_response(self) -> Response {
        Response::builder()
            .status(StatusCode::from_u16(STATUS).unwrap_or_default())
            .content_type("application/json; charset=utf-8")
            .body(self.body)
    }
}

impl<S: Type, const STATUS: u16> ApiResponse for JsonResponse<S, STATUS> {
    fn meta() -> MetaResponses {
        MetaResponses {
            responses: vec![MetaResponse {
                description: "",
                status: Some(STATUS),
                status_range: None,
                content: vec![MetaMediaType {
                    content_type: "application/json; charset=utf-8",
                    schema: S::schema_ref(),
                }],
                headers: vec![],
            }],
        }
    }

    fn register(registry: &mut Registry) {
        S::register(registry);
    }
}
