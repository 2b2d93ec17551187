//! Refunds that the gateway reports and the shop did not request: made by hand at the gateway, or requested by a shop
//! whose store was lost.

use chrono::{DateTime, Utc};

use crate::app::AppError;
use crate::app::payments::ledger;
use crate::app::payments::refunds::refund_job::{ledger_entry, record_refund_outcome};
use crate::app::payments::status::close_unresolved::close_unresolved;
use crate::clock::Clock;
use crate::domain::money::Pence;
use crate::domain::payment::refund::{Refund, RefundEvent, RefundStatus, SHOP};
use crate::domain::payment::{Payment, PaymentResolution, PaymentStatus, PaymentWay};
use crate::integrations::payments::{GatewayRefundStatus, RefundByHand};
use crate::store::tables::{PAYMENTS, REFUNDS};
use crate::store::{Store, WriteTx};

/// Records a refund of `payment` that somebody made at the gateway by hand. The shop did not owe
/// the refund, so the amount is a loss. The amount reduces what can still be refunded.
///
/// # Errors
/// When the store fails.
pub(in crate::app) async fn record_gateway_refund(
    store: &Store,
    clock: &Clock,
    payment: &Payment,
    gateway_refund: RefundByHand,
) -> Result<(), AppError> {
    let (now, payment) = (clock.now(), payment.clone());
    let (id, amount) = (payment.id, gateway_refund.amount);
    let is_news = store
        .write(move |tx| record_refund_by_hand(tx, &payment, &gateway_refund, now))
        .await?;
    if is_news {
        tracing::warn!(payment = %id, %amount, "this payment was refunded by hand at the gateway");
    }
    Ok(())
}

/// Records a refund of `payment` that the gateway made after the backup of a restored store. Until a person has
/// found its cause, the shop requests no other refund of the payment. Returns false if the refund has no row,
/// because a person must check the payment.
pub(in crate::app) fn record_refund_after_backup(
    tx: &mut WriteTx<'_>,
    payment: &Payment,
    (reference, amount): (&str, Pence),
    now: DateTime<Utc>,
) -> Result<bool, AppError> {
    let by_hand = RefundByHand {
        reference: reference.to_string(),
        amount,
        status: GatewayRefundStatus::Done,
    };
    record_refund_by_hand(tx, payment, &by_hand, now)?;
    let id = Refund::gateway_refund_id(&payment.provider, reference);
    let Some(refund) = REFUNDS.get(tx, &id)? else {
        return Ok(false);
    };
    let is_after_backup = true;
    REFUNDS.put(
        tx,
        &id,
        &Refund {
            is_after_backup,
            ..refund
        },
    )?;
    Ok(true)
}

/// Stores the report of a refund made by hand at the gateway. Returns false if nothing changed.
/// Stores a failed refund too: a success reported later then changes nothing.
///
/// A refund of a whole unresolved payment closes the payment. A partial refund of an unresolved
/// payment changes nothing: a person must check the payment.
fn record_refund_by_hand(
    tx: &mut WriteTx<'_>,
    payment: &Payment,
    gateway_refund: &RefundByHand,
    now: DateTime<Utc>,
) -> Result<bool, AppError> {
    let payment = PAYMENTS.get(tx, &payment.id)?;
    let payment = payment.ok_or(AppError::NotFound)?;
    // The ledger has no entry of a payment that was closed as refunded.
    if payment.is_given_back() {
        return Ok(false);
    }
    let id = Refund::gateway_refund_id(&payment.provider, &gateway_refund.reference);
    let (status, event) = match gateway_refund.status {
        GatewayRefundStatus::Pending
        | GatewayRefundStatus::Disputed
        | GatewayRefundStatus::Unconfirmed => return Ok(false),
        GatewayRefundStatus::Done => (RefundStatus::Paid, RefundEvent::Done),
        GatewayRefundStatus::Refused { .. } => (RefundStatus::Failed, RefundEvent::Failed),
    };
    // The ledger has no entry of an unresolved payment.
    if let (PaymentStatus::Unresolved, Some(reason)) = (payment.status, payment.unresolved_reason())
    {
        let is_whole = event == RefundEvent::Done && gateway_refund.amount >= payment.amount;
        if is_whole {
            let resolution = PaymentResolution {
                method: PaymentWay::GivenBack,
                by: SHOP.to_string(),
                why: format!("The gateway refunded it: {}.", gateway_refund.reference),
                at: now,
            };
            close_unresolved(tx, payment, reason, resolution, now)?;
        }
        return Ok(is_whole);
    }
    if REFUNDS.has(tx, &id)? {
        return record_refund_outcome(tx, id, event, None, now);
    }
    let refund = Refund {
        id,
        policy: payment.quote,
        payment: payment.id,
        cause_id: id,
        amount: gateway_refund.amount,
        status,
        message: None,
        created: now,
        updated: now,
        reference: Some(gateway_refund.reference.clone()),
        requested: None,
        is_from_gateway: true,
        is_after_backup: false,
        manual: None,
        lookup: None,
    };
    REFUNDS.put(tx, &refund.id, &refund)?;
    let before = RefundStatus::Pending;
    if let Some(entry) = ledger_entry(&refund, before, &payment.provider, now) {
        ledger::post(tx, refund.policy, &entry)?;
    }
    Ok(true)
}
