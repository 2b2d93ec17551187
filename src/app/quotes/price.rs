//! Prices and form checks for answers that aren't saved.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::NaiveDate;
use indexmap::IndexMap;
use serde::Serialize;

use crate::app::limits::{self, Limit};
use crate::app::products::ProductRegistry;
use crate::app::{App, AppError, ClientAddress, payments};
use crate::clock::Clock;
use crate::domain::money::price::{Basis, Price};
use crate::domain::policy::plan::PaymentPlan;
use crate::domain::policy::term;
use crate::domain::product::form::errors::FieldErrors;
use crate::domain::product::form::{self, Scope};
use crate::domain::product::rating;
use crate::domain::product::{Form, Product};
use crate::domain::quote::answers::Answers;
use crate::domain::quote::campaign::SourceTracking;
use crate::domain::quote::early_underwriting::{EarlyDecision, decide_early};
use crate::domain::quote::registration_dates::{PlatePeriod, plate_periods};
use crate::domain::quote::summary::{self, SummaryLine};
use crate::domain::quote::{Origin, policyholder};
use crate::json_schema::ResponseSchema;

/// A form evaluated for some answers.
#[derive(Serialize, ResponseSchema)]
#[serde(rename = "FormAnswer")]
pub struct Described {
    /// The errors by path, in the order of the form.
    #[serde(skip)]
    pub errors: FieldErrors,
    /// The form with visibility, values, defaults and errors.
    pub form: Form,
    /// Lines of the summary card.
    pub summary: Vec<SummaryLine>,
    /// The number of instances of each repeatable dataset, by the name of its count.
    #[schema(BTreeMap<String, usize>)]
    pub counts: IndexMap<String, usize>,
    /// The decisions of underwriting against a new customer that no later answer changes.
    pub decisions: Vec<EarlyDecision>,
    /// The period of each vehicle's first registration, as the registration shows the period.
    pub plates: Vec<PlatePeriod>,
}

/// Counts a price or a form check of `client`. Logged-in customers count too. A person causes about one
/// count for each changed answer.
///
/// # Errors
/// [`AppError::TooMany`] above the client's limit.
pub fn count_price(app: &App, client: &ClientAddress) -> Result<(), AppError> {
    count_prices(app, client, 1)
}

/// Counts `number` prices of one call by `client`: all of them or none.
///
/// # Errors
/// As [`count_price`].
pub fn count_prices(app: &App, client: &ClientAddress, number: usize) -> Result<(), AppError> {
    limits::count_here(app, Limit::Prices, &client.network(), number)
}

/// Returns the price of the answers. Checks only the fields that rating reads. Missing answers get the
/// product file's defaults for prices (part 5 of the specification).
///
/// # Errors
/// [`AppError::NotFound`] for an unknown product. [`AppError::Invalid`] with the wrong fields.
pub fn price(
    clock: &Clock,
    products: &ProductRegistry,
    product: &str,
    answers: &Answers,
    tracking: &SourceTracking,
) -> Result<Price, AppError> {
    let today = clock.today();
    let product = &products.find(product, today)?.product;
    let checked = form::check_for_price(product, answers, today);
    if !checked.errors.is_empty() {
        return Err(AppError::Invalid(checked.errors));
    }
    rating::price_checked(product, &checked, today, tracking).map_err(AppError::Invalid)
}

/// Returns the price of the answers, and its basis: the whole term, or one day of a trip without dates.
///
/// # Errors
/// As [`price`].
pub fn shown_price(
    clock: &Clock,
    products: &ProductRegistry,
    product: &str,
    answers: &Answers,
    tracking: &SourceTracking,
) -> Result<(Price, Basis), AppError> {
    let whole = price(clock, products, product, answers, tracking)?;
    let found = &products.find(product, clock.today())?.product;
    if term::price_basis(found, answers, &whole) == Basis::Term {
        return Ok((whole, Basis::Term));
    }
    let trips = term::trips_without_days(found, answers).unwrap_or_default();
    if answers.rows(trips).len() <= 1 {
        return Ok((whole, Basis::Day));
    }
    // The price of several trips without dates assumes one day for each trip. So the price of a day is the
    // price of one trip.
    let mut one = answers.clone();
    if let Some(rows) = one.multi.get_mut(trips) {
        rows.truncate(1);
    }
    Ok((price(clock, products, product, &one, tracking)?, Basis::Day))
}

/// Returns the plan by which a customer who buys today pays a price monthly.
///
/// # Errors
/// As [`price`]. A refusal if the price can't be paid monthly.
pub fn monthly_price(
    app: &App,
    product: &str,
    answers: &Answers,
    tracking: &SourceTracking,
) -> Result<PaymentPlan, AppError> {
    let price = price(&app.clock, &app.products, product, answers, tracking)?;
    let today = app.clock.today();
    let product = &app.products.find(product, today)?.product;
    let plan = rating::monthly_plan(product, &price, today);
    plan.filter(|_| payments::offers_card_storage(app))
        .ok_or_else(monthly_not_offered)
}

/// Returns the refusal of a price that can't be paid monthly.
pub(in crate::app) fn monthly_not_offered() -> AppError {
    AppError::rule("monthly_not_offered", "This cover can't be paid monthly.")
}

/// Returns the form with visibility, defaults and errors, the summary and the early decisions. `scope`
/// selects the fields that are checked.
///
/// # Errors
/// [`AppError::NotFound`] for an unknown product.
pub fn describe(
    app: &App,
    product: &str,
    answers: &Answers,
    scope: Scope,
) -> Result<Described, AppError> {
    let today = app.clock.today();
    let product: Arc<Product> = app.products.find(product, today)?.product.clone();
    let mut checked = form::check(&product, answers, scope, today);
    if payments::is_town_missing(app, answers)
        && is_address_checked(&product, answers, scope, today)
    {
        checked.errors.add(policyholder::ADDRESS, TOWN_MISSING);
    }
    let term = term::term(&product, &checked.answers, today);
    let phone = &app.config.site.phone;
    Ok(Described {
        plates: plate_periods(&product, &checked.answers, &term, today),
        decisions: decide_early(&product, &checked.answers, &term, phone),
        form: form::describe(&product, answers, scope, today),
        summary: summary::summary(&product, &checked.answers),
        counts: checked.counts,
        errors: checked.errors,
    })
}

/// The error of an address whose town a gateway needs.
pub(in crate::app) const TOWN_MISSING: &str = "Enter your town or city";

/// Returns whether `scope` checks the policyholder's address. Then a missing address is an error.
fn is_address_checked(
    product: &Product,
    answers: &Answers,
    scope: Scope,
    today: NaiveDate,
) -> bool {
    let mut answers = answers.clone();
    answers.values.remove(policyholder::ADDRESS);
    let errors = form::check(product, &answers, scope, today).errors;
    errors.first(policyholder::ADDRESS).is_some()
}

/// Rates normalised answers.
pub(in crate::app) fn rate(
    product: &Product,
    answers: &Answers,
    today: NaiveDate,
    tracking: &SourceTracking,
) -> Result<Price, AppError> {
    rating::price(product, answers, today, tracking).map_err(AppError::Invalid)
}

/// Maximum length of a campaign parameter or an affiliate's id, in characters.
const LONGEST_WORD: usize = 200;

/// Maximum size of an affiliate list, in bytes of JSON.
const LARGEST_EXTRA: usize = 16 << 10;

/// Adds the errors in the campaign and the affiliate of a request to `errors`. The product limits the
/// entries of the affiliate's list by `counts` (part 3 of the specification).
pub(in crate::app) fn check_origin(
    product: &Product,
    origin: &Origin,
    counts: &IndexMap<String, usize>,
    errors: &mut FieldErrors,
) {
    let tracking = &origin.tracking;
    let words = [
        ("source_tracking.external_uuid", &tracking.external_uuid),
        ("source_tracking.utm_source", &tracking.utm_source),
        ("source_tracking.utm_campaign", &tracking.utm_campaign),
        ("source_tracking.utm_medium", &tracking.utm_medium),
        ("affiliate_uuid", &origin.affiliate_uuid),
        ("affiliate_request_uuid", &origin.affiliate_request_uuid),
    ];
    for (path, word) in words {
        if word
            .as_ref()
            .is_some_and(|word| word.chars().count() > LONGEST_WORD)
        {
            errors.add(path, "This is longer than 200 characters.");
        }
    }
    let Some(extra) = &origin.affiliate_extra else {
        return;
    };
    if extra.to_string().len() > LARGEST_EXTRA {
        errors.add("affiliate_extra", "This is larger than 16 KiB.");
        return;
    }
    let max_entries = product.affiliate_entries(counts);
    match extra.get("requests").and_then(serde_json::Value::as_object) {
        Some(requests) if requests.len() > max_entries => errors.add(
            "affiliate_extra",
            format!("There can be at most {max_entries} entries for these answers."),
        ),
        Some(_) => {}
        None => errors.add("affiliate_extra", "`requests` must be an object."),
    }
}
