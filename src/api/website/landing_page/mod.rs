//! The first content of the website's page, readable before any script runs. The page also embeds the API
//! responses that the website would request first.

mod words;

use std::collections::HashMap;
use std::sync::Arc;

use chrono::NaiveDate;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::api::http::error::ApiError;
use crate::api::routes::products;
use crate::api::schema::price::PriceAnswer;
use crate::api::website::pages::{COVER, FRONT, front_product};
use crate::api::website::site::settings;
use crate::api::website::template::HtmlHead;
use crate::api::website::{HtmlHeads, PageRequest};
use crate::app::quotes::first_prices::FirstPrices;
use crate::app::{App, AppError, quotes};
use crate::domain::quote::campaign::SourceTracking;

/// The address from which the website reads the shop's settings.
const SITE: &str = "/api/v1/site";
const ENABLED: &str = "/api/v2/products/enabled";

/// The head and first content of each page, from the shop's data.
pub(in crate::api) struct LandingPage(pub(in crate::api) Arc<App>);

impl HtmlHeads for LandingPage {
    fn cache_key(
        &self,
        page: &PageRequest<'_>,
        query: Option<&str>,
    ) -> (NaiveDate, Vec<bool>, bool) {
        let today = self.0.clock.today();
        let found = product_of(page).and_then(|name| self.0.products.find(name, today).ok());
        let free = found.map(|registered| registered.product.waived_lines(&campaign(query)));
        (today, free.unwrap_or_default(), self.0.is_held())
    }

    fn html_head(&self, page: &PageRequest<'_>, query: Option<&str>) -> HtmlHead {
        self.for_product(page, query)
            .unwrap_or_else(|_| self.default_head())
    }
}

impl LandingPage {
    /// Returns the head of a page for which `for_product` fails. The head embeds only the shop's settings.
    fn default_head(&self) -> HtmlHead {
        let site = &self.0.config.site;
        let mut responses = Map::new();
        if let Ok(answer) = json_of(&settings(&self.0)) {
            responses.insert(SITE.to_string(), answer);
        }
        HtmlHead {
            title: site.brand.clone(),
            description: format!(
                "{}: cover that you can buy and look after online.",
                site.brand
            ),
            words: None,
            without_script: words::without_script(site),
            data: json!({ "answers": responses }),
        }
    }

    /// Returns the head of a page on which a quote for a product starts.
    ///
    /// # Errors
    /// If the page has no product on sale, or if the first prices cannot be computed.
    fn for_product(
        &self,
        page: &PageRequest<'_>,
        query: Option<&str>,
    ) -> Result<HtmlHead, ApiError> {
        let app = &self.0;
        let name = product_of(page).ok_or(AppError::NotFound)?;
        let product = products::product_on_sale(app, name)?;
        let (info, site) = (product.info(), &app.config.site);
        let prices = quotes::first_prices(
            &app.clock,
            &app.products,
            name,
            page.preset,
            &campaign(query),
        )?;
        let address = format!("/api/v2/openapi/product/{name}");
        let responses = json!({
            SITE: json_of(&settings(app))?,
            (address.as_str()): json_of(&products::product_read(product, app.clock.today()))?,
            (format!("{address}/stepper")): json_of(product.stepper())?,
            ENABLED: json_of(&products::enabled_products(app))?,
        });
        let mut data = json!({ "answers": responses });
        let offers = product.offers(&campaign(query));
        if let (Some(prices), Some(data)) = (&prices, data.as_object_mut()) {
            data.insert("prices".to_string(), prices_json(name, prices)?);
        }
        Ok(HtmlHead {
            title: format!("{} | {}", info.product_title, site.brand),
            description: description(info.headline.as_str(), &info.facts),
            words: Some(words::quote_start_page(
                site,
                info,
                prices.as_ref(),
                &offers,
            )),
            without_script: String::new(),
            data,
        })
    }
}

/// Returns the product for which a page starts a quote. Returns `None` for every other page.
fn product_of<'a>(page: &PageRequest<'a>) -> Option<&'a str> {
    match page.pattern {
        "/" => Some(front_product()),
        FRONT | COVER => page.product,
        _ => None,
    }
}

/// Returns the prices in the form in which the website reads them from the page.
fn prices_json(product: &str, prices: &FirstPrices) -> Result<Value, ApiError> {
    let choices = prices.choices.iter().map(|choice| {
        let figures = PriceAnswer::from((choice.price.clone(), choice.basis)).figures;
        Ok(json!({ "value": choice.value, "figures": json_of(&figures)? }))
    });
    let choices = choices.collect::<Result<Vec<Value>, ApiError>>()?;
    Ok(json!({
        "product": product,
        "field": prices.field,
        "assumed": prices.assumed,
        "choices": choices,
    }))
}

fn json_of(answer: &impl Serialize) -> Result<Value, ApiError> {
    let written = serde_json::to_value(answer);
    Ok(written.map_err(|error| AppError::internal("an answer can't be written", error))?)
}

fn description(headline: &str, facts: &[String]) -> String {
    let sentences = std::iter::once(headline).chain(facts.iter().map(String::as_str));
    let sentences: Vec<String> = sentences
        .map(|text| text.trim_end_matches('.').to_string())
        .collect();
    format!("{}.", sentences.join(". "))
}

/// Returns the campaign in an address. `ui/src/features/quote/start/tracking.ts` also reads these parameters.
fn campaign(query: Option<&str>) -> SourceTracking {
    let pairs: Vec<(String, String)> = query
        .and_then(|query| serde_urlencoded::from_str(query).ok())
        .unwrap_or_default();
    let mut first: HashMap<String, String> = HashMap::new();
    for (name, value) in pairs {
        first.entry(name).or_insert(value);
    }
    let mut word = |name: &str| first.remove(name);
    SourceTracking {
        external_uuid: None,
        utm_source: word("utm_source"),
        utm_campaign: word("utm_campaign"),
        utm_medium: word("utm_medium"),
    }
}
