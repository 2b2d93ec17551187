//! Routes of products, their forms and steps.

use std::sync::Arc;

use chrono::NaiveDate;
use poem::Request;
use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;

use crate::api::http::cached_json::CachedJson;
use crate::api::http::client::CalledFrom;
use crate::api::http::daily_cache::CacheKey;
use crate::api::http::error::ApiError;
use crate::api::http::payload::{DataResponse, JsonBody, JsonResponse};
use crate::api::schema::form_check::{FormRequest, FormVerdict};
use crate::api::schema::product::{EnabledProduct, ProductListItem, ProductRead};
use crate::api::schema::published::Data as Enveloped;
use crate::app::documents::ProductHelp;
use crate::app::quotes::price::Described;
use crate::app::{App, documents, quotes};
use crate::domain::product::{Product, StepperData};

pub struct ProductRoutes;

#[OpenApi]
impl ProductRoutes {
    /// Returns the products on sale.
    #[oai(path = "/api/v2/product/list", method = "get")]
    async fn list(
        &self,
        app: Data<&Arc<App>>,
    ) -> Result<JsonResponse<Vec<ProductListItem>>, ApiError> {
        let items: Vec<_> = app
            .products
            .on_sale(app.clock.today())
            .iter()
            .map(|registered| {
                let info = registered.product.info();
                ProductListItem {
                    product_title: info.product_title.clone(),
                    identifier: info.product_identifier.clone(),
                }
            })
            .collect();
        JsonResponse::new(items)
    }

    /// Returns the products on sale, with the short title and the stepper of each.
    #[oai(path = "/api/v2/products/enabled", method = "get")]
    async fn enabled(
        &self,
        app: Data<&Arc<App>>,
        request: &Request,
    ) -> Result<CachedJson<Enveloped<Vec<EnabledProduct>>>, ApiError> {
        let make = || {
            let data = enabled_products(&app);
            Ok(Enveloped { data })
        };
        CachedJson::new(request, &app, CacheKey::ProductsOnSale, make)
    }

    /// Returns the questions and answers about each product on sale.
    #[oai(path = "/api/v1/help", method = "get")]
    async fn help(
        &self,
        app: Data<&Arc<App>>,
        request: &Request,
    ) -> Result<CachedJson<Enveloped<Vec<ProductHelp>>>, ApiError> {
        let make = || {
            let data = documents::help(&app);
            Ok(Enveloped { data })
        };
        CachedJson::new(request, &app, CacheKey::Help, make)
    }

    /// Returns the form of a product, and the product's data for the website.
    #[oai(path = "/api/v2/openapi/product/:id", method = "get")]
    async fn product(
        &self,
        app: Data<&Arc<App>>,
        request: &Request,
        id: Path<String>,
    ) -> Result<CachedJson<ProductRead>, ApiError> {
        let product = product_on_sale(&app, &id)?;
        let subject = CacheKey::Product(product.identifier().to_owned());
        let make = || Ok(product_read(product, app.clock.today()));
        CachedJson::new(request, &app, subject, make)
    }

    /// Returns the steps of a product's form.
    #[oai(path = "/api/v2/openapi/product/:identifier/stepper", method = "get")]
    async fn stepper(
        &self,
        app: Data<&Arc<App>>,
        request: &Request,
        identifier: Path<String>,
    ) -> Result<CachedJson<StepperData>, ApiError> {
        let product = product_on_sale(&app, &identifier)?;
        let subject = CacheKey::Stepper(product.identifier().to_owned(), None);
        let make = || Ok(product.stepper().clone());
        CachedJson::new(request, &app, subject, make)
    }

    /// Returns the steps of a product's form in one context.
    ///
    /// An unknown context gets a 404.
    #[oai(
        path = "/api/v2/openapi/product/:identifier/stepper/:context",
        method = "get"
    )]
    async fn stepper_in(
        &self,
        app: Data<&Arc<App>>,
        request: &Request,
        identifier: Path<String>,
        context: Path<String>,
    ) -> Result<CachedJson<StepperData>, ApiError> {
        let product = product_on_sale(&app, &identifier)?;
        let name = product.identifier().to_owned();
        let subject = CacheKey::Stepper(name, Some(context.0.clone()));
        CachedJson::new(request, &app, subject, || {
            let stepper = product.stepper_in(&context);
            stepper.ok_or_else(ApiError::not_found)
        })
    }

    /// Evaluates a product's form for some answers: visible fields, defaults and errors. Stores nothing.
    #[oai(path = "/api/v1/form/:id", method = "post")]
    async fn form(
        &self,
        app: Data<&Arc<App>>,
        id: Path<String>,
        from: CalledFrom,
        request: JsonBody<FormRequest>,
    ) -> Result<DataResponse<Described>, ApiError> {
        quotes::count_price(&app, &from.0)?;
        let (answers, scope) = request.body.parts();
        JsonResponse::data(quotes::describe(&app, &id, &answers, scope)?)
    }

    /// Checks answers as `POST /api/v1/form/{id}` does, but returns neither the form nor the answers. Stores
    /// nothing.
    #[oai(path = "/api/v1/form/:id/check", method = "post")]
    async fn check(
        &self,
        app: Data<&Arc<App>>,
        id: Path<String>,
        from: CalledFrom,
        request: JsonBody<FormRequest>,
    ) -> Result<DataResponse<FormVerdict>, ApiError> {
        quotes::count_price(&app, &from.0)?;
        let (answers, scope) = request.body.parts();
        JsonResponse::data(quotes::describe(&app, &id, &answers, scope)?.into())
    }
}

/// Returns the products on sale today.
pub(in crate::api) fn enabled_products(app: &App) -> Vec<EnabledProduct> {
    let on_sale = app.products.on_sale(app.clock.today());
    let infos = on_sale.iter().map(|registered| registered.product.info());
    let enabled = infos.map(|info| EnabledProduct {
        identifier: info.product_identifier.clone(),
        product_title: info.product_title.clone(),
        product_short_title: info.product_short_title.clone(),
        enabled: true,
        stepper: info.stepper,
    });
    enabled.collect()
}

/// Returns a product on sale today, by its identifier or id.
///
/// # Errors
/// 404 if no such product is on sale.
pub(in crate::api) fn product_on_sale<'a>(
    app: &'a App,
    name: &str,
) -> Result<&'a Product, ApiError> {
    Ok(&app.products.find(name, app.clock.today())?.product)
}

/// Returns a product as the API shows it on the day `today`.
pub(in crate::api) fn product_read(product: &Product, today: NaiveDate) -> ProductRead {
    ProductRead {
        form: product.form_for(today),
        info: product.info().clone(),
    }
}
