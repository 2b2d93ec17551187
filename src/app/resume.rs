//! `layby resume`: an operator releases a shop that was restored from a backup, or confirms that the clock is
//! right.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::app::payments::refunds::{record_refund_after_backup, set_reference};
use crate::app::payments::{keyed_gateways, refunds_of};
use crate::app::{AppError, accounting};
use crate::config::Config;
use crate::domain::money::Pence;
use crate::domain::payment::Payment;
use crate::domain::payment::refund::Refund;
use crate::domain::payment::settlement::{LineKind, LineOutcome, SettlementLine};
use crate::integrations::payments::{GatewayError, ListedMovement, RefundOrigin};
use crate::store::tables::{self, HeldShop};
use crate::store::{Read, Store, WriteTx};

/// How much earlier than the backup a gateway is asked, since its clock may differ from ours.
const CLOCK_DIFFERENCE: TimeDelta = TimeDelta::minutes(10);

/// Asks each gateway what was paid and refunded since the backup, and lists what the store doesn't know. Unless
/// `is_dry_run`, records refunds of known payments, keeps the rest as unresolved money, and releases the shop.
///
/// # Errors
/// If a gateway can't be reached, or the store fails. Nothing was changed then.
pub async fn resume(
    (store, config): (&Store, &Config),
    is_dry_run: bool,
    now: DateTime<Utc>,
    lines: &mut Vec<String>,
) -> Result<(), AppError> {
    let held = store
        .read(|tx| tables::HELD_SHOP.get(tx, &()))
        .await
        .map_err(AppError::from)?;
    let Some(held) = held else {
        lines.push("the shop is not held: there is nothing to resume".to_string());
        return Ok(());
    };
    let copied = held.copied;
    let mut missing = Vec::new();
    let gateways = keyed_gateways(config).map_err(|why| AppError::Internal(why.into()))?;
    for gateway in gateways {
        let name = gateway.name();
        let listed = match gateway.list_since(copied - CLOCK_DIFFERENCE).await {
            Ok(listed) => listed,
            Err(GatewayError::Unable(_)) => {
                lines.push(format!(
                    "{name} can't list what was paid since {copied}: look there, and take in its payout reports"
                ));
                continue;
            }
            Err(error) => {
                let what = format!("{name} could not be asked");
                return Err(AppError::internal(what, error));
            }
        };
        missing.extend(store.read(|tx| find_missing(tx, name, listed)).await?);
    }
    lines.extend(missing.iter().map(Missing::line));
    let count = missing.len();
    if is_dry_run {
        lines.push(format!("not in the store: {count}; nothing was changed"));
        return Ok(());
    }
    store
        .write(move |tx| release(tx, &missing, &held, now))
        .await?;
    tracing::warn!(%copied, missing = count, "the shop was released after a restore");
    lines.push(format!(
        "not in the store: {count}; `layby export payments --status unresolved` lists what needs a person; the \
         shop sells again"
    ));
    Ok(())
}

/// A payment or refund at a gateway that the store doesn't know.
struct Missing {
    gateway: &'static str,
    movement: ListedMovement,
    /// The refunded payment and the reference of its quote, if the store has them.
    payment: Option<(Payment, String)>,
    /// The refund of the store that the gateway's refund is, if one waits for the gateway.
    waiting_refund: Option<Uuid>,
}

impl Missing {
    /// Returns the line for the operator.
    fn line(&self) -> String {
        let one = &self.movement;
        let what = one.refund.map_or("payment", |_| "refund");
        let mailbox = one.mailbox.as_deref().unwrap_or("no address");
        let subject = match (&self.payment, self.waiting_refund) {
            (Some((_, number)), Some(id)) => format!("  it is the refund {id} of {number}"),
            (Some((_, number)), None) => format!("  of {number}"),
            (None, _) => String::new(),
        };
        format!(
            "a {what} at {} is not in the store: {}  {}  {mailbox}  {}{subject}",
            self.gateway, one.reference, one.amount, one.page
        )
    }

    /// Returns the row that keeps the payment or refund in the list of unresolved money.
    fn settlement_line(&self, held: &HeldShop, now: DateTime<Utc>) -> ([u8; 32], SettlementLine) {
        let (gateway, one) = (self.gateway, &self.movement);
        let (kind, verb, gross) = if one.refund.is_some() {
            (LineKind::Refund, "refunded", Pence::ZERO - one.amount)
        } else {
            (LineKind::Payment, "paid", one.amount)
        };
        let mailbox = one.mailbox.as_ref();
        let mailbox = mailbox.map_or(String::new(), |mailbox| format!(" by {mailbox}"));
        let line = SettlementLine {
            provider: gateway.to_string(),
            reference: one.reference.clone(),
            kind,
            subject_id: None,
            policy: None,
            payout: None,
            gross,
            fee: Pence::ZERO,
            outcome: LineOutcome::Unknown,
            why: Some(format!(
                "it was {verb}{mailbox} after the backup of {}, see {}",
                held.copied, one.page
            )),
            read: now,
            accepted: None,
        };
        (SettlementLine::key_of(gateway, &one.reference), line)
    }
}

/// Returns what the store doesn't know of a gateway's list.
fn find_missing(
    tx: &impl Read,
    gateway: &'static str,
    listed: Vec<ListedMovement>,
) -> Result<Vec<Missing>, AppError> {
    let mut references = HashSet::new();
    if listed.iter().any(|one| one.refund.is_some()) {
        for row in tables::REFUNDS.readable_rows(tx, &()) {
            references.extend(row?.1.reference);
        }
    }
    let mut found_refunds = HashSet::new();
    let mut missing = Vec::new();
    for movement in listed {
        let payment = accounting::payment(tx, gateway, &movement.payment_names)?;
        let is_known = match movement.refund {
            Some(RefundOrigin::Shop(id)) => tables::REFUNDS.has(tx, &id)?,
            Some(RefundOrigin::ByHand | RefundOrigin::Unknown) => false,
            None => payment.is_some(),
        };
        if is_known || references.contains(&movement.reference) {
            continue;
        }
        let waiting_refund = match &payment {
            Some(payment) if movement.refund == Some(RefundOrigin::Unknown) => {
                waiting_refund(tx, payment, movement.amount, &found_refunds)
            }
            _ => None,
        };
        found_refunds.extend(waiting_refund);
        let payment = match payment {
            Some(payment) => {
                let quote = tables::QUOTES.get_readable(tx, &payment.quote)?;
                let number = quote.map_or(String::new(), |quote| quote.reference);
                Some((payment, number))
            }
            None => None,
        };
        missing.push(Missing {
            gateway,
            movement,
            payment,
            waiting_refund,
        });
    }
    Ok(missing)
}

/// Returns a refund of `amount` that waits for the gateway and is not in `found`.
fn waiting_refund(
    tx: &impl Read,
    payment: &Payment,
    amount: Pence,
    found: &HashSet<Uuid>,
) -> Option<Uuid> {
    let is_waiting = |own: &Refund| {
        let is_unnamed = own.reference.is_none() && !found.contains(&own.id);
        own.payment == payment.id && own.amount == amount && own.is_under_way() && is_unnamed
    };
    // A person checks the refunds of a policy with an unreadable one.
    let own = refunds_of(tx, payment.quote).unwrap_or_default();
    own.into_iter().find(is_waiting).map(|own| own.id)
}

fn release(
    tx: &mut WriteTx<'_>,
    missing: &[Missing],
    held: &HeldShop,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    for one in missing {
        let (reference, amount) = (&one.movement.reference, one.movement.amount);
        let is_recorded = match (one.waiting_refund, &one.payment) {
            (Some(id), _) => {
                set_reference(tx, id, reference)?;
                true
            }
            (None, Some((payment, _))) => {
                record_refund_after_backup(tx, payment, (reference, amount), now)?
            }
            (None, None) => false,
        };
        if !is_recorded {
            let (key, line) = one.settlement_line(held, now);
            tables::SETTLEMENT_LINES.put(tx, &key, &line)?;
        }
    }
    Ok(tables::HELD_SHOP.delete(tx, &())?)
}

/// Confirms that the clock is right, although the store's newest write contradicts the clock. Does nothing if
/// there is no contradiction. Returns the line for the operator.
///
/// # Errors
/// If the store fails.
pub async fn confirm_clock(store: &Store, now: DateTime<Utc>) -> Result<String, AppError> {
    let Some(wrong) = store.wrong_clock() else {
        return Ok("the clock agrees with the store: there is nothing to resume".to_string());
    };
    store.confirm_clock(now).await?;
    let (now, newest) = (wrong.now, wrong.newest);
    tracing::warn!(%now, %newest, "the clock was confirmed");
    Ok(format!(
        "the clock is confirmed: it is {now}, {newest} was the newest write"
    ))
}
