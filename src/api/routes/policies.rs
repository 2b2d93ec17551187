//! Routes that read policies.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;

use crate::api::http::auth::Auth;
use crate::api::http::error::ApiError;
use crate::api::http::path_id::uuid_of;
use crate::api::http::payload::DataResponse;
use crate::api::routes::quote_view::{self, QuoteExtras};
use crate::api::schema::quote_read::QuoteRead;
use crate::app::{App, Caller, policies};

pub struct PolicyRoutes;

#[OpenApi]
impl PolicyRoutes {
    /// Returns a policy, with the quote that became the policy.
    ///
    /// A quote that is not bought gets a 404.
    #[oai(path = "/api/v2/policy/:id", method = "get")]
    async fn policy(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
    ) -> Result<DataResponse<QuoteRead>, ApiError> {
        read(&app, &who.0, &id).await
    }

    /// Returns a policy, as `GET /api/v2/policy/{id}` does.
    #[oai(path = "/api/v2/policy/read/:id", method = "get")]
    async fn policy_read(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
    ) -> Result<DataResponse<QuoteRead>, ApiError> {
        read(&app, &who.0, &id).await
    }
}

async fn read(app: &App, caller: &Caller, id: &str) -> Result<DataResponse<QuoteRead>, ApiError> {
    let (quote, policy) = policies::read_policy(app, caller, uuid_of(caller, id)?).await?;
    let extras = QuoteExtras {
        policy: Some(policy),
        ..QuoteExtras::default()
    };
    quote_view::answer_with(app, quote, extras)
}
