//! Refunds at the gateway: the job that requests a refund, and the gateway's own reports.

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::Notify;
use uuid::Uuid;

use crate::app::AppError;
use crate::app::payments::refunds::manual_refund::count_losses;
use crate::app::payments::{self, Gateways, balance_of, ledger};
use crate::app::policies::queue_letter;
use crate::clock::Clock;
use crate::domain::money::ledger::Entry;
use crate::domain::payment::refund::{
    self, CAME_BACK, REFUSED, Refund, RefundCalls, RefundEvent, RefundStatus, UNCONFIRMED,
};
use crate::domain::payment::{Payment, PaymentSource};
use crate::domain::transition::Transition;
use crate::integrations::payments::{GatewayRefundStatus, RefundReport, RefundRequest};
use crate::store::tables::{self, PAYMENTS, PolicyNotification, REFUNDS};
use crate::store::{Store, WriteTx};

/// How long a gateway that repeats calls may lack a refund that was requested.
const ANSWER_TIME: TimeDelta = TimeDelta::days(1);

/// Requests a refund from the gateway and stores the refund's outcome. Returns false if the refund
/// is still pending and the job must run again. Requests no refund that was closed in another way.
pub(in crate::app) async fn refund(
    store: &Store,
    clock: &Clock,
    gateways: &Gateways,
    id: Uuid,
) -> Result<bool, AppError> {
    let (refund, payment, balance) = store
        .read(|tx| {
            let refund = REFUNDS.get(tx, &id)?.ok_or(AppError::NotFound)?;
            let payment = PAYMENTS.get(tx, &refund.payment)?;
            let balance = balance_of(tx, refund.payment)?;
            Ok::<_, AppError>((refund, payment.ok_or(AppError::NotFound)?, balance))
        })
        .await?;
    let is_closed = refund.may_be_duplicate();
    if !refund.is_under_way() && !is_closed {
        return Ok(true);
    }
    // The customer's bank holds the money until it decides the dispute.
    if balance.is_disputed {
        return Ok(false);
    }
    if payment.by == PaymentSource::Transfer {
        // No gateway can make it. A person makes it by bank transfer.
        let now = clock.now();
        let write = move |tx: &mut WriteTx<'_>| {
            record_refund_outcome(tx, id, RefundEvent::Refused, None, now)
        };
        return store.write(write).await.map(|_| true);
    }
    let Some(gateway) = payments::gateway_of(gateways, &payment) else {
        return Ok(false);
    };
    let order = RefundRequest {
        payment: &payment,
        refund: id,
        amount: refund.amount,
        requested: refund.requested,
        reference: refund.reference.as_deref(),
    };
    // The refund may exist at the gateway: the process may have stopped, or a response was lost.
    let report = match gateway.find_refund(order).await? {
        Some(found) => found,
        // The refund is closed: the shop only learns whether an earlier call has made it too.
        None if is_closed => {
            let last = refund
                .requested
                .map_or(DateTime::UNIX_EPOCH, |calls| calls.last);
            return Ok(clock.now() - last >= ANSWER_TIME);
        }
        // The gateway does not know of refunds by bank transfer, so the shop checks the balance.
        None if balance.room() < refund.amount => GatewayRefundStatus::Refused {
            message: format!("only {} of the payment is left", balance.room()),
        }
        .into(),
        None if balance.has_unexplained_refund => GatewayRefundStatus::Refused {
            message: "the payment was refunded after the backup, perhaps for the same cause"
                .to_string(),
        }
        .into(),
        None => {
            let Some(calls) = record_call(store, &refund, clock.now()).await? else {
                return Ok(false);
            };
            match gateway.refund(order).await {
                Err(error) if error.is_certain() => {
                    forget_call(store, &refund, calls).await?;
                    return Err(error.into());
                }
                answer => answer?,
            }
        }
    };
    let status_at_gateway = report.status;
    let event = match &status_at_gateway {
        GatewayRefundStatus::Pending => {
            record_reference(store, id, report.reference).await?;
            return Ok(false);
        }
        GatewayRefundStatus::Disputed
            if !balance.has_lost && refund.may_be_disputed(clock.now()) =>
        {
            return Ok(false);
        }
        GatewayRefundStatus::Done => RefundEvent::Done,
        GatewayRefundStatus::Disputed | GatewayRefundStatus::Refused { .. } => RefundEvent::Refused,
        GatewayRefundStatus::Unconfirmed => RefundEvent::Unconfirmed,
    };
    let (now, reference) = (clock.now(), report.reference);
    let news = store
        .write(move |tx| record_refund_outcome(tx, id, event, reference.as_deref(), now))
        .await?;
    let why = match status_at_gateway {
        GatewayRefundStatus::Refused { message } => Some(message),
        GatewayRefundStatus::Disputed => Some("its payment was disputed".to_string()),
        GatewayRefundStatus::Unconfirmed => Some("the gateway did not confirm it".to_string()),
        GatewayRefundStatus::Done | GatewayRefundStatus::Pending => None,
    };
    match why {
        Some(message) if news => {
            tracing::error!(
                refund = %id, payment = %payment.id, amount = %refund.amount, message,
                "a refund needs a person"
            );
        }
        _ => tracing::info!(refund = %id, ?event, "a refund has its final status"),
    }
    Ok(true)
}

/// Stores the time of a refund request, before the call to the gateway. Returns `None` if the refund has
/// changed since `read`: another process may have called the gateway, or a person may have closed the
/// refund.
async fn record_call(
    store: &Store,
    read: &Refund,
    now: DateTime<Utc>,
) -> Result<Option<RefundCalls>, AppError> {
    let (id, before) = (read.id, read.requested);
    store
        .write(move |tx| {
            let mut refund = REFUNDS.get(tx, &id)?.ok_or(AppError::NotFound)?;
            if !refund.is_under_way() || refund.requested != before {
                return Ok(None);
            }
            let first = before.map_or(now, |calls| calls.first);
            let calls = RefundCalls { first, last: now };
            refund.requested = Some(calls);
            REFUNDS.put(tx, &id, &refund)?;
            Ok::<_, AppError>(Some(calls))
        })
        .await
}

/// Removes the stored time of a call after which the gateway certainly made no refund.
async fn forget_call(store: &Store, read: &Refund, calls: RefundCalls) -> Result<(), AppError> {
    let (id, before) = (read.id, read.requested);
    store
        .write(move |tx| {
            let mut refund = REFUNDS.get(tx, &id)?.ok_or(AppError::NotFound)?;
            if refund.requested == Some(calls) {
                refund.requested = before;
                REFUNDS.put(tx, &id, &refund)?;
            }
            Ok::<_, AppError>(())
        })
        .await
}

async fn record_reference(
    store: &Store,
    id: Uuid,
    reference: Option<String>,
) -> Result<(), AppError> {
    match reference {
        Some(reference) => {
            store
                .write(move |tx| set_reference(tx, id, &reference))
                .await
        }
        None => Ok(()),
    }
}

/// Stores the gateway's reference of a refund that is under way, so that the next query finds the
/// refund.
pub(in crate::app) fn set_reference(
    tx: &mut WriteTx<'_>,
    id: Uuid,
    reference: &str,
) -> Result<(), AppError> {
    let mut refund = REFUNDS.get(tx, &id)?.ok_or(AppError::NotFound)?;
    if refund.reference.as_deref() == Some(reference) {
        return Ok(());
    }
    refund.reference = Some(reference.to_string());
    Ok(REFUNDS.put(tx, &id, &refund)?)
}

/// Applies a gateway's own report about a refund of `payment`. Stores a refused refund as failed,
/// which is final: a success reported later changes nothing.
///
/// # Errors
/// [`AppError::NotFound`] if `payment` has no such refund.
pub(in crate::app) async fn apply_refund_report(
    store: &Store,
    clock: &Clock,
    work_added: &Notify,
    refund: Uuid,
    payment: &Payment,
    report: RefundReport,
) -> Result<(), AppError> {
    let stored = store.read(|tx| REFUNDS.get(tx, &refund)).await?;
    let stored = stored.filter(|stored| stored.payment == payment.id);
    let stored = stored.ok_or(AppError::NotFound)?;
    match report.status {
        GatewayRefundStatus::Pending
        | GatewayRefundStatus::Disputed
        | GatewayRefundStatus::Unconfirmed => Ok(()),
        GatewayRefundStatus::Refused { message } => {
            tracing::warn!(%refund, message, "the gateway reports that a refund was not made");
            mark_refund_failed(store, clock, work_added, refund)
                .await
                .map(|_| ())
        }
        GatewayRefundStatus::Done => {
            let (now, event) = (clock.now(), RefundEvent::Done);
            let reference = report.reference;
            let record = move |tx: &mut WriteTx<'_>| {
                record_refund_outcome(tx, refund, event, reference.as_deref(), now)
            };
            let is_news = store.write(record).await?;
            if is_news && stored.manual.is_some() {
                tracing::error!(
                    %refund, amount = %stored.amount,
                    "the gateway made a refund that was paid in another way before"
                );
            }
            Ok(())
        }
    }
}

/// Records that a refund failed. The customer's bank may return a refund up to a month after the
/// gateway made the refund. We owe the amount again. Returns whether the report was new.
///
/// # Errors
/// [`AppError::NotFound`] if there is no such refund.
pub async fn mark_refund_failed(
    store: &Store,
    clock: &Clock,
    work_added: &Notify,
    refund: Uuid,
) -> Result<bool, AppError> {
    let now = clock.now();
    let event = RefundEvent::Failed;
    let is_news = store
        .write(move |tx| record_refund_outcome(tx, refund, event, None, now))
        .await?;
    if is_news {
        tracing::error!(
            %refund,
            "a refund came back from the customer's bank: it has to be paid another way"
        );
        work_added.notify_one();
    }
    Ok(is_news)
}

/// Stores the outcome of a refund, and posts the ledger entry. Queues a letter if the refund is owed
/// now, or was made after the customer had a letter about it. Returns false if `event` does not change
/// the refund's status.
pub(super) fn record_refund_outcome(
    tx: &mut WriteTx<'_>,
    id: Uuid,
    event: RefundEvent,
    reference: Option<&str>,
    now: DateTime<Utc>,
) -> Result<bool, AppError> {
    let mut refund = REFUNDS.get(tx, &id)?.ok_or(AppError::NotFound)?;
    let (before, was_known) = (refund.status, refund.needs_a_person());
    let Transition::Applied(status) = refund::apply(before, event) else {
        return Ok(false);
    };
    let payment = PAYMENTS.get(tx, &refund.payment)?;
    let payment = payment.ok_or(AppError::NotFound)?;
    refund.status = status;
    refund.updated = now;
    refund.message = match event {
        RefundEvent::Done | RefundEvent::NotMade => None,
        _ if refund.manual.is_some() => None,
        RefundEvent::Failed if before == RefundStatus::Paid => Some(CAME_BACK.to_string()),
        RefundEvent::Refused | RefundEvent::Failed => Some(REFUSED.to_string()),
        RefundEvent::Unconfirmed => Some(UNCONFIRMED.to_string()),
    };
    if let Some(reference) = reference {
        refund.reference = Some(reference.to_string());
    }
    tables::REFUNDS.put(tx, &refund.id, &refund)?;
    if let Some(entry) = ledger_entry(&refund, before, &payment.provider, now) {
        ledger::post(tx, refund.policy, &entry)?;
    }
    // If a bank or the gateway took the payment permanently, the customer already has this money.
    count_losses(tx, refund.policy, refund.payment, now)?;
    let refund = REFUNDS.get(tx, &id)?.ok_or(AppError::NotFound)?;
    if refund.needs_a_person() && !was_known {
        let news = PolicyNotification::RefundOwed { refund: id };
        queue_letter(tx, refund.policy, news, now)?;
    }
    let was_reported = was_known || refund.lookup.is_some();
    if event == RefundEvent::Done && was_reported && refund.manual.is_none() {
        let news = PolicyNotification::RefundPaid { refund: id };
        queue_letter(tx, refund.policy, news, now)?;
    }
    Ok(true)
}

/// Returns the ledger entry of a refund that had the status `before`. Returns `None` if the change
/// of the status moved no money.
pub(super) fn ledger_entry(
    refund: &Refund,
    before: RefundStatus,
    provider: &str,
    now: DateTime<Utc>,
) -> Option<Entry> {
    let (id, amount) = (refund.id, refund.amount);
    match (before, refund.status, refund.is_from_gateway) {
        (_, RefundStatus::Paid, false) => Some(Entry::refund(now, provider, id, amount)),
        (_, RefundStatus::Paid, true) => Some(Entry::refund_by_hand(now, provider, id, amount)),
        (RefundStatus::Paid, _, false) => Some(Entry::refund_failed(now, provider, id, amount)),
        (RefundStatus::Paid, _, true) => Some(Entry::refund_by_hand(now, provider, id, -amount)),
        _ => None,
    }
}
