//! Routes of documents: lists, readiness and PDFs.

use std::sync::Arc;

use poem::http::StatusCode;
use poem::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG};
use poem::web::Data;
use poem::{IntoResponse, Response};
use poem_openapi::param::{Header, Path, Query};
use poem_openapi::registry::{
    MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry,
};
use poem_openapi::{ApiResponse, OpenApi};

use crate::api::http::auth::Auth;
use crate::api::http::error::ApiError;
use crate::api::http::path_id::uuid_of;
use crate::api::http::payload::{DataResponse, JsonBody, JsonResponse};
use crate::api::schema::document::{Check, ExternalDocuments, ReadyDocuments};
use crate::app::documents::{self, ListedDocument, PolicyDocuments, RenderedPdf};
use crate::app::{App, AppError};

pub struct DocumentRoutes;

/// Most identifiers in one request.
const CHECKED_AT_ONCE: usize = 100;

#[OpenApi]
impl DocumentRoutes {
    /// Returns the documents of a policy's revision.
    #[oai(path = "/api/v1/policy/:id/documents", method = "get")]
    async fn policy_documents(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
        /// The revision's number. The default is the revision in force. Another revision without documents
        /// gets a 404.
        revision: Query<Option<u32>>,
    ) -> Result<DataResponse<PolicyDocuments>, ApiError> {
        let uuid = uuid_of(&who.0, &id)?;
        JsonResponse::data(documents::policy_documents(&app, &who.0, uuid, revision.0).await?)
    }

    /// Returns the documents at other addresses, which are the same for every policy.
    #[oai(path = "/api/v1/policy/:id/external-documents", method = "get")]
    async fn external(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
    ) -> Result<DataResponse<ExternalDocuments>, ApiError> {
        documents::can_read_documents(&app.store, &app.clock, &who.0, uuid_of(&who.0, &id)?)
            .await?;
        JsonResponse::data(ExternalDocuments {
            external: app.config.site.external_documents.clone(),
        })
    }

    /// Returns a quote's documents: the product's documents, and the demands and needs statement if there is
    /// one.
    #[oai(path = "/api/v2/quote/documents/:id", method = "get")]
    async fn quote_documents(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
    ) -> Result<DataResponse<Vec<ListedDocument>>, ApiError> {
        JsonResponse::data(documents::quote_documents(&app, &who.0, uuid_of(&who.0, &id)?).await?)
    }

    /// Returns for each identifier whether the document can be fetched now.
    ///
    /// The result is false for a document that does not exist or belongs to somebody else.
    #[oai(path = "/api/v1/documents/check", method = "post")]
    async fn check(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        request: JsonBody<Check>,
    ) -> Result<DataResponse<ReadyDocuments>, ApiError> {
        let (check, _) = request.parts();
        if check.docs.len() > CHECKED_AT_ONCE {
            return Err(AppError::field("docs", "Ask for at most 100 documents at once.").into());
        }
        let ready = documents::documents_ready(&app, &who.0, check.docs).await?;
        JsonResponse::data(ReadyDocuments(ready.into_iter().collect()))
    }

    /// Returns a document as PDF. Everybody may read a product's documents.
    ///
    /// A document that is not rendered yet gets a 409 with the code `not_ready`.
    #[oai(path = "/api/v1/documents/:identifier", method = "get")]
    async fn pages(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        identifier: Path<String>,
        #[oai(name = "If-None-Match")] cached_tag: Header<Option<String>>,
    ) -> Result<Pdf, ApiError> {
        let printed = documents::document(&app, &who.0, &identifier).await?;
        Ok(Pdf {
            printed,
            if_none_match: cached_tag.0,
        })
    }
}

/// A PDF response, or a 304 if the browser already has the document.
pub(in crate::api) struct Pdf {
    printed: RenderedPdf,
    if_none_match: Option<String>,
}

impl Pdf {
    /// Creates the response to a request without `If-None-Match`.
    pub(in crate::api) const fn new(printed: RenderedPdf) -> Self {
        Self {
            printed,
            if_none_match: None,
        }
    }
}

/// The content security policy of a PDF. It allows only what a browser's PDF viewer needs.
const POLICY: &str = "default-src 'none'; object-src 'self'; img-src 'self' data: blob:; \
    style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'self'";

impl IntoResponse for Pdf {
    fn into_response(self) -> Response {
        let RenderedPdf {
            pdf,
            file_name,
            tag,
            public,
            ..
        } = self.printed;
        let tag = format!("\"{tag}\"");
        let is_unchanged = self.if_none_match.is_some_and(|is_unchanged| {
            let mut tags = is_unchanged.split(',').map(str::trim);
            tags.any(|other| other == tag || other.trim_start_matches("W/") == tag)
        });
        let cached = if public {
            "public, max-age=300, must-revalidate"
        } else {
            "no-store"
        };
        let response = Response::builder()
            .header(ETAG, tag)
            .header(CACHE_CONTROL, cached);
        if is_unchanged {
            return response.status(StatusCode::NOT_MODIFIED).finish();
        }
        response
            .header(CONTENT_TYPE, "application/pdf")
            // File names contain only letters, digits, hyphens and a dot, so nothing needs escaping.
            .header(
                CONTENT_DISPOSITION,
                format!("inline; filename=\"{file_name}\""),
            )
            .header("content-security-policy", POLICY)
            .header("x-frame-options", "SAMEORIGIN")
            .body(pdf)
    }
}

impl ApiResponse for Pdf {
    fn meta() -> MetaResponses {
        let mut schema = MetaSchema::new_with_format("string", "binary");
        schema.description = Some("PDF");
        let response = |status, description, content| MetaResponse {
            description,
            status: Some(status),
            status_range: None,
            content,
            headers: vec![],
        };
        let pdf = MetaMediaType {
            content_type: "application/pdf",
            schema: MetaSchemaRef::Inline(Box::new(schema)),
        };
        MetaResponses {
            responses: vec![
                response(200, "the document", vec![pdf]),
                response(304, "as the caller has it already", vec![]),
            ],
        }
    }

    fn register(_: &mut Registry) {}
}
