//! Accepts a quote: the customer agrees to buy the newest revision for its price.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::idempotency::{self, IdempotencyKey};
use crate::app::policies::renewals;
use crate::app::quotes::price::{TOWN_MISSING, monthly_not_offered};
use crate::app::quotes::read::{QuoteView, read_quote};
use crate::app::quotes::revisions::stale;
use crate::app::{App, AppError, Caller, access, payments};
use crate::domain::payment::{Consent, PaymentFrequency};
use crate::domain::policy::plan::PaymentPlan;
use crate::domain::product::Product;
use crate::domain::product::form::{self, Scope};
use crate::domain::product::rating;
use crate::domain::quote::{Acceptance, Quote, QuoteStatus, exclusions, policyholder};
use crate::domain::time::dates;
use crate::store::{WriteTx, tables};

#[derive(Clone, Debug)]
pub struct Agreed {
    /// The revision that the customer saw. If `None`, the store must have recorded that the shop showed the
    /// newest revision to the customer.
    pub seen: Option<u32>,
    pub terms_and_conditions: bool,
    /// Whether the customer pays monthly, and not for the whole year.
    pub is_monthly: bool,
    /// Whether the customer chose automatic renewal.
    pub auto_renew: bool,
    /// Whether each exclusion of the cover matters to the customer, by the exclusion's id. `None` keeps the
    /// earlier answers.
    pub exclusions: Option<BTreeMap<String, bool>>,
}

/// Accepts the newest revision for its price. The caller must name this revision, or must have been shown it.
/// Also returns the plan of a customer who pays monthly.
///
/// # Errors
/// A conflict if the quote can't be bought or paid for online. A conflict if the caller has not seen the
/// newest revision. An `Idempotency-Key` of another request is a conflict too. [`AppError::Invalid`] if a
/// required agreement, such as the terms, is missing, or for an unknown exclusion. [`AppError::Invalid`] if a
/// gateway needs the town of the address. A refusal if the price can't be paid monthly. As [`access::quote_of`].
pub async fn accept_quote(
    app: &App,
    caller: &Caller,
    uuid: Uuid,
    agreed: Agreed,
    key: Option<IdempotencyKey>,
) -> Result<(Acceptance, Option<PaymentPlan>), AppError> {
    let now = app.clock.now();
    // This read checks the caller's access, also for a repeated call.
    let view = read_quote(app, caller, uuid).await?;
    // Without a gateway nobody can pay, so nobody can accept.
    payments::preferred_gateway(app)?;
    // Automatic renewal needs gateways that store cards. Monthly payments use only such gateways.
    let can_store = payments::can_store_cards(app) || agreed.is_monthly;
    let lead_days = view.product.terms().renewal_lead_days;
    let by = caller.logged_in();
    let renewals = (agreed.auto_renew && can_store).then_some(lead_days);
    let consent = match (agreed.is_monthly, renewals) {
        (true, _) if !payments::offers_card_storage(app) => return Err(monthly_not_offered()),
        (true, _) => Some(Consent::for_plan(renewals, by, now)),
        (false, Some(days)) => {
            let is_monthly_offered = view.product.compiled.monthly.is_some();
            Some(Consent::for_renewals(days, is_monthly_offered, by, now))
        }
        (false, None) => None,
    };
    let accepted = idempotency::once(&app.store, key, now, async {
        let (revision, product) = check_acceptance(app, caller, view, &agreed, now).await?;
        let caller = caller.clone();
        Ok(move |tx: &mut WriteTx<'_>| {
            let mut quote = access::quote_of(tx, &caller, uuid, now)?;
            if !quote.is_buyable(now) {
                return Err(not_buyable(&quote, now));
            }
            if quote.current.number != revision {
                return Err(stale());
            }
            let price = quote.current.price.as_ref();
            let price = price.ok_or_else(|| not_buyable(&quote, now))?;
            let plan = match agreed.is_monthly {
                true => {
                    let plan = rating::monthly_plan(&product, price, dates::london_date(now));
                    Some(plan.ok_or_else(monthly_not_offered)?)
                }
                false => None,
            };
            let accepted = Acceptance {
                revision,
                amount: plan.as_ref().map_or(price.total, PaymentPlan::collected),
                at: now,
                frequency: plan
                    .as_ref()
                    .map_or(PaymentFrequency::Annual, PaymentPlan::frequency),
                consent: consent.clone(),
            };
            quote.accepted = Some(accepted.clone());
            for reader in caller.reader_keys() {
                quote.note_shown(&reader);
            }
            if let Some(exclusion_answers) = &agreed.exclusions {
                quote.exclusion_answers.clone_from(exclusion_answers);
            }
            quote.updated = now;
            tables::QUOTES.put(tx, &quote.uuid, &quote)?;
            Ok((accepted, plan))
        })
    })
    .await?;
    Ok(accepted.answer())
}

/// Checks an acceptance. Returns the number of the revision to accept, and its product. For a renewal, the revision may be new
/// and have a lower price.
async fn check_acceptance(
    app: &App,
    caller: &Caller,
    mut view: QuoteView,
    agreed: &Agreed,
    now: DateTime<Utc>,
) -> Result<(u32, Arc<Product>), AppError> {
    let is_newest = match agreed.seen {
        Some(seen) => seen == view.quote.current.number,
        None => view.quote.is_shown_to(&caller.reader_keys()),
    };
    if !is_newest {
        return Err(stale());
    }
    if view.quote.is_renewal() && view.buyable {
        // The call lowers the renewal's price to a new customer's price of today. `match_new_customer` lists
        // the exceptions. ICOBS 6B.1.1R demands this price for home and motor cover and their add-ons.
        // Stand-alone breakdown cover seems to be outside the rule, so we apply the rule by choice.
        let matched = renewals::match_new_customer(app, &view.quote).await?;
        view = read_quote(app, caller, view.quote.uuid).await?;
        // If the numbers differ, another request saved the quote after the first read. The caller has not
        // seen the newest revision.
        if view.quote.current.number != matched {
            return Err(stale());
        }
    }
    if !view.buyable {
        return Err(not_buyable(&view.quote, now));
    }
    let exclusion_answers = agreed.exclusions.iter().flat_map(BTreeMap::keys);
    // The website lists the exclusions of the version on sale. The quote may have an older version.
    let identifier = view.product.identifier();
    let on_sale = app.products.find(identifier, dates::london_date(now)).ok();
    let is_listed = |id: &str| {
        let newest = on_sale.is_some_and(|newest| exclusions::is_known(&newest.product, id));
        newest || exclusions::is_known(&view.product, id)
    };
    let mut unknown = exclusion_answers.filter(|id| !is_listed(id));
    if let Some(id) = unknown.next() {
        return Err(AppError::field(
            &format!("exclusions.{id}"),
            "This is not on the list of what the cover doesn't do. Load the page again.",
        ));
    }
    let revision = view.quote.current;
    let mut answers = Arc::unwrap_or_clone(revision.answers);
    answers.values.insert(
        policyholder::TERMS.to_string(),
        agreed.terms_and_conditions.into(),
    );
    let mut checked = form::check(
        &view.product,
        &answers,
        Scope::Accept,
        dates::london_date(now),
    );
    if payments::is_town_missing(app, &answers) {
        checked.errors.add(policyholder::ADDRESS, TOWN_MISSING);
    }
    if !checked.errors.is_empty() {
        return Err(AppError::Invalid(checked.errors));
    }
    Ok((revision.number, view.product))
}

/// Returns the conflict for a quote that can't be bought, with the reason as a text for the customer.
pub(in crate::app) fn not_buyable(quote: &Quote, now: DateTime<Utc>) -> AppError {
    let (code, message) = match quote.status_at(now) {
        QuoteStatus::Lapsed => (
            "quote_expired",
            "This quote has expired. Save it again to see today's price.",
        ),
        QuoteStatus::Live => ("already_bought", "This quote has already been bought."),
        QuoteStatus::Declined | QuoteStatus::Refer => (
            "not_offered",
            "We can't offer this cover online. Please call us.",
        ),
        QuoteStatus::Draft | QuoteStatus::Partial => (
            "incomplete",
            "This quote isn't complete yet. Please answer the remaining questions.",
        ),
        _ => ("not_buyable", "This quote can no longer be bought."),
    };
    AppError::conflict(code, message)
}
