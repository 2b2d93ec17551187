//! Products, their forms and steps.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;

use super::client::CalledFrom;
use super::error::ApiError;
use super::payload::{DataResponse, JsonBody, JsonResponse};
use super::wire::form_check::{FormAnswer, FormRequest};
use super::wire::product::{EnabledProduct, ProductListItem, ProductRead, StepperData};
use crate::app::App;

/// Products.
pub struct Products;

#[OpenApi]
impl Products {
    /// Every product.
    #[oai(path = "/api/v2/product/list", method = "get")]
    async fn list(
        &self,
        app: Data<&Arc<App>>,
    ) -> Result<JsonResponse<Vec<ProductListItem>>, ApiError> {
        let items: Vec<_> = app
            .products
            .on_sale(app.today())
            .iter()
            .map(|registered| {
                let info = registered.product.info();
                ProductListItem {
                    product_title: info.product_title.clone(),
                    identifier: info.product_identifier.clone(),
                }
            })
            .collect();
        JsonResponse::of(items)
    }

    /// The products on sale.
    #[oai(path = "/api/v2/products/enabled", method = "get")]
    async fn enabled(
        &self,
        app: Data<&Arc<App>>,
    ) -> Result<DataResponse<Vec<EnabledProduct>>, ApiError> {
        let items: Vec<_> = app
            .products
            .on_sale(app.today())
            .iter()
            .map(|registered| {
                let info = registered.product.info();
                EnabledProduct {
                    identifier: info.product_identifier.clone(),
                    product_title: info.product_title.clone(),
                    product_short_title: info.product_short_title.clone(),
                    enabled: true,
                    stepper: info.stepper.into(),
                }
            })
            .collect();
        JsonResponse::data(items)
    }

    /// A product's form, and what the shop says of it.
    #[oai(path = "/api/v2/openapi/product/:id", method = "get")]
    async fn product(
        &self,
        app: Data<&Arc<App>>,
        id: Path<String>,
    ) -> Result<JsonResponse<ProductRead>, ApiError> {
        let product = &app.products.find(&id, app.today())?.product;
        JsonResponse::of(ProductRead {
            form: product.form_for(app.today()).into(),
            info: product.info().clone().into(),
        })
    }

    /// A product's steps.
    #[oai(path = "/api/v2/openapi/product/:identifier/stepper", method = "get")]
    async fn stepper(
        &self,
        app: Data<&Arc<App>>,
        identifier: Path<String>,
    ) -> Result<JsonResponse<StepperData>, ApiError> {
        let product = &app.products.find(&identifier, app.today())?.product;
        JsonResponse::of(product.stepper().clone().into())
    }

    /// A product's steps in one context.
    #[oai(
        path = "/api/v2/openapi/product/:identifier/stepper/:context",
        method = "get"
    )]
    async fn stepper_in(
        &self,
        app: Data<&Arc<App>>,
        identifier: Path<String>,
        context: Path<String>,
    ) -> Result<JsonResponse<StepperData>, ApiError> {
        let product = &app.products.find(&identifier, app.today())?.product;
        let stepper = product
            .stepper_in(&context)
            .ok_or_else(ApiError::not_found)?;
        JsonResponse::of(stepper.into())
    }

    /// The form worked out for some answers; stores nothing.
    #[oai(path = "/api/v1/form/:id", method = "post")]
    async fn form(
        &self,
        app: Data<&Arc<App>>,
        id: Path<String>,
        from: CalledFrom,
        request: JsonBody<FormRequest>,
    ) -> Result<DataResponse<FormAnswer>, ApiError> {
        app.count_price(&from.0)?;
        let (answers, scope) = request.body.parts();
        JsonResponse::data(app.describe(&id, &answers, scope)?.into())
    }
}
