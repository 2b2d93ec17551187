//! `layby resolve`: a person writes down how a refund was settled that the gateway can't make, how an
//! unresolved payment ended, or that a payout's unknown line is the shop's own money.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::accounting::unresolved::number;
use crate::app::payments::status::close_unresolved::close_unresolved;
use crate::app::payments::{balance_of, ledger, pay_otherwise, pay_part_otherwise};
use crate::app::policies::queue_letter;
use crate::domain::money::Pence;
use crate::domain::money::ledger::Entry;
pub use crate::domain::payment::PaymentWay;
pub use crate::domain::payment::refund::OtherWay;
use crate::domain::payment::refund::{PaidOtherwise, Refund, RefundStatus, SLOW_DAYS};
use crate::domain::payment::settlement::{Accepted, LineOutcome, SettlementLine};
use crate::domain::payment::{Payment, PaymentResolution, UnresolvedReason};
use crate::domain::time::dates::{in_words, london_date};
use crate::store::tables::{PAYMENTS, PolicyNews, REFUNDS, SETTLEMENT_LINES};
use crate::store::{Store, WriteTx};

/// Most characters of a name or a reason.
const LONGEST: usize = 200;

/// What became of the money that needed a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResolutionWay {
    /// How the customer got the money of a refund.
    Refund(OtherWay),
    /// How an unresolved payment ended.
    Payment(PaymentWay),
}

/// What a person has done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolution {
    /// The refund, the payment, or the line of a payout, by its id in the list of what needs a person.
    pub id: Uuid,
    /// What became of its money; of a line it says nothing.
    pub way: ResolutionWay,
    /// Who says so.
    pub by: String,
    /// Why, and by which transfer.
    pub why: String,
}

/// Writes it down, with its money and a letter to the customer, in one write: once, whoever else does
/// the same. Returns what was done.
///
/// # Errors
/// When there is no such refund, or it isn't owed, and when the store fails.
pub async fn perform(
    store: &Store,
    resolution: &Resolution,
    now: DateTime<Utc>,
) -> Result<String, AppError> {
    let said = Resolution {
        by: words("--by", &resolution.by)?,
        why: words("--why", &resolution.why)?,
        ..resolution.clone()
    };
    let line = store.write(move |tx| resolve(tx, &said, now)).await?;
    tracing::info!(id = %resolution.id, way = ?resolution.way, by = resolution.by, "something unresolved was resolved");
    Ok(line)
}

/// What somebody typed, if it is a line that can be read.
fn words(name: &str, typed: &str) -> Result<String, AppError> {
    let typed = typed.trim();
    let is_line = !typed.is_empty() && !typed.contains(char::is_control);
    if is_line && typed.chars().count() <= LONGEST {
        return Ok(typed.to_string());
    }
    Err(refused(format!(
        "{name} must be one line of 1 to {LONGEST} characters."
    )))
}

fn resolve(
    tx: &mut WriteTx<'_>,
    said: &Resolution,
    now: DateTime<Utc>,
) -> Result<String, AppError> {
    let id = said.id;
    let Some(mut refund) = REFUNDS.get(tx, &id)? else {
        return match PAYMENTS.get(tx, &id)? {
            Some(payment) => close_payment(tx, said, payment, now),
            None => accept(tx, said, now),
        };
    };
    let ResolutionWay::Refund(refund_way) = said.way else {
        return Err(refused(format!(
            "{id} is a refund: say `--way transfer` or `--way had`."
        )));
    };
    if let Some(why) = not_open(&refund, now) {
        return Err(refused(format!("{id}: {why}")));
    }
    let way = match refund_way {
        OtherWay::Transfer => "paid by bank transfer",
        OtherWay::AlreadyHad => "had already",
    };
    let covered = covered(tx, refund_way, &refund)?;
    let number = number(tx, refund.policy)?.unwrap_or_default();
    let mut line = format!(
        "refund {id} of {} of {number} is settled: {way}",
        refund.amount
    );
    let policy = refund.policy;
    let otherwise = |way| PaidOtherwise {
        way,
        by: said.by.clone(),
        why: said.why.clone(),
        at: now,
    };
    if covered > Pence::ZERO {
        let had = otherwise(OtherWay::AlreadyHad);
        pay_part_otherwise(tx, &mut refund, covered, had, now)?;
        line = format!("{line} {}, and {covered} was had already", refund.amount);
    }
    pay_otherwise(tx, refund, otherwise(refund_way), now)?;
    queue_letter(tx, policy, PolicyNews::RefundPaid { refund: id }, now)?;
    Ok(line)
}

/// Writes down how an unresolved payment ended.
fn close_payment(
    tx: &mut WriteTx<'_>,
    said: &Resolution,
    payment: Payment,
    now: DateTime<Utc>,
) -> Result<String, AppError> {
    let id = said.id;
    let ResolutionWay::Payment(way) = said.way else {
        return Err(refused(format!(
            "{id} is a payment: say `--way not-paid` or `--way given-back`."
        )));
    };
    let Some(reason) = payment.unresolved_reason() else {
        let resolution = payment.unresolved.and_then(|own| own.resolution);
        let why = resolution.map_or("it is not unresolved.".to_string(), |known| {
            let day = in_words(london_date(known.at));
            format!("it was closed on {day} by {}: {}", known.by, known.why)
        });
        return Err(refused(format!("{id}: {why}")));
    };
    let what = match way {
        PaymentWay::NotPaid if reason == UnresolvedReason::OtherCurrency => {
            return Err(refused(format!(
                "{id}: the gateway says that the card was charged. Give the money back there first, and \
                 say `--way given-back`."
            )));
        }
        PaymentWay::NotPaid => "the card was not charged",
        PaymentWay::GivenBack => "the money was given back",
    };
    let number = number(tx, payment.quote)?.unwrap_or_default();
    let line = format!("payment {id} of {number} is closed: {what}");
    let resolution = PaymentResolution {
        way,
        by: said.by.clone(),
        why: said.why.clone(),
        at: now,
    };
    close_unresolved(tx, payment, reason, resolution, now)?;
    Ok(line)
}

/// How much of a refund the customer had already, where it is settled in this `way`: a transfer pays no more
/// than is left of the payment.
fn covered(tx: &WriteTx<'_>, way: OtherWay, refund: &Refund) -> Result<Pence, AppError> {
    let (id, amount) = (refund.id, refund.amount);
    let balance = balance_of(tx, refund.payment)?;
    let room = balance.room();
    let why = match way {
        OtherWay::AlreadyHad if balance.spare < amount => format!(
            "the customer can't have had {amount} already: of this payment {} went back to them by a \
             lost dispute or by hand, beside the shop's own refunds.",
            balance.spare
        ),
        OtherWay::AlreadyHad => return Ok(Pence::ZERO),
        OtherWay::Transfer if balance.is_disputed => {
            "a bank decides a dispute of the same payment. Please wait for that.".to_string()
        }
        OtherWay::Transfer if room <= Pence::ZERO => {
            "all of the payment went back already, or was lost to a dispute: pay nothing more. Write \
             it down with `--way had`."
                .to_string()
        }
        OtherWay::Transfer => return Ok((amount - room).max(Pence::ZERO)),
    };
    Err(refused(format!("{id}: {why}")))
}

/// Takes a line of a payout that is about nothing of ours for the shop's own money: won, or lost.
fn accept(tx: &mut WriteTx<'_>, said: &Resolution, now: DateTime<Utc>) -> Result<String, AppError> {
    let id = said.id;
    if matches!(said.way, ResolutionWay::Payment(_)) {
        return Err(refused(format!("{id}: there is no such payment.")));
    }
    let mut lines = SETTLEMENT_LINES.rows(&*tx, &());
    let is_named = |(key, _): &([u8; 32], SettlementLine)| SettlementLine::id_of(*key) == id;
    let found = lines.find(|row| row.as_ref().map_or(true, is_named));
    drop(lines);
    let Some((key, mut line)) = found.transpose()? else {
        return Err(refused(format!(
            "{id}: there is no such refund or payout line in `layby export payments --status \
             unresolved`."
        )));
    };
    let why = match (&line.accepted, line.outcome) {
        (Some(known), _) => Some(format!(
            "it was taken for the shop's own on {} by {}: {}",
            in_words(london_date(known.at)),
            known.by,
            known.why
        )),
        (None, LineOutcome::Settled | LineOutcome::Waiting) => {
            Some("it agrees with ours.".to_string())
        }
        (None, LineOutcome::Mismatched) => Some(
            "it is about something of ours with other figures, so it can't be the shop's own."
                .to_string(),
        ),
        (None, LineOutcome::Unknown) => line
            .payout
            .is_none()
            .then(|| "it is in no payout yet.".to_string()),
    };
    if let Some(why) = why {
        return Err(refused(format!("{id}: {why}")));
    }
    line.outcome = LineOutcome::Settled;
    line.why = None;
    line.accepted = Some(Accepted {
        by: said.by.clone(),
        why: said.why.clone(),
        at: now,
    });
    SETTLEMENT_LINES.put(tx, &key, &line)?;
    let entry = Entry::accepted(now, id, line.gross, line.fee);
    ledger::post_of_shop(tx, &entry)?;
    let payout = line.payout.unwrap_or_default();
    Ok(format!(
        "line {} of payout {payout} of {} is taken for the shop's own",
        line.reference, line.gross
    ))
}

/// Why a refund can't be settled by a person; none where it can.
fn not_open(refund: &Refund, now: DateTime<Utc>) -> Option<String> {
    let day = |at| in_words(london_date(at));
    if let Some(known) = &refund.otherwise {
        return Some(format!(
            "it was settled on {} by {}: {}",
            day(known.at),
            known.by,
            known.why
        ));
    }
    if refund.by_hand {
        return Some("it was made at the gateway by hand, and nothing is owed for it.".to_string());
    }
    match refund.status {
        RefundStatus::Paid => Some(format!("the gateway made it on {}.", day(refund.updated))),
        RefundStatus::Pending if !refund.is_slow(now) => Some(format!(
            "the gateway is still asked for it. After {SLOW_DAYS} days it can be settled otherwise."
        )),
        _ => None,
    }
}

fn refused(why: String) -> AppError {
    AppError::Malformed(why)
}
