//! Records the outcome of a payment attempt, for callbacks, for queries of the status and for closed
//! pages. Stores each outcome once, and issues a policy once.

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::Notify;
use uuid::Uuid;

use crate::app::jobs::queue::enqueue;
use crate::app::payments::checkout::attempts::attempts;
use crate::app::payments::refunds::unrefunded::refund_whole_payment;
use crate::app::payments::status::keep_card::{keep_card, lacks_card};
use crate::app::payments::status::reversal::{mark_unresolved, reverse};
use crate::app::payments::status::unread_messages;
use crate::app::payments::{checkout, gateway_of, ledger};
use crate::app::policies::issue::{SaleTerms, issue_policy, missing_quote};
use crate::app::policies::{adjustments, plans, queue_letter, renewals};
use crate::app::quotes::revision_of;
use crate::app::{App, AppError};
use crate::clock::Clock;
use crate::domain::money::Pence;
use crate::domain::money::ledger::Entry;
use crate::domain::payment::{
    self, Payment, PaymentEvent, PaymentStatus, Purpose, UnappliedReason, UnreadMessage,
    UnresolvedReason,
};
use crate::domain::quote::registrations::registrations;
use crate::domain::transition::Transition;
use crate::integrations::payments::{GatewayStatus, PaymentReport};
use crate::metrics;
use crate::store::tables::{PolicyNotification, Task};
use crate::store::{Read, Store, WriteTx, tables};

/// The adjustment that an attempt pays for, and the registrations that the policy covers after the
/// adjustment.
type PaidChange = (Uuid, Vec<String>);

/// Days after a payment on which the shop asks whether the gateway took the payment back. The gateway's
/// message about a reversal may be lost, and Smartpay Fuse sends no such message.
const REVERSAL_QUERIES: [i64; 2] = [1, 3];

/// Records the gateway's report of an attempt, with all effects. A repeated report changes nothing.
///
/// # Errors
/// [`AppError::NotFound`] if the attempt does not exist.
pub(in crate::app) async fn record_outcome(
    app: &App,
    id: Uuid,
    report: PaymentReport,
) -> Result<PaymentStatus, AppError> {
    let now = app.clock.now();
    let event = event_of(&report.status);
    let card = report.card.clone();
    let (current, sale, has_card) = app
        .store
        .read(|tx| {
            let current = tables::PAYMENTS.get(tx, &id)?.ok_or(AppError::NotFound)?;
            let event = event.filter(|_| !current.is_closed());
            let is_sale = event == Some(PaymentEvent::Succeeded) && is_new(&current, event);
            let sale = is_sale.then(|| sale_of(app, tx, &current)).transpose()?;
            let has_card = card.is_some() && lacks_card(tx, &current, card.as_deref())?;
            Ok::<_, AppError>((current, sale, has_card))
        })
        .await?;
    // If the money went back at the gateway, the payment buys nothing.
    let event = event.filter(|_| !current.is_closed());
    if !is_new(&current, event) && !has_card && apply_report(&current, &report, now).is_none() {
        return Ok(current.status);
    }
    if let GatewayStatus::Paid { amount, currency } = report.status
        && (amount, currency) != (current.amount, Some(current.currency))
    {
        tracing::error!(payment = %id, "the gateway's amount differs from the accepted one");
    }
    let failed = match &report.status {
        GatewayStatus::Failed { failure, .. } => Some(failure.class),
        _ => None,
    };
    let gateway = gateway_of(&app.gateways, &current);
    let may_reverse = gateway.is_some_and(|gateway| gateway.capabilities().may_reverse);
    let limits = app.config.limits;
    let keeps_cards = gateway.is_some_and(|gateway| gateway.capabilities().stores_cards);
    let (payment, moved) = app
        .store
        .write(move |tx| {
            let current = tables::PAYMENTS.get(tx, &id)?.ok_or(AppError::NotFound)?;
            let mut payment =
                apply_report(&current, &report, now).unwrap_or_else(|| current.clone());
            let event = event.filter(|_| !current.is_closed());
            let applied = event.map(|event| payment::apply(payment.status, event));
            if let Some(Transition::Applied(status)) = applied {
                payment.status = status;
                apply_outcome(tx, &mut payment, &report, sale.as_ref(), now)?;
                if may_reverse && status == PaymentStatus::Paid {
                    for days in REVERSAL_QUERIES {
                        let due = now + TimeDelta::days(days);
                        enqueue(tx, Task::AskGateway { payment: id }, due, id)?;
                    }
                }
            }
            // A declined card counts at once. The page may stay open for another day.
            if let Some(class) = failed
                && payment.failure != current.failure
            {
                checkout::count_failed(tx, &limits, id, class, now)?;
            }
            if payment != current {
                payment.updated = now;
                tables::PAYMENTS.put(tx, &payment.id, &payment)?;
            }
            if keeps_cards {
                keep_card(tx, &payment, report.card.as_deref(), now)?;
            }
            let moved = payment.status != current.status;
            Ok::<_, AppError>((payment, moved))
        })
        .await?;
    if payment.unread_messages.len() > current.unread_messages.len() {
        tracing::error!(payment = %id, "{}", unread_messages::PAID_TWICE);
    }
    if moved {
        count_transition(&app.work_added, &payment);
    }
    Ok(payment.status)
}

/// Marks an open attempt as unresolved, which ends automatic polling. A person must find out the
/// outcome. Before that, nobody may tell the customer that no charge was made. Later reports of the
/// gateway still apply.
pub(in crate::app) async fn stop_polling(
    store: &Store,
    clock: &Clock,
    work_added: &Notify,
    id: Uuid,
) -> Result<PaymentStatus, AppError> {
    let now = clock.now();
    let (payment, moved) = store
        .write(move |tx| {
            let mut payment = tables::PAYMENTS.get(tx, &id)?.ok_or(AppError::NotFound)?;
            let reason = match payment.status {
                PaymentStatus::Processing => UnresolvedReason::UnderReview,
                _ => UnresolvedReason::NoAnswer,
            };
            let applied = payment::apply(payment.status, PaymentEvent::GivenUp);
            let Transition::Applied(status) = applied else {
                return Ok((payment, false));
            };
            payment.status = status;
            mark_unresolved(&mut payment, reason);
            payment.updated = now;
            tables::PAYMENTS.put(tx, &payment.id, &payment)?;
            if payment.instrument().is_some() {
                match payment.purpose {
                    Purpose::Instalments(_) => {
                        let news = PolicyNotification::InstalmentUnclear;
                        queue_letter(tx, payment.quote, news, now)?;
                    }
                    _ => queue_card_letter(tx, payment.quote, renewals::queue_unclear_letter, now)?,
                }
            }
            Ok::<_, AppError>((payment, true))
        })
        .await?;
    if moved {
        tracing::warn!(payment = %id, "the gateway has not reported this payment's outcome: please check at the gateway");
        count_transition(work_added, &payment);
    }
    Ok(payment.status)
}

fn count_transition(work_added: &Notify, payment: &Payment) {
    let (id, status) = (payment.id, payment.status);
    tracing::info!(payment = %id, ?status, "a payment has a new status");
    metrics::paid(match status {
        PaymentStatus::Paid if payment.is_applied() => "paid",
        PaymentStatus::Paid => "given back",
        PaymentStatus::Reversed => "reversed",
        PaymentStatus::Failed => "failed",
        PaymentStatus::Unresolved => "unresolved",
        PaymentStatus::Started | PaymentStatus::Pending | PaymentStatus::Processing => "open",
    });
    work_added.notify_one();
}

/// Returns the terms of the policy that an attempt buys. Also returns the adjustment that the attempt
/// pays for, if any.
fn sale_of(
    app: &App,
    tx: &impl Read,
    attempt: &Payment,
) -> Result<(SaleTerms, Option<PaidChange>), AppError> {
    let quote = tables::QUOTES.get(tx, &attempt.quote)?;
    let quote = quote.ok_or_else(missing_quote)?;
    let revision = revision_of(tx, &quote, attempt.revision)?;
    let product = app.products.by_hash(tx, &revision.product_hash)?;
    let terms = SaleTerms {
        cover_delay_hours: product.terms().cover_delay_hours,
        renewal_lead_days: product.terms().renewal_lead_days,
        registrations: registrations(&product, &revision.answers),
    };
    let change = match attempt.purpose.change() {
        Some(id) => {
            let change = tables::ADJUSTMENTS.get(tx, &id)?;
            let change = change.ok_or(AppError::NotFound)?;
            Some((id, adjustments::registrations_after(app, tx, &change)?))
        }
        None => None,
    };
    Ok((terms, change))
}

/// Returns whether an event still applies to an attempt.
fn is_new(attempt: &Payment, event: Option<PaymentEvent>) -> bool {
    let applied = event.map(|event| payment::apply(attempt.status, event));
    matches!(applied, Some(Transition::Applied(_)))
}

/// Returns the attempt with the report's references. If the attempt is open, also adds the report's failure.
/// Adds a second payment to the unread messages, and keeps the references of the first payment. If the first
/// payment was in another currency and the second buys, adds the first instead. Remembers that a failed
/// attempt was reversed. Returns `None` if the attempt has this data already. Leaves the status unchanged.
fn apply_report(current: &Payment, report: &PaymentReport, now: DateTime<Utc>) -> Option<Payment> {
    let mut payment = current.clone();
    let is_paid = matches!(report.status, GatewayStatus::Paid { .. });
    let unresolved = current.unresolved.as_ref();
    let is_foreign = unresolved.is_some_and(|own| own.reason == UnresolvedReason::OtherCurrency);
    let buys = !current.is_closed() && event_of(&report.status) == Some(PaymentEvent::Succeeded);
    // A second payment may have several references. A person needs the last reference to refund the
    // second payment.
    let mut other = None;
    for (name, reference) in &report.references {
        let stored = payment.references.entry(name.clone());
        let stored = stored.or_insert_with(|| reference.clone());
        if stored == reference {
            continue;
        }
        if current.paid_at.is_none() && (buys || !is_foreign) {
            let replaced = std::mem::replace(stored, reference.clone());
            other = is_foreign.then_some(replaced);
        } else if is_paid {
            other = Some(reference.clone());
        }
    }
    for reference in report.more_payments.iter().chain(&other) {
        let kind = UnreadMessage::SECOND_PAYMENT;
        unread_messages::add(&mut payment, reference, kind, now);
    }
    if let GatewayStatus::Failed { failure, .. } = &report.status
        && current.status.is_open()
    {
        payment.failure = Some(*failure);
        payment.decline.clone_from(&report.decline);
    }
    // A late report of success then buys nothing.
    if report.status == GatewayStatus::Reversed && current.status == PaymentStatus::Failed {
        payment.reversed.get_or_insert(Pence::ZERO);
    }
    (payment != *current).then_some(payment)
}

/// Applies all effects of an attempt's new status.
fn apply_outcome(
    tx: &mut WriteTx<'_>,
    payment: &mut Payment,
    report: &PaymentReport,
    sale: Option<&(SaleTerms, Option<PaidChange>)>,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    match &report.status {
        GatewayStatus::Failed { failure, message } => {
            payment.failure = Some(*failure);
            payment.message = Some(message.clone());
            if payment.instrument().is_some() {
                apply_failed_charge(tx, payment, now)?;
            }
        }
        GatewayStatus::Paid {
            amount,
            currency: Some(currency),
        } => {
            let (terms, change) =
                sale.ok_or_else(|| AppError::Internal("a payment without its sale".into()))?;
            payment.message = None;
            (payment.failure, payment.decline) = (None, None);
            let paid_at = report.paid_at.unwrap_or(now);
            payment.paid_at = Some(paid_at.min(now).max(payment.created));
            let right = (*amount, *currency) == (payment.amount, payment.currency);
            let id = payment.id;
            payment.unapplied = match change {
                _ if !right => Some(UnappliedReason::NotNeeded),
                None if let Purpose::Instalments(numbers) = payment.purpose => {
                    let is_needed = plans::collect_payment(tx, payment, numbers, now)?;
                    (!is_needed).then_some(UnappliedReason::NotNeeded)
                }
                Some((change, registrations)) => {
                    let is_agreed = adjustments::agree_paid(tx, *change, id, registrations, now)?;
                    (!is_agreed).then_some(UnappliedReason::NotNeeded)
                }
                None => issue_policy(tx, payment, terms, now)?,
            };
            let taken = Entry::payment(now, &payment.provider, id, *amount);
            ledger::post(tx, payment.quote, &taken)?;
            match payment.unapplied {
                Some(reason) => {
                    plans::drop_charge(tx, payment)?;
                    refund_unapplied(tx, payment, *amount, reason, now)?;
                }
                None => close_other_pages(tx, payment, now)?,
            }
        }
        // An amount in another currency can't be counted in pence. A person must refund it.
        GatewayStatus::Paid { currency: None, .. } => {
            payment.failure = None;
            mark_unresolved(payment, UnresolvedReason::OtherCurrency);
        }
        GatewayStatus::Reversed => {
            reverse(tx, payment, now)?;
            let has_failed = payment.status == PaymentStatus::Failed;
            if has_failed && payment.instrument().is_some() {
                apply_failed_charge(tx, payment, now)?;
            }
        }
        GatewayStatus::Open | GatewayStatus::Processing | GatewayStatus::NotFound => {}
    }
    Ok(())
}

/// Applies a failed charge of a stored card to the plan or to the renewal.
fn apply_failed_charge(
    tx: &mut WriteTx<'_>,
    payment: &Payment,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    if let Purpose::Instalments(_) = payment.purpose {
        return plans::fail_payment(tx, payment, now);
    }
    let unpaid =
        |tx: &mut WriteTx<'_>, policy, _, now| renewals::retry_or_refuse(tx, policy, payment, now);
    queue_card_letter(tx, payment.quote, unpaid, now)
}

/// Queues a letter about the stored card for a renewal. The recipient holds the policy that
/// `renewal` renews. Does nothing if `renewal` renews no policy.
pub(in crate::app::payments) fn queue_card_letter(
    tx: &mut WriteTx<'_>,
    renewal: Uuid,
    queue: impl Fn(&mut WriteTx<'_>, Uuid, Uuid, DateTime<Utc>) -> Result<(), AppError>,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    match tables::QUOTES
        .get(tx, &renewal)?
        .and_then(|quote| quote.renews)
    {
        Some(policy) => queue(tx, policy, renewal, now),
        None => Ok(()),
    }
}

/// Queues the closure of the open pages for the same quote or change, so that nobody pays twice.
fn close_other_pages(
    tx: &mut WriteTx<'_>,
    payment: &Payment,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    for other in attempts(tx, payment.quote)? {
        let is_same = other.purpose.competes_with(payment.purpose) && other.id != payment.id;
        if is_same && other.status.is_open() {
            enqueue(tx, Task::AskGateway { payment: other.id }, now, other.id)?;
        }
    }
    Ok(())
}

/// Refunds all of a payment that bought nothing. The customer need not ask.
fn refund_unapplied(
    tx: &mut WriteTx<'_>,
    payment: &mut Payment,
    taken: Pence,
    reason: UnappliedReason,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let why = match reason {
        UnappliedReason::NotNeeded => "This payment was not needed: it bought nothing.",
        UnappliedReason::TooLate => {
            "This payment reached us too late to start the cover: it bought nothing."
        }
    };
    payment.message = Some(why.to_string());
    refund_whole_payment(tx, payment, taken, now)
}

/// Returns the event of a gateway's status. Returns `None` for an open or unknown attempt, and for a
/// failure that is not final.
fn event_of(gateway_status: &GatewayStatus) -> Option<PaymentEvent> {
    match gateway_status {
        GatewayStatus::Open | GatewayStatus::NotFound => None,
        GatewayStatus::Processing => Some(PaymentEvent::Processing),
        GatewayStatus::Paid { currency: None, .. } => Some(PaymentEvent::Uncountable),
        GatewayStatus::Paid { .. } => Some(PaymentEvent::Succeeded),
        GatewayStatus::Failed { failure, .. } => failure.is_final.then_some(PaymentEvent::Failed),
        GatewayStatus::Reversed => Some(PaymentEvent::Reversed),
    }
}
