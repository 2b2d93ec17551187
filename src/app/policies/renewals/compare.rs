//! Compares a renewal with the policy that it follows. The result has the prices of the current
//! cover, of the next year, and for a new customer. The result explains why the prices differ.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::app::policies::plans::PlanOffer;
use crate::app::policies::renewals::RenewalPreview;
use crate::app::policies::renewals::underwrite::answers_for_term_from;
use crate::app::policies::{self, PolicyContext};
use crate::app::products::ProductRegistry;
use crate::app::quotes::price;
use crate::app::{App, AppError, Caller, access};
use crate::clock::Clock;
use crate::domain::money::Pence;
use crate::domain::policy::plan::PaymentPlan;
use crate::domain::policy::renewal::COMPARE;
use crate::domain::product::Product;
use crate::domain::quote::campaign::SourceTracking;
use crate::domain::quote::{Quote, QuoteStatus, StatusId};
use crate::domain::time::dates;
use crate::json_schema::ResponseSchema;
use crate::store::Read;

/// A renewal quote beside the policy that the quote renews.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
#[serde(rename = "RenewalComparison")]
pub struct RenewalComparison {
    /// The renewal quote.
    #[serde(skip)]
    pub quote: Uuid,
    /// The quote's status now.
    #[serde(skip)]
    pub status: QuoteStatus,
    /// Last day on which the quote can be bought. `None` if the quote can't be bought.
    #[serde(skip)]
    pub holds_until: Option<NaiveDate>,
    /// The policy that the quote renews.
    pub policy_uuid: Uuid,
    /// The reference of the renewal quote.
    pub reference: String,
    /// The current cover's price for a whole term, in pounds, with tax and without charges. The price
    /// includes every change, also a change that is agreed for a later day (ICOBS 6.5.1).
    pub price_last_year: Pence,
    /// The renewal's price, in pounds. Null while the renewal has no price.
    pub price: Option<Pence>,
    /// The price today for a new customer with the same answers, in pounds. Null if there is none.
    pub price_new_customer: Option<Pence>,
    /// The reasons for the difference between the current cover's price and the next year's. Their amounts
    /// add up to the difference. Empty while the renewal has no price.
    pub differences: Vec<Difference>,
    /// First day of the renewed cover.
    pub starts: NaiveDate,
    /// Last day of the current cover.
    pub last_day: NaiveDate,
    /// Whether the policy renews automatically. False with a scheduled cancellation.
    pub auto_renew: bool,
    /// The day on which the stored card is charged. Null if no charge is planned.
    pub charge_on: Option<NaiveDate>,
    /// What happens after the policy's last day.
    pub next_year: RenewalPreview,
    /// First day of a change that is agreed for a later day. Both prices include the change. Null if no
    /// change is agreed.
    pub change_from: Option<NaiveDate>,
    /// A text that must be shown with every renewal.
    pub compare_text: &'static str,
}

/// A policy's renewal quote in short.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct RenewalInfo {
    quote_uuid: Uuid,
    reference: String,
    status_id: StatusId,
    /// The renewal's price, in pounds. Null while the renewal has no price.
    price: Option<Pence>,
    /// The current cover's price for a whole term, in pounds, with tax and without charges.
    price_last_year: Pence,
    /// The price today for a new customer with the same answers, in pounds. Null if there is none.
    price_new_customer: Option<Pence>,
    starts: NaiveDate,
    /// Last day on which the renewal can be bought. Null if it can't be bought.
    holds_until: Option<NaiveDate>,
    /// The day on which the stored card is charged. Null if no charge is planned.
    charge_on: Option<NaiveDate>,
    /// The plan of the next term if the stored card is charged monthly. Null otherwise.
    plan: Option<PlanOffer>,
}

impl RenewalInfo {
    /// `plan` is the plan of the renewal by card.
    pub(in crate::app) fn new(renewal: &RenewalComparison, plan: Option<&PaymentPlan>) -> Self {
        Self {
            quote_uuid: renewal.quote,
            reference: renewal.reference.clone(),
            status_id: StatusId(renewal.status),
            price: renewal.price,
            price_last_year: renewal.price_last_year,
            price_new_customer: renewal.price_new_customer,
            starts: renewal.starts,
            holds_until: renewal.holds_until,
            charge_on: renewal.charge_on,
            plan: plan
                .filter(|_| renewal.charge_on.is_some())
                .map(PlanOffer::from),
        }
    }
}

/// A reason why the renewal's price differs from the current cover's price.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ResponseSchema)]
#[serde(rename = "DifferenceInfo")]
pub struct Difference {
    /// The reason, in the customer's words.
    pub label: &'static str,
    /// The difference in pounds. It is negative if the reason lowers the price.
    pub amount: Pence,
}

/// Returns what a new customer would pay today for a quote's answers, in pence, without a campaign.
/// Returns `None` if the product is not on sale or the answers can't be rated.
pub(in crate::app) fn new_customer_price(
    products: &ProductRegistry,
    quote: &Quote,
    now: DateTime<Utc>,
) -> Option<Pence> {
    let today = dates::london_date(now);
    let product = &products.find(&quote.product, today).ok()?.product;
    let none = SourceTracking::default();
    let rated = price::rate(product, &quote.current.answers, today, &none);
    rated.ok().map(|price| price.total)
}

/// Compares a renewal quote with the policy that it follows.
///
/// # Errors
/// As [`access::quote_of`]. [`AppError::NotFound`] for a quote that renews no policy.
pub async fn compare_renewal(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
) -> Result<RenewalComparison, AppError> {
    let now = app.clock.now();
    app.store
        .read(|tx| {
            let quote = access::quote_of(tx, caller, uuid, now)?;
            let policy = quote.renews.ok_or(AppError::NotFound)?;
            comparison(
                &app.clock,
                &app.products,
                tx,
                &policies::policy_unchecked(app, tx, policy)?,
                quote,
            )
        })
        .await
}

/// Returns the renewal of a policy, or `None` if the renewal is not quoted yet.
pub(in crate::app) fn renewal_of(
    clock: &Clock,
    products: &ProductRegistry,
    tx: &impl Read,
    context: &PolicyContext,
) -> Result<Option<RenewalComparison>, AppError> {
    let quote = context.renewal.clone();
    quote
        .map(|quote| comparison(clock, products, tx, context, quote))
        .transpose()
}

pub(in crate::app) fn comparison(
    clock: &Clock,
    products: &ProductRegistry,
    tx: &impl Read,
    context: &PolicyContext,
    quote: Quote,
) -> Result<RenewalComparison, AppError> {
    let now = clock.now();
    let starts = dates::add_days(context.policy.expiry, 1);
    let price = quote.current.price.as_ref().map(|price| price.total);
    let status = quote.status_at(now);
    let open = status == QuoteStatus::Quote;
    let by_itself = context.renews_by_itself() && context.policy.scheduled_end.is_none();
    let next_year = context.next_year(dates::london_date(now));
    let by_card = next_year == RenewalPreview::ByItself && price.is_some();
    let charge = by_itself && open && by_card;
    Ok(RenewalComparison {
        quote: quote.uuid,
        status,
        holds_until: open.then_some(starts),
        policy_uuid: context.policy.uuid,
        reference: quote.reference.clone(),
        price_last_year: context.scheduled_premium(),
        price,
        price_new_customer: new_customer_price(products, &quote, now),
        differences: price.map_or_else(Vec::new, |price| {
            price_steps(clock, products, tx, context, &quote, starts, price)
        }),
        starts,
        last_day: context.policy.expiry,
        auto_renew: by_itself,
        charge_on: context.charge_day().filter(|_| charge),
        next_year,
        change_from: context.scheduled.as_ref().map(|change| change.effective),
        compare_text: COMPARE,
    })
}

/// Returns the steps from the current cover's price to the next year's price. The first step rates
/// the same cover a year later by the old product file. The second step uses the new product file.
/// The third step uses the renewal's answers. Omits a step of zero pence.
fn price_steps(
    clock: &Clock,
    products: &ProductRegistry,
    tx: &impl Read,
    context: &PolicyContext,
    quote: &Quote,
    starts: NaiveDate,
    price: Pence,
) -> Vec<Difference> {
    let today = clock.today();
    let none = SourceTracking::default();
    let rate = |product: &Product| {
        let answers = answers_for_term_from(product, context.scheduled_answers(), starts);
        let rated = price::rate(product, &answers, today, &none);
        rated.map(|price| price.total).ok()
    };
    let newest = products.by_hash(tx, &quote.current.product_hash).ok();
    let older = rate(&context.product).unwrap_or(context.scheduled_premium());
    let listed = newest.and_then(|newest| rate(&newest)).unwrap_or(older);
    let steps = [
        (
            "What you cover is a year older, and any offer has ended",
            older - context.scheduled_premium(),
        ),
        ("Our prices have changed", listed - older),
        ("Your answers have changed", price - listed),
    ];
    let steps = steps
        .into_iter()
        .filter(|(_, amount)| *amount != Pence::ZERO);
    steps
        .map(|(label, amount)| Difference { label, amount })
        .collect()
}
