//! `layby export payments --status unresolved`: lists the money that needs a person. Each row has
//! the known facts and the possible actions.

mod card;
mod refund;
mod row;

use std::collections::{BTreeSet, HashSet};

use chrono::{DateTime, TimeDelta, Utc};

use crate::app::AppError;
use crate::app::accounting::late::late;
use crate::app::accounting::unresolved::card::card_rows;
use crate::app::accounting::unresolved::refund::refund_row;
pub use crate::app::accounting::unresolved::row::UnresolvedRow;
pub(super) use crate::app::accounting::unresolved::row::number;
use crate::app::payments::serviced_names;
use crate::app::policies::plans::unpaid_plans;
use crate::config::Config;
use crate::domain::money::Pence;
use crate::domain::payment::dispute::{Dispute, DisputeStatus};
use crate::domain::payment::settlement::{LineKind, LineOutcome, SettlementLine};
use crate::domain::payment::{Payment, PaymentStatus, UnreadMessage, UnresolvedReason};
use crate::domain::time::dates::{format_long, london_date};
use crate::store::tables::{DISPUTES, PAYMENT_BY_REFERENCE, PAYMENTS, REFUNDS, SETTLEMENT_LINES};
use crate::store::{Read, Store};

/// How long a payment may be processed before the list contains the payment. A challenge of the
/// bank takes minutes.
const UNDECIDED: TimeDelta = TimeDelta::hours(2);

/// Lists the money that needs a person. `config` has the keys of the gateways that the shop services.
///
/// # Errors
/// If the store fails, or the payment of a refund is missing.
pub async fn list(
    store: &Store,
    config: &Config,
    now: DateTime<Utc>,
) -> Result<Vec<UnresolvedRow>, AppError> {
    store.read(|tx| all(tx, config, now)).await
}

fn all(
    tx: &impl Read,
    config: &Config,
    now: DateTime<Utc>,
) -> Result<Vec<UnresolvedRow>, AppError> {
    let serviced = serviced_names(config);
    let mut found = Vec::new();
    let mut reported = BTreeSet::new();
    for row in PAYMENTS.readable_rows(tx, &()) {
        let (_, payment) = row?;
        for message in &payment.unread_messages {
            found.extend(from_message(tx, &payment, message)?);
        }
        found.extend(from_payment(tx, &payment, now)?);
    }
    let mut refunds = HashSet::new();
    for row in REFUNDS.readable_rows(tx, &()) {
        let (_, refund) = row?;
        found.extend(refund_row(tx, &refund, now)?);
        refunds.extend(refund.reference);
    }
    for row in DISPUTES.readable_rows(tx, &()) {
        found.extend(from_dispute(tx, &row?.1)?);
    }
    found.extend(card_rows(tx, &serviced)?);
    for plan in unpaid_plans(tx, &serviced, now)? {
        found.push(UnresolvedRow {
            what: "plan".to_string(),
            id: Some(plan.policy),
            policy: number(tx, plan.policy)?,
            gateway: plan.gateway,
            reference: None,
            amount: plan.due,
            since: plan.since,
            facts: plan.facts,
            to_do: "Call the customer. The plan goes on if all that is due is paid. After a bank transfer, write that \
                    down with `layby resolve --method plan-paid`."
                .to_string(),
        });
    }
    for row in SETTLEMENT_LINES.readable_rows(tx, &()) {
        let (key, line) = row?;
        if !is_unpaid(&line) || !is_recorded(tx, &line, &refunds)? {
            found.extend(from_line(tx, key, &line)?);
        }
        // Such a line may be of `layby resume`, and not of a report.
        if !is_unpaid(&line) {
            reported.insert(line.provider);
        }
    }
    // A gateway without stored report lines has no late items.
    for gateway in reported {
        let working_days = config.payments.payout_working_days(&gateway);
        for one in late(tx, (&gateway, working_days), now)? {
            found.push(UnresolvedRow {
                what: "late".to_string(),
                id: Some(one.subject),
                policy: number(tx, one.policy)?,
                gateway: gateway.clone(),
                reference: None,
                amount: one.amount,
                since: one.since,
                facts: format!("No payout has settled it for {working_days} working days."),
                to_do:
                    "Look for it in the gateway's own list. If it is there, take in the report of \
                        its payout; if not, ask the gateway."
                        .to_string(),
            });
        }
    }
    Ok(found)
}

fn from_payment(
    tx: &impl Read,
    payment: &Payment,
    now: DateTime<Utc>,
) -> Result<Option<UnresolvedRow>, AppError> {
    let look_up = "Look the payment up at the gateway by its id. If it was not paid, write that down with `layby \
                   resolve --method not-paid`. If it was paid, have the gateway send its message about it again: the \
                   cover is given then, or the money goes back. If it can't, give the money back there, and write \
                   that down with `--method given-back`.";
    let is_undecided =
        payment.status == PaymentStatus::Processing && now - payment.updated >= UNDECIDED;
    let (facts, to_do) = match payment.unresolved_reason() {
        None if is_undecided => (
            "The gateway or the bank has not decided this payment for two hours. It is still asked.",
            "Look the payment up at the gateway by its id: it may wait there for a review or a capture.",
        ),
        None => return Ok(None),
        Some(UnresolvedReason::OtherCurrency) => (
            "The card was charged in another currency than the shop's, so the money is not in the \
             ledger. No cover was given for it.",
            "Give all of it back at the gateway by hand, tell the customer, and write that down with \
             `layby resolve --method given-back`.",
        ),
        Some(UnresolvedReason::NoAnswer) => (
            "The gateway has not said whether the card paid, and layby has stopped asking. No cover was \
             given for it.",
            look_up,
        ),
        Some(UnresolvedReason::UnderReview) => (
            "The bank has not decided whether the card pays, and layby has stopped asking. No cover was \
             given for it.",
            look_up,
        ),
        Some(UnresolvedReason::Reversed) => (
            "The gateway took the money back without a dispute. The cover is not paid, and the customer was \
             told so.",
            "Ask the customer to pay by bank transfer, or cancel the policy. Then write that down with `layby \
             resolve --method recovered`.",
        ),
    };
    Ok(Some(UnresolvedRow {
        what: "payment".to_string(),
        id: Some(payment.id),
        policy: number(tx, payment.quote)?,
        gateway: payment.provider.clone(),
        reference: payment.references.values().next().cloned(),
        amount: payment.amount,
        since: payment.created,
        facts: facts.to_string(),
        to_do: to_do.to_string(),
    }))
}

/// Returns a row for an unreadable message or a second payment. Returns `None` after a person has
/// followed up the item.
fn from_message(
    tx: &impl Read,
    payment: &Payment,
    message: &UnreadMessage,
) -> Result<Option<UnresolvedRow>, AppError> {
    if message.follow_up.is_some() {
        return Ok(None);
    }
    let (facts, to_do) = if message.kind == UnreadMessage::SECOND_PAYMENT {
        (
            "The card was charged a second time for this payment. The money is not in the ledger."
                .to_string(),
            "Find the second payment at the gateway by its reference, and give it back there.",
        )
    } else {
        (
            format!(
                "layby can't apply the gateway's message `{}` about this payment.",
                message.kind
            ),
            "Look the message up at the gateway. If it is about a second payment, refund that one there. If \
             its form is of another API version, set the webhook to that of docs/PAYMENTS.md. layby has \
             asked for the payment. It may lack refunds or disputes of this message.",
        )
    };
    Ok(Some(UnresolvedRow {
        what: "message".to_string(),
        id: Some(message.id(payment.id)),
        policy: number(tx, payment.quote)?,
        gateway: payment.provider.clone(),
        reference: Some(message.reference.clone()),
        amount: payment.amount,
        since: message.received,
        facts,
        to_do: format!("{to_do} Then write that down with `layby resolve --method followed-up`."),
    }))
}

fn from_dispute(tx: &impl Read, dispute: &Dispute) -> Result<Option<UnresolvedRow>, AppError> {
    let taken = dispute.amount_taken();
    let until = dispute.reply_by.map_or(String::new(), |until| {
        format!(" by {}", format_long(london_date(until)))
    });
    let (facts, to_do) = match dispute.status {
        DisputeStatus::Inquiry => (
            "The customer's bank asks about the payment. No money has moved.".to_string(),
            format!("Answer at the gateway{until}, or refund the payment there."),
        ),
        DisputeStatus::Open => (
            format!("The customer disputes the payment. The gateway has taken {taken}."),
            format!("Send evidence at the gateway{until}, or accept the dispute there."),
        ),
        DisputeStatus::Won if taken != Pence::ZERO => (
            format!("The dispute was decided for us. The gateway still holds {taken}."),
            "Wait some days for the money; then ask the gateway for it.".to_string(),
        ),
        DisputeStatus::Won | DisputeStatus::Lost | DisputeStatus::Prevented => return Ok(None),
    };
    let to_do = if dispute.is_from_report && dispute.status == DisputeStatus::Open {
        "Answer in the gateway's portal, or accept the dispute there. Once it is decided, write that down with \
         `layby resolve --method dispute-won` or `--method dispute-lost`."
            .to_string()
    } else {
        to_do
    };
    let reason = dispute.reason.as_ref();
    let reason = reason.map_or(String::new(), |word| format!(" Its reason: {word}."));
    Ok(Some(UnresolvedRow {
        what: "dispute".to_string(),
        id: Some(dispute.id),
        policy: number(tx, dispute.policy)?,
        gateway: dispute.provider.clone(),
        reference: Some(dispute.reference.clone()),
        amount: dispute.amount,
        since: dispute.created,
        facts: facts + &reason,
        to_do,
    }))
}

/// Returns whether a line is an unknown payment or refund in no payout yet, as `layby resume` stores it.
fn is_unpaid(line: &SettlementLine) -> bool {
    let is_movement = matches!(line.kind, LineKind::Payment | LineKind::Refund);
    line.outcome == LineOutcome::Unknown && line.payout.is_none() && is_movement
}

/// Returns whether the shop has recorded a line's payment or refund since. A restored shop records a charge of a
/// stored card once the charge is due again.
fn is_recorded(
    tx: &impl Read,
    line: &SettlementLine,
    refunds: &HashSet<String>,
) -> Result<bool, AppError> {
    let key = (line.provider.clone(), line.reference.clone());
    Ok(refunds.contains(&line.reference) || PAYMENT_BY_REFERENCE.has(tx, &key)?)
}

fn from_line(
    tx: &impl Read,
    key: [u8; 32],
    line: &SettlementLine,
) -> Result<Option<UnresolvedRow>, AppError> {
    if !line.outcome.needs_a_person() || line.accepted.is_some() {
        return Ok(None);
    }
    let why = line.why.as_deref().unwrap_or_default();
    let facts = match &line.payout {
        Some(payout) => format!("A line of payout {payout} doesn't agree with ours: {why}."),
        None => format!("The gateway's list doesn't agree with ours: {why}."),
    };
    let to_do = match (line.outcome, line.kind) {
        _ if is_unpaid(line) => {
            "Look it up at the gateway. If it is a charge of a stored card, wait until the charge is due again: layby \
             finds it then, and this row goes. If it is a lost sale, refund it there, and ask the customer to buy again. \
             Then write that down with `layby resolve --method followed-up`."
        }
        (LineOutcome::Unknown, LineKind::Payment) => {
            "Look it up at the gateway: it may be of another shop of yours. If it is nobody's, refund \
             it there. Then take in the report again. If the money stays, write it down with `layby resolve`."
        }
        (LineOutcome::Unknown, _) => {
            "Look it up at the gateway. If layby should know it, send the gateway's messages about it \
             again, and take in the report again. If it is the shop's own money, write it down with \
             `layby resolve`."
        }
        _ => {
            "Compare it with the gateway's own page. If layby has missed the message about it, send the \
             gateway's messages again, and take in the report again."
        }
    };
    Ok(Some(UnresolvedRow {
        what: "payout line".to_string(),
        id: Some(SettlementLine::line_id(key)),
        policy: match line.policy {
            Some(policy) => number(tx, policy)?,
            None => None,
        },
        gateway: line.provider.clone(),
        reference: Some(line.reference.clone()),
        amount: line.gross,
        since: line.read,
        facts,
        to_do: to_do.to_string(),
    }))
}
