//! Builds the events of the letters about a renewal and the charge for it.

use uuid::Uuid;

use crate::app::letters::plan_events::{arrears, format_payments};
use crate::app::letters::{LetterEvent, format_amount};
use crate::app::payments::checkout::attempts::attempts;
use crate::app::policies::PolicyContext;
use crate::app::policies::renewals::{self, REMINDER_DAYS, RenewalPreview};
use crate::app::products::ProductRegistry;
use crate::app::{App, AppError, page_addresses};
use crate::clock::Clock;
use crate::domain::payment::PaymentStatus;
use crate::domain::policy::plan::PaymentPlan;
use crate::domain::policy::renewal::{COMPARE, CardCharge, charge_day};
use crate::domain::quote::{Quote, QuoteStatus};
use crate::domain::time::dates::{add_days, format_long};
use crate::store::Read;
use crate::store::tables;

/// Returns the event of the reminder before an automatic renewal. Returns `None` if the policy does not renew
/// automatically any more, or its card is charged on another day.
pub(super) fn reminder_event(
    app: &App,
    tx: &impl Read,
    context: &PolicyContext,
) -> Result<Option<LetterEvent>, AppError> {
    let today = app.clock.today();
    let Some(renewal) = open_renewal(&app.clock, tx, context)? else {
        return Ok(None);
    };
    let Some(day) = context.charge_day() else {
        return Ok(None);
    };
    let is_due = context.next_year(today) == RenewalPreview::ByItself
        && today < day
        && day <= add_days(today, REMINDER_DAYS);
    let price = renewal.current.price.as_ref().filter(|_| is_due);
    let Some((price, card)) = price.zip(context.policy.instrument) else {
        return Ok(None);
    };
    let first = context.renewal_plan.as_ref().map(PaymentPlan::collected);
    Ok(Some(LetterEvent::RenewalReminder {
        expiry: format_long(context.policy.expiry),
        renewal_start: format_long(add_days(context.policy.expiry, 1)),
        renewal_price: format_amount(price.total),
        first_payment: first.map(format_amount),
        payment_date: format_long(day),
        card: format_card(tx, card)?,
        arrears: arrears(tx, context, &renewal, today)?,
        renewal_page: renewal_page(&app.public_url, &renewal),
    }))
}

/// Returns the last digits of a stored card, if the gateway reports them.
pub(super) fn format_card(tx: &impl Read, card: Uuid) -> Result<Option<String>, AppError> {
    let stored = tables::INSTRUMENTS.get(tx, &card)?;
    let digits = stored.and_then(|stored| stored.card.last_four);
    Ok(digits.map(|digits| format!("card ending in {digits}")))
}

/// Returns the event about a charge of a stored card for the renewal. The charge failed, or its
/// result is unknown. Returns `None` if no letter is needed, for example because the renewal was
/// paid meanwhile.
pub(super) fn card_event(
    clock: &Clock,
    public_url: &str,
    tx: &impl Read,
    context: &PolicyContext,
) -> Result<Option<LetterEvent>, AppError> {
    let has_ended = context.policy.expiry < clock.today();
    let expiry = format_long(context.policy.expiry);
    if context.card_charge == Some(PaymentStatus::Unresolved) {
        return Ok(Some(LetterEvent::CardUnclear {
            expiry,
            is_instalment: false,
            has_ended,
        }));
    }
    let open = open_renewal(clock, tx, context)?;
    if let Some(renewal) = open.filter(|renewal| !is_refused(renewal)) {
        let price = renewal.current.price.as_ref();
        return Ok(Some(LetterEvent::CardRefused {
            expiry,
            price: price.map(|price| format_amount(price.total)),
            next_try: context.next_try().map(format_long),
            arrears: arrears(tx, context, &renewal, clock.today())?,
            renewal_page: renewal_page(public_url, &renewal),
        }));
    }
    // The bank may have decided after the last day on which the renewal could be bought.
    let too_late = context.next_year(clock.today()) == RenewalPreview::Ended;
    Ok(too_late.then_some(LetterEvent::NotRenewed { expiry }))
}

/// Returns the event of the letter about a renewal.
pub(super) fn renewal_event(
    clock: &Clock,
    products: &ProductRegistry,
    public_url: &str,
    context: &PolicyContext,
    renewal: &Quote,
) -> LetterEvent {
    let policy = &context.policy;
    let expiry = format_long(policy.expiry);
    if is_refused(renewal) {
        let reason = renewal.reason.clone().unwrap_or_default();
        return LetterEvent::NotRenewable { expiry, reason };
    }
    let price = renewal.current.price.as_ref().map(|price| price.total);
    let by_itself = context.next_year(clock.today()) == RenewalPreview::ByItself;
    let new_customer =
        price.and_then(|_| renewals::new_customer_price(products, renewal, clock.now()));
    let scheduled = context.scheduled.as_ref();
    let by_card = by_itself && price.is_some();
    let plan = context.renewal_plan.as_ref().filter(|_| by_card);
    LetterEvent::RenewalQuoted {
        renewal_start: format_long(add_days(policy.expiry, 1)),
        current_price: format_amount(context.scheduled_premium()),
        price: price.map(format_amount),
        new_customer_price: new_customer.map(format_amount),
        charge_date: context.charge_day().filter(|_| by_card).map(format_long),
        payments: plan
            .map(|plan| format_payments(plan, false))
            .unwrap_or_default(),
        change_date: scheduled.map(|change| format_long(change.effective)),
        renewal_page: renewal_page(public_url, renewal),
        comparison: COMPARE.to_owned(),
        expiry,
    }
}

pub(super) fn renewal_page(public_url: &str, renewal: &Quote) -> String {
    page_addresses::quote(public_url, renewal.uuid)
}

/// Returns a policy's renewal quote, if there is one. Returns `None` if the quote was bought, was
/// not taken up or has lapsed. Also returns `None` if the first day of the renewed cover is over.
pub(super) fn open_renewal(
    clock: &Clock,
    tx: &impl Read,
    context: &PolicyContext,
) -> Result<Option<Quote>, AppError> {
    let Some(renewal) = context.policy.renewal.quote() else {
        return Ok(None);
    };
    let row = tables::QUOTES.get(tx, &renewal)?;
    let over = add_days(context.policy.expiry, 1) < clock.today();
    Ok(row.filter(|row| {
        let lapsed = row.status_at(clock.now()) == QuoteStatus::Lapsed;
        !row.status.may_be_policy() && !lapsed && !over
    }))
}

/// Returns whether underwriting declined or referred the renewal.
const fn is_refused(renewal: &Quote) -> bool {
    matches!(renewal.status, QuoteStatus::Declined | QuoteStatus::Refer)
}

/// Returns whether an ended policy should have renewed automatically, but no charge of its card was
/// tried.
pub(super) fn is_uncharged(tx: &impl Read, context: &PolicyContext) -> Result<bool, AppError> {
    let renewal = context.renewal.as_ref();
    let is_open = renewal
        .is_none_or(|quote| matches!(quote.status, QuoteStatus::Quote | QuoteStatus::Lapsed));
    if !is_open || !context.renews_by_itself() || context.is_single_trip() {
        return Ok(false);
    }
    let quoted = context.policy.renewal.quoted();
    let Some(quoted) = quoted else {
        return Ok(true);
    };
    // The letter came too late for a charge, and said so.
    let notice = quoted.notice;
    if notice.is_some_and(|own| charge_day(context.policy.expiry, own.on).is_none()) {
        return Ok(false);
    }
    let tried = attempts(tx, quoted.quote)?;
    let is_tried = tried.iter().any(|attempt| attempt.instrument().is_some());
    Ok(quoted.card != CardCharge::Declined && !is_tried)
}
