//! `layby resume`: an operator releases a shop that was restored from a backup, or confirms that the clock is
//! right.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};

use crate::app::AppError;
use crate::app::payments::keyed_gateways;
use crate::config::Config;
use crate::domain::money::Pence;
use crate::domain::payment::settlement::{LineKind, LineOutcome, SettlementLine};
use crate::integrations::payments::{GatewayError, ListedMovement};
use crate::store::tables::{self, HeldShop};
use crate::store::{Read, Store, WriteTx};

/// How much earlier than the backup a gateway is asked, since its clock may differ from ours.
const CLOCK_DIFFERENCE: TimeDelta = TimeDelta::minutes(10);

/// Asks each gateway what was paid and refunded since the backup, and lists what the store doesn't know. Unless
/// `is_dry_run`, keeps the list as unresolved money and releases the shop.
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
        let unknown = store.read(|tx| unknown(tx, name, listed)).await?;
        missing.extend(unknown.into_iter().map(|one| (name, one)));
    }
    for (name, one) in &missing {
        let what = if one.is_refund { "refund" } else { "payment" };
        let mailbox = one.mailbox.as_deref().unwrap_or("no address");
        lines.push(format!(
            "a {what} at {name} is not in the store: {}  {}  {mailbox}  {}",
            one.reference, one.amount, one.page
        ));
    }
    let count = missing.len();
    if is_dry_run {
        lines.push(format!("not in the store: {count}; nothing was changed"));
        return Ok(());
    }
    let rows = missing.into_iter();
    let rows: Vec<_> = rows
        .map(|(name, one)| unresolved(name, one, &held, now))
        .collect();
    store.write(move |tx| release(tx, &rows)).await?;
    tracing::warn!(%copied, missing = count, "the shop was released after a restore");
    lines.push(format!(
        "not in the store: {count}, now in `layby export payments --status unresolved`; the shop sells again"
    ));
    Ok(())
}

/// Returns what the store doesn't know of a gateway's list.
fn unknown(
    tx: &impl Read,
    gateway: &str,
    listed: Vec<ListedMovement>,
) -> Result<Vec<ListedMovement>, AppError> {
    let mut refunds = HashSet::new();
    if listed.iter().any(|one| one.is_refund) {
        for row in tables::REFUNDS.rows(tx, &()) {
            refunds.extend(row?.1.reference);
        }
    }
    let mut unknown = Vec::new();
    for one in listed {
        let has_id = match one.our_id {
            Some(id) if one.is_refund => tables::REFUNDS.has(tx, &id)?,
            Some(id) => tables::PAYMENTS.has(tx, &id)?,
            None => false,
        };
        let has_reference = if one.is_refund {
            refunds.contains(&one.reference)
        } else {
            let key = (gateway.to_string(), one.reference.clone());
            tables::PAYMENT_BY_REFERENCE.has(tx, &key)?
        };
        if !has_id && !has_reference {
            unknown.push(one);
        }
    }
    Ok(unknown)
}

/// Returns the row that keeps a payment or refund in the list of unresolved money.
fn unresolved(
    gateway: &str,
    one: ListedMovement,
    held: &HeldShop,
    now: DateTime<Utc>,
) -> ([u8; 32], SettlementLine) {
    let (kind, verb, gross) = if one.is_refund {
        (LineKind::Refund, "refunded", Pence::ZERO - one.amount)
    } else {
        (LineKind::Payment, "paid", one.amount)
    };
    let mailbox = one
        .mailbox
        .map_or(String::new(), |mailbox| format!(" by {mailbox}"));
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

fn release(tx: &mut WriteTx<'_>, rows: &[([u8; 32], SettlementLine)]) -> Result<(), AppError> {
    for (key, line) in rows {
        tables::SETTLEMENT_LINES.put(tx, key, line)?;
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
