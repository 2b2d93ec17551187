//! `layby resolve`: records how a person resolved an item. The item is one of these:
//!
//! - an owed refund that the gateway refused, could not confirm, or has not made for 14 days
//! - an unconfirmed refund that a person looked up at the gateway
//! - an owed refund that the customer's bank returned
//! - an unresolved payment
//! - an unknown payout line that is the shop's own money
//! - an unknown payment or refund in no payout yet, such as one that a restored store lacks
//! - a dispute that only payout reports name
//! - a message that the shop could not apply, or a second payment of one attempt
//! - a refund by hand at the gateway that may repeat a bank transfer
//! - a monthly plan whose customer paid by bank transfer

use chrono::{DateTime, Utc};

use crate::app::AppError;
use crate::app::accounting::dispute_result::close_dispute;
use crate::app::accounting::message_follow_up::close_message;
pub use crate::app::accounting::resolution::{Resolution, ResolutionWay};
use crate::app::accounting::resolution::{format_record, refusal};
use crate::app::accounting::unresolved::number;
use crate::app::payments::status::close_unresolved::close_unresolved;
use crate::app::payments::{
    balance_of, ledger, record_lookup, record_manual_refund, record_partial_manual_refund,
};
use crate::app::policies::plans::record_bank_transfer;
use crate::app::policies::queue_letter;
use crate::domain::money::Pence;
use crate::domain::money::ledger::Entry;
pub use crate::domain::payment::PaymentWay;
pub use crate::domain::payment::dispute::DisputeResult;
use crate::domain::payment::refund::{ManualRefund, Refund, RefundLookup, RefundStatus, SLOW_DAYS};
pub use crate::domain::payment::refund::{RefundFinding, RefundMethod};
use crate::domain::payment::settlement::{Accepted, LineOutcome, SettlementLine};
use crate::domain::payment::{FollowUp, Payment, PaymentResolution, UnresolvedReason};
use crate::domain::policy::Policy;
use crate::domain::policy::plan::PaymentPlan;
use crate::domain::time::dates::{format_long, london_date};
use crate::store::tables::{
    DISPUTES, PAYMENTS, PLANS, POLICIES, PolicyNotification, REFUNDS, SETTLEMENT_LINES,
};
use crate::store::{Store, WriteTx};

/// Stores the resolution in one transaction. For a paid refund, also posts ledger entries and queues a
/// letter. For a refund that was not made, also queues a new request to the gateway. For a payout line, also
/// posts a ledger entry. For an unpaid automatic renewal, also queues a letter. A second call for a resolved
/// item fails. Returns a line that describes the resolution.
///
/// # Errors
/// If the id is unknown or the item needs no resolution. If `method` does not fit the item, its
/// amount or an open dispute. If `by` or `why` is not one line of 1 to 200 characters. If the store
/// fails.
pub async fn execute(
    store: &Store,
    resolution: &Resolution,
    now: DateTime<Utc>,
) -> Result<String, AppError> {
    let FollowUp { by, why, .. } =
        FollowUp::new(&resolution.by, &resolution.why, now).map_err(refusal)?;
    let order = Resolution {
        by,
        why,
        ..resolution.clone()
    };
    let line = store.write(move |tx| resolve(tx, &order, now)).await?;
    tracing::info!(id = %resolution.id, method = ?resolution.method, by = resolution.by, "unresolved money was resolved");
    Ok(line)
}

fn resolve(
    tx: &mut WriteTx<'_>,
    order: &Resolution,
    now: DateTime<Utc>,
) -> Result<String, AppError> {
    let id = order.id;
    let Some(mut refund) = REFUNDS.get(tx, &id)? else {
        return match PAYMENTS.get(tx, &id)? {
            Some(payment) => close_payment(tx, order, payment, now),
            None => match DISPUTES.get(tx, &id)? {
                Some(dispute) => close_dispute(tx, order, dispute, now),
                None => match (POLICIES.get(tx, &id)?, PLANS.get(tx, &id)?) {
                    (Some(policy), Some(plan)) => pay_plan(tx, order, (&policy, &plan), now),
                    _ => accept(tx, order, now),
                },
            },
        };
    };
    let refund_way = match order.method {
        ResolutionWay::Refund(way) => way,
        ResolutionWay::Lookup(finding) => return close_lookup(tx, order, refund, finding, now),
        ResolutionWay::Message if refund.is_from_gateway => {
            return follow_up_refund(tx, order, refund, now);
        }
        ResolutionWay::Payment(_)
        | ResolutionWay::Dispute(_)
        | ResolutionWay::Message
        | ResolutionWay::PlanPayment => {
            return Err(refusal(format!(
                "{id} is a refund: say `--method transfer`, `--method already-refunded` or, of an \
                 unconfirmed one, `--method refund-made` or `--method refund-not-made`."
            )));
        }
    };
    if let Some(why) = not_open(&refund, now) {
        return Err(refusal(format!("{id}: {why}")));
    }
    let way = match refund_way {
        RefundMethod::Transfer => "paid by bank transfer",
        RefundMethod::AlreadyRefunded => "had already",
    };
    let covered = refunded_before(tx, refund_way, &refund)?;
    let number = number(tx, refund.policy)?.unwrap_or_default();
    let mut line = format!(
        "refund {id} of {} of {number} is closed: {way}",
        refund.amount
    );
    let policy = refund.policy;
    let manual = |way| ManualRefund {
        method: way,
        by: order.by.clone(),
        why: order.why.clone(),
        at: now,
    };
    if covered > Pence::ZERO {
        let manual = manual(RefundMethod::AlreadyRefunded);
        record_partial_manual_refund(tx, &mut refund, covered, manual, now)?;
        line = format!("{line} {}, and {covered} was had already", refund.amount);
    }
    record_manual_refund(tx, refund, manual(refund_way), now)?;
    queue_letter(
        tx,
        policy,
        PolicyNotification::RefundPaid { refund: id },
        now,
    )?;
    Ok(line)
}

/// Stores what a person found at the gateway about an unconfirmed refund. A person may also find that the
/// gateway made a refund that was already closed in another way. The customer then has the money twice.
fn close_lookup(
    tx: &mut WriteTx<'_>,
    order: &Resolution,
    refund: Refund,
    finding: RefundFinding,
    now: DateTime<Utc>,
) -> Result<String, AppError> {
    let id = order.id;
    let why = if refund.status != RefundStatus::Unconfirmed || refund.is_from_gateway {
        let lookup = refund.lookup.as_ref();
        let looked_up =
            lookup.map(|own| format_record("it was looked up", own.at, &own.by, &own.why));
        let reason = looked_up.or_else(|| not_open(&refund, now));
        reason.or_else(|| Some("the gateway's answer about it was not lost.".to_string()))
    } else if finding == RefundFinding::NotMade && !refund.is_closed_unconfirmed() {
        not_open(&refund, now)
    } else {
        None
    };
    if let Some(why) = why {
        return Err(refusal(format!("{id}: {why}")));
    }
    let number = number(tx, refund.policy)?.unwrap_or_default();
    let what = match finding {
        RefundFinding::Made => "is closed: the gateway made it",
        RefundFinding::NotMade if refund.manual.is_some() => {
            "stays closed: the gateway did not make it"
        }
        RefundFinding::NotMade => "is requested again: the gateway did not make it",
    };
    let line = format!("refund {id} of {} of {number} {what}", refund.amount);
    let lookup = RefundLookup {
        finding,
        by: order.by.clone(),
        why: order.why.clone(),
        at: now,
    };
    record_lookup(tx, refund, lookup, now)?;
    Ok(line)
}

/// Stores that a person compared a refund by hand with the transfers of its payment.
fn follow_up_refund(
    tx: &mut WriteTx<'_>,
    order: &Resolution,
    mut refund: Refund,
    now: DateTime<Utc>,
) -> Result<String, AppError> {
    let id = order.id;
    if let Some(own) = &refund.lookup {
        let why = format_record("it was followed up", own.at, &own.by, &own.why);
        return Err(refusal(format!("{id}: {why}")));
    }
    refund.lookup = Some(RefundLookup {
        finding: RefundFinding::Made,
        by: order.by.clone(),
        why: order.why.clone(),
        at: now,
    });
    REFUNDS.put(tx, &id, &refund)?;
    let number = number(tx, refund.policy)?.unwrap_or_default();
    Ok(format!(
        "refund {id} of {} of {number} is followed up",
        refund.amount
    ))
}

/// Stores how an unresolved payment ended.
fn close_payment(
    tx: &mut WriteTx<'_>,
    order: &Resolution,
    payment: Payment,
    now: DateTime<Utc>,
) -> Result<String, AppError> {
    let id = order.id;
    let ResolutionWay::Payment(way) = order.method else {
        return Err(refusal(format!(
            "{id} is a payment: say `--method not-paid`, `--method given-back` or, after a reversal, `--method \
             recovered`."
        )));
    };
    let Some(reason) = payment.unresolved_reason() else {
        let resolution = payment.unresolved.and_then(|own| own.resolution);
        let why = resolution.map_or("it is not unresolved.".to_string(), |own| {
            format_record("it was closed", own.at, &own.by, &own.why)
        });
        return Err(refusal(format!("{id}: {why}")));
    };
    let is_reversed = reason == UnresolvedReason::Reversed;
    let what = match way {
        _ if is_reversed != (way == PaymentWay::Recovered) => {
            return Err(refusal(format!(
                "{id}: `--method recovered` is for a payment that the gateway took back, and for no other."
            )));
        }
        PaymentWay::NotPaid if reason == UnresolvedReason::OtherCurrency => {
            return Err(refusal(format!(
                "{id}: the gateway says that the card was charged. Give the money back there first, and \
                 say `--method given-back`."
            )));
        }
        PaymentWay::NotPaid => "the card was not charged",
        PaymentWay::GivenBack => "the money was given back",
        PaymentWay::Recovered => "its cover was paid otherwise, or ended",
    };
    let number = number(tx, payment.quote)?.unwrap_or_default();
    let line = format!("payment {id} of {number} is closed: {what}");
    let resolution = PaymentResolution {
        method: way,
        by: order.by.clone(),
        why: order.why.clone(),
        at: now,
    };
    close_unresolved(tx, payment, reason, resolution, now)?;
    Ok(line)
}

/// Stores that the customer paid what is due of a monthly plan by bank transfer.
fn pay_plan(
    tx: &mut WriteTx<'_>,
    order: &Resolution,
    own: (&Policy, &PaymentPlan),
    now: DateTime<Utc>,
) -> Result<String, AppError> {
    let id = order.id;
    if order.method != ResolutionWay::PlanPayment {
        return Err(refusal(format!(
            "{id} is a monthly plan: say `--method plan-paid` if the customer paid all that is due by bank transfer."
        )));
    }
    let person = FollowUp::new(&order.by, &order.why, now).map_err(refusal)?;
    let paid = record_bank_transfer(tx, own, &person, now)?;
    let paid = paid.map_err(|why| refusal(format!("{id}: {why}")))?;
    let number = number(tx, id)?.unwrap_or_default();
    Ok(format!("{paid} of {number} is paid by bank transfer"))
}

/// Returns the part of a refund that exceeds what is left of the payment, in pence. A transfer must
/// not pay that part. Returns zero if `way` is not a transfer. Fails if the refund can't be closed
/// in this `way`.
fn refunded_before(
    tx: &WriteTx<'_>,
    way: RefundMethod,
    refund: &Refund,
) -> Result<Pence, AppError> {
    let (id, amount) = (refund.id, refund.amount);
    let balance = balance_of(tx, refund.payment)?;
    let room = balance.room();
    let why = match way {
        RefundMethod::AlreadyRefunded if balance.spare < amount => format!(
            "the customer can't have had {amount} already: of this payment {} went back to them by a \
             lost dispute or by hand, beside the shop's own refunds.",
            balance.spare
        ),
        RefundMethod::AlreadyRefunded => return Ok(Pence::ZERO),
        RefundMethod::Transfer if balance.is_disputed => {
            "a bank decides a dispute of the same payment. Please wait for that.".to_string()
        }
        RefundMethod::Transfer if room <= Pence::ZERO => {
            "all of the payment went back already, or was lost to a dispute: pay nothing more. Write \
             it down with `--method already-refunded`."
                .to_string()
        }
        RefundMethod::Transfer => return Ok((amount - room).max(Pence::ZERO)),
    };
    Err(refusal(format!("{id}: {why}")))
}

/// Accepts an unknown payout line as the shop's own gain or loss. With the way `Message`, stores what a
/// person did about an unknown line that is in no payout, a message or a second payment.
fn accept(
    tx: &mut WriteTx<'_>,
    order: &Resolution,
    now: DateTime<Utc>,
) -> Result<String, AppError> {
    let id = order.id;
    let what = match order.method {
        ResolutionWay::Refund(_) | ResolutionWay::Message => None,
        ResolutionWay::Lookup(_) => Some("refund"),
        ResolutionWay::Payment(_) => Some("payment"),
        ResolutionWay::Dispute(_) => Some("dispute"),
        ResolutionWay::PlanPayment => Some("monthly plan"),
    };
    if let Some(what) = what {
        return Err(refusal(format!("{id}: there is no such {what}.")));
    }
    let mut lines = SETTLEMENT_LINES.rows(&*tx, &());
    let is_named = |(key, _): &([u8; 32], SettlementLine)| SettlementLine::line_id(*key) == id;
    let found = lines.find(|row| row.as_ref().map_or(true, is_named));
    drop(lines);
    let is_follow_up = order.method == ResolutionWay::Message;
    let Some((key, mut line)) = found.transpose()? else {
        if is_follow_up {
            return close_message(tx, order, now);
        }
        return Err(refusal(format!(
            "{id}: there is no such refund or payout line in `layby export payments --status \
             unresolved`."
        )));
    };
    let why = match (&line.accepted, line.outcome) {
        (Some(own), _) => {
            let what = if line.outcome == LineOutcome::Settled {
                "it was accepted as the shop's own"
            } else {
                "it was followed up"
            };
            Some(format_record(what, own.at, &own.by, &own.why))
        }
        (None, LineOutcome::Settled | LineOutcome::Waiting) => {
            Some("it agrees with ours.".to_string())
        }
        (None, LineOutcome::Mismatched) => Some(
            "it is about something of ours with other figures, so it can't be the shop's own."
                .to_string(),
        ),
        (None, LineOutcome::Unknown) => match (&line.payout, is_follow_up) {
            (None, false) => Some(
                "it is in no payout yet. If the customer has cover or the money, say `--method followed-up`."
                    .to_string(),
            ),
            (Some(payout), true) => Some(format!(
                "it is in payout {payout}: it agrees with ours, or is the shop's own money."
            )),
            _ => None,
        },
    };
    if let Some(why) = why {
        return Err(refusal(format!("{id}: {why}")));
    }
    line.accepted = Some(Accepted {
        by: order.by.clone(),
        why: order.why.clone(),
        at: now,
    });
    if is_follow_up {
        SETTLEMENT_LINES.put(tx, &key, &line)?;
        return Ok(format!(
            "line {} of {} is followed up",
            line.reference, line.gross
        ));
    }
    line.outcome = LineOutcome::Settled;
    line.why = None;
    SETTLEMENT_LINES.put(tx, &key, &line)?;
    let entry = Entry::accept_unmatched(now, id, line.gross, line.fee);
    ledger::post_shop_entry(tx, &entry)?;
    let payout = line.payout.unwrap_or_default();
    Ok(format!(
        "line {} of payout {payout} of {} is accepted as the shop's own",
        line.reference, line.gross
    ))
}

/// Returns the reason why a person can't close a refund, or `None` if a person can.
fn not_open(refund: &Refund, now: DateTime<Utc>) -> Option<String> {
    if let Some(own) = &refund.manual {
        return Some(format_record("it was closed", own.at, &own.by, &own.why));
    }
    if refund.is_from_gateway {
        return Some("it was made at the gateway by hand, and nothing is owed for it.".to_string());
    }
    match refund.status {
        RefundStatus::Paid => Some(format!(
            "the gateway made it on {}.",
            format_long(london_date(refund.updated))
        )),
        RefundStatus::Pending if !refund.is_slow(now) => Some(format!(
            "the gateway is still asked for it. After {SLOW_DAYS} days it can be closed in another way."
        )),
        _ => None,
    }
}
