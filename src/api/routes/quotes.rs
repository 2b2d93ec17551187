//! Routes of quotes: create, change, read and accept, and the policies that quotes become.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::{Header, Path};

use crate::api::http::auth::Auth;
use crate::api::http::client::CalledFrom;
use crate::api::http::error::ApiError;
use crate::api::http::path_id::uuid_of;
use crate::api::http::payload::{DataResponse, JsonBody, JsonResponse};
use crate::api::routes::quote_view::{self, QuoteExtras};
use crate::api::schema::account::LinkSecret;
use crate::api::schema::price::is_monthly;
use crate::api::schema::quote::{
    AcceptRequest, AcceptedQuote, Adopted, ClaimRequest, QuoteCreate, QuoteCreated, QuoteSaved,
    QuoteUpdate, Resumed, StatusTitle,
};
use crate::api::schema::quote_read::QuoteRead;
use crate::app::policies::plans::PlanOffer;
use crate::app::quotes::list::ListItem;
use crate::app::quotes::{self, Agreed};
use crate::app::{App, Caller, ClientAddress};
use crate::domain::quote::{QuoteStatus, StatusId};

pub struct QuoteRoutes;

#[OpenApi]
impl QuoteRoutes {
    /// Saves a new quote, and returns the quote's token.
    ///
    /// If an answer is invalid, a 422 names every invalid answer, and nothing is saved.
    #[oai(path = "/api/v2/openapi/quote/:product", method = "post")]
    async fn create(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        product: Path<String>,
        from: CalledFrom,
        #[oai(name = "Idempotency-Key")] key: Header<Option<String>>,
        request: JsonBody<QuoteCreate>,
    ) -> Result<DataResponse<QuoteCreated, 201>, ApiError> {
        create(&app, &who.0, &from.0, &product, key.as_deref(), request).await
    }

    /// Saves a new quote, as `POST /api/v2/openapi/quote/{product}` does.
    #[oai(path = "/api/v2/public/quote/:product", method = "post")]
    async fn create_public(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        product: Path<String>,
        from: CalledFrom,
        #[oai(name = "Idempotency-Key")] key: Header<Option<String>>,
        request: JsonBody<QuoteCreate>,
    ) -> Result<DataResponse<QuoteCreated, 201>, ApiError> {
        create(&app, &who.0, &from.0, &product, key.as_deref(), request).await
    }

    /// Returns a token for the quote of a mailed link.
    ///
    /// A link that is invalid or expired gets a 404.
    #[oai(path = "/api/v1/quote/resume", method = "post")]
    async fn resume(
        &self,
        app: Data<&Arc<App>>,
        request: JsonBody<LinkSecret>,
    ) -> Result<DataResponse<Resumed>, ApiError> {
        let (uuid, token) =
            quotes::resume_quote(&app.store, &app.clock, &request.body.secret).await?;
        JsonResponse::data(Resumed {
            uuid,
            consumer_token: token.expose().to_string(),
        })
    }

    /// Adds the quote or policy of the request's token to the logged-in user's account, and revokes the
    /// earlier tokens.
    ///
    /// A quote or policy of another account gets a 404.
    #[oai(path = "/api/v1/quote/:id/adopt", method = "post")]
    async fn claim_own(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
    ) -> Result<DataResponse<Adopted>, ApiError> {
        let uuid = uuid_of(&who.0, &id)?;
        quotes::claim_own_quote(&app.store, &app.clock, &who.0, uuid).await?;
        JsonResponse::data(Adopted { uuid })
    }

    /// Returns the newest quotes that have the logged-in user's mail address and are in no account, at most
    /// 20.
    #[oai(path = "/api/v1/quote/waiting", method = "get")]
    async fn waiting(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
    ) -> Result<DataResponse<Vec<ListItem>>, ApiError> {
        JsonResponse::data(
            quotes::waiting_quotes(&app.store, &app.clock, &app.products, &who.0).await?,
        )
    }

    /// Adds the named waiting quotes to the logged-in user's account. The other waiting quotes are not listed
    /// again. Returns the new list.
    ///
    /// A quote that does not wait for the user gets a 404.
    #[oai(path = "/api/v1/quote/waiting", method = "post")]
    async fn claim(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        request: JsonBody<ClaimRequest>,
    ) -> Result<DataResponse<Vec<ListItem>>, ApiError> {
        quotes::claim_waiting(
            &app.store,
            &app.clock,
            &app.work_added,
            &who.0,
            request.body.quotes,
        )
        .await?;
        JsonResponse::data(
            quotes::waiting_quotes(&app.store, &app.clock, &app.products, &who.0).await?,
        )
    }

    /// Saves new answers of a quote as the next revision.
    ///
    /// A quote that can no longer be changed gets a 409.
    #[oai(path = "/api/v1/quote/:id", method = "put")]
    async fn update(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        from: CalledFrom,
        id: Path<String>,
        request: JsonBody<QuoteUpdate>,
    ) -> Result<DataResponse<QuoteSaved>, ApiError> {
        update(&app, (&who.0, &from.0), &id, request).await
    }

    /// Saves new answers of a quote, as `PUT /api/v1/quote/{id}` does.
    #[oai(path = "/api/v2/public/quote/update/:id", method = "post")]
    async fn update_public(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        from: CalledFrom,
        id: Path<String>,
        request: JsonBody<QuoteUpdate>,
    ) -> Result<DataResponse<QuoteSaved>, ApiError> {
        update(&app, (&who.0, &from.0), &id, request).await
    }

    /// Returns a quote, or the policy that the quote became.
    #[oai(path = "/api/v2/public/quote/read/:id", method = "get")]
    async fn read_public(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
    ) -> Result<DataResponse<QuoteRead>, ApiError> {
        read(&app, &who.0, &id).await
    }

    /// Returns a quote, or the policy that the quote became.
    #[oai(path = "/api/v2/openapi/quote/read/:id", method = "get")]
    async fn read(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
    ) -> Result<DataResponse<QuoteRead>, ApiError> {
        read(&app, &who.0, &id).await
    }

    /// Returns every status with its name.
    #[oai(path = "/api/v1/quote/statuses", method = "get")]
    async fn statuses(&self) -> Result<DataResponse<Vec<StatusTitle>>, ApiError> {
        let statuses = QuoteStatus::ALL.iter().map(|status| StatusTitle {
            status_id: StatusId(*status),
            status_title: status.title(),
        });
        JsonResponse::data(statuses.collect())
    }

    /// Accepts the newest revision of a quote: the customer agrees to buy.
    ///
    /// A quote that can't be bought gets a 409.
    #[oai(path = "/api/v1/quote/update-accept/:id", method = "post")]
    async fn accept(
        &self,
        app: Data<&Arc<App>>,
        who: Auth,
        id: Path<String>,
        #[oai(name = "Idempotency-Key")] key: Header<Option<String>>,
        request: JsonBody<AcceptRequest>,
    ) -> Result<DataResponse<AcceptedQuote>, ApiError> {
        let uuid = uuid_of(&who.0, &id)?;
        let key = request.key(key.as_deref(), &who.0, &format!("accept/{uuid}"))?;
        let frequency = request.body.payment_frequency.as_deref();
        let is_monthly = frequency.map(is_monthly).transpose()?.unwrap_or_default();
        let agreed = Agreed {
            seen: request.body.revision_id,
            terms_and_conditions: request.body.terms_and_conditions,
            is_monthly,
            auto_renew: request.body.auto_renew,
            exclusions: request.body.exclusions.clone(),
        };
        let (accepted, plan) = quotes::accept_quote(&app, &who.0, uuid, agreed, key).await?;
        JsonResponse::data(AcceptedQuote {
            uuid,
            amount_due: accepted.amount,
            revision_id: accepted.revision,
            plan: plan.as_ref().map(PlanOffer::from),
        })
    }
}

async fn create(
    app: &App,
    caller: &Caller,
    from: &ClientAddress,
    product: &str,
    key: Option<&str>,
    request: JsonBody<QuoteCreate>,
) -> Result<DataResponse<QuoteCreated, 201>, ApiError> {
    let key = request.key(key, caller, &format!("create/{product}"))?;
    // The path may name a product by id or identifier. The submission uses the identifier.
    let registered = app.products.find(product, app.clock.today())?;
    let identifier = registered.product.identifier().to_string();
    let submission = request.body.submission(&identifier)?;
    let created = quotes::create_quote(app, caller, from, submission, key).await?;
    JsonResponse::data(QuoteCreated {
        uuid: created.uuid,
        custom_id: created.reference,
        consumer_token: created.consumer_token.expose().to_string(),
        status_id: StatusId(created.outcome.status),
        reason: created.outcome.reason,
        revision_id: created.outcome.revision,
        notices: created.outcome.notices,
    })
}

async fn update(
    app: &App,
    (caller, client): (&Caller, &ClientAddress),
    id: &str,
    request: JsonBody<QuoteUpdate>,
) -> Result<DataResponse<QuoteSaved>, ApiError> {
    let uuid = uuid_of(caller, id)?;
    let (submission, from) = request.body.submission()?;
    let outcome = quotes::update_quote(app, caller, client, uuid, submission, from).await?;
    JsonResponse::data(QuoteSaved {
        uuid,
        revision_id: outcome.revision,
        status_id: StatusId(outcome.status),
        reason: outcome.reason,
        notices: outcome.notices,
    })
}

async fn read(app: &App, caller: &Caller, id: &str) -> Result<DataResponse<QuoteRead>, ApiError> {
    let view = quotes::show_quote(app, caller, uuid_of(caller, id)?).await?;
    quote_view::answer_with(app, view, QuoteExtras::default())
}
