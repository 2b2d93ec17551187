//! Compares a line of a payout report with its payment, refund or dispute, and stores the result.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::accounting::dispute_line::book_dispute_line;
use crate::app::accounting::line_payment::payment;
use crate::app::accounting::report::ReportLine;
use crate::app::payments::{balance_of, disputes_of, ledger, refunds_of};
use crate::domain::money::Pence;
use crate::domain::money::ledger::{Account, Entry, Movement};
use crate::domain::payment::Payment;
use crate::domain::payment::dispute::Dispute;
use crate::domain::payment::refund::{Refund, RefundStatus};
use crate::domain::payment::settlement::{LineKind, LineOutcome, SettlementLine};
use crate::store::tables::{
    DISPUTES, PAYMENTS, REFUNDS, SETTLEMENT_LINE_BY_POLICY, SETTLEMENT_LINES,
};
use crate::store::{Read, WriteTx};

/// The result of comparing one line.
#[derive(Clone, Debug)]
pub(super) struct Compared {
    pub(super) line: SettlementLine,
    /// Whether this comparison posted the line's money to the ledger.
    pub(super) posted: bool,
}

/// Compares a line with our records and stores the result. Posts the line's money if the line
/// matches and is in a payout. Leaves a stored line unchanged if its money is in the ledger.
/// Returns that line as mismatched if the report has other figures.
pub(super) fn import_line(
    tx: &mut WriteTx<'_>,
    provider: &str,
    reported: &ReportLine,
    now: DateTime<Utc>,
) -> Result<Compared, AppError> {
    let key = SettlementLine::key_of(provider, &reported.name);
    let before = SETTLEMENT_LINES.get(tx, &key)?;
    if let Some(before) = &before
        && before.outcome == LineOutcome::Settled
    {
        let mut line = before.clone();
        if (line.gross, line.fee, line.kind) != (reported.gross, reported.fee, reported.kind) {
            line.outcome = LineOutcome::Mismatched;
            line.why = Some(format!(
                "it was read before as {} with a fee of {}, and that is in the ledger",
                line.gross, line.fee
            ));
        }
        let posted = false;
        return Ok(Compared { line, posted });
    }
    book_dispute_line(tx, provider, reported, now)?;
    let judged = match_line(tx, provider, reported, key)?;
    let outcome = match (judged.why.is_some(), judged.subject.is_some()) {
        (true, true) => LineOutcome::Mismatched,
        (true, false) => LineOutcome::Unknown,
        (false, _) if reported.payout.is_none() => LineOutcome::Waiting,
        (false, _) => LineOutcome::Settled,
    };
    let line = SettlementLine {
        provider: provider.to_string(),
        reference: reported.reference.clone(),
        kind: reported.kind,
        subject_id: judged.subject,
        policy: judged.policy,
        payout: reported.payout.clone(),
        gross: reported.gross,
        fee: reported.fee,
        outcome,
        why: judged.why,
        read: before.map_or(now, |before| before.read),
        accepted: None,
    };
    SETTLEMENT_LINES.put(tx, &key, &line)?;
    let posted = outcome == LineOutcome::Settled;
    if posted {
        match line.subject_id.zip(line.policy) {
            Some((subject, policy)) => {
                let entry = Entry::settle(now, provider, subject, line.gross, line.fee);
                ledger::post(tx, policy, &entry)?;
            }
            None => {
                let subject = SettlementLine::line_id(key);
                ledger::post_shop_entry(tx, &Entry::provider_fee(now, subject, -line.net()))?;
            }
        }
    }
    Ok(Compared { line, posted })
}

/// The known subject of a line, and the reason if the line does not match.
#[derive(Default)]
struct MatchResult {
    subject: Option<Uuid>,
    policy: Option<Uuid>,
    why: Option<String>,
}

impl MatchResult {
    fn unknown(why: String) -> Self {
        Self {
            why: Some(why),
            ..Self::default()
        }
    }

    fn new(subject: Uuid, policy: Uuid, why: Option<String>) -> Self {
        Self {
            subject: Some(subject),
            policy: Some(policy),
            why,
        }
    }
}

fn match_line(
    tx: &impl Read,
    provider: &str,
    line: &ReportLine,
    key: [u8; 32],
) -> Result<MatchResult, AppError> {
    match line.kind {
        LineKind::Fee => Ok(MatchResult::default()),
        LineKind::Other => Ok(MatchResult::unknown(format!(
            "nobody knows what \"{}\" is",
            line.word
        ))),
        LineKind::Payment => match payment(tx, provider, &line.names)? {
            Some(payment) if payment.lists(line.source.as_deref()) => Ok(MatchResult::unknown(
                "one attempt was paid a second time".to_string(),
            )),
            Some(payment) => {
                let why = match_payment(tx, &payment, line, key)?;
                Ok(MatchResult::new(payment.id, payment.quote, why))
            }
            None => Ok(MatchResult::unknown(
                "no payment of ours at this gateway has its references".to_string(),
            )),
        },
        LineKind::Refund | LineKind::RefundFailure => match refund(tx, provider, line)? {
            Some(refund) => {
                let why = match_refund(tx, &refund, line, key)?;
                Ok(MatchResult::new(refund.id, refund.policy, why))
            }
            None => Ok(MatchResult::unknown(
                "no refund of ours at this gateway has its references".to_string(),
            )),
        },
        LineKind::Dispute | LineKind::DisputeReturned => match dispute(tx, provider, line)? {
            Some(dispute) => {
                let why = match_dispute(tx, &dispute, line, key)?;
                Ok(MatchResult::new(dispute.id, dispute.policy, why))
            }
            // The line is judged when its money is paid out.
            None if line.payout.is_none() => Ok(MatchResult::default()),
            None => Ok(MatchResult::unknown(
                "no reported dispute has its references".to_string(),
            )),
        },
    }
}

/// Returns the refund that our id or the gateway's reference identifies. If there is none, returns
/// the payment's only refund of this amount that no line of this kind has settled. Returns `None`
/// if no refund or several refunds fit.
fn refund(tx: &impl Read, provider: &str, line: &ReportLine) -> Result<Option<Refund>, AppError> {
    for name in &line.names {
        let by_hand = Refund::gateway_refund_id(provider, name);
        let id = Uuid::parse_str(name).unwrap_or(by_hand);
        if let Some(refund) = REFUNDS.get(tx, &id)?
            && let Some(payment) = PAYMENTS.get(tx, &refund.payment)?
            && payment.provider == provider
        {
            return Ok(Some(refund));
        }
    }
    let Some(payment) = payment(tx, provider, &line.names)? else {
        return Ok(None);
    };
    let mut own = refunds_of(tx, payment.quote)?;
    own.retain(|refund| refund.payment == payment.id);
    let is_named = |refund: &Refund| refund.reference.is_some() && refund.reference == line.source;
    if let Some(named) = own.iter().find(|refund| is_named(refund)) {
        return Ok(Some(named.clone()));
    }
    let amount = if line.kind == LineKind::Refund {
        -line.gross
    } else {
        line.gross
    };
    // A refund with another reference at the gateway is another refund.
    let may_be = |refund: &Refund| refund.reference.is_none() || line.source.is_none();
    own.retain(|refund| refund.amount == amount && may_be(refund));
    let mut open = Vec::new();
    for refund in own {
        if settled_amounts(tx, refund.policy, refund.id, line.kind, [0; 32])?.is_empty() {
            open.push(refund);
        }
    }
    Ok(if open.len() == 1 { open.pop() } else { None })
}

/// Returns the dispute that the gateway's reference identifies. If there is none, returns the
/// payment's dispute if the payment has exactly one.
fn dispute(tx: &impl Read, provider: &str, line: &ReportLine) -> Result<Option<Dispute>, AppError> {
    for name in &line.names {
        if let Some(found) = DISPUTES.get(tx, &Dispute::dispute_id(provider, name))? {
            return Ok(Some(found));
        }
    }
    let Some(payment) = payment(tx, provider, &line.names)? else {
        return Ok(None);
    };
    let mut found = disputes_of(tx, payment.quote)?;
    found.retain(|dispute| dispute.payment == payment.id);
    Ok(if found.len() == 1 { found.pop() } else { None })
}

fn match_payment(
    tx: &impl Read,
    payment: &Payment,
    line: &ReportLine,
    key: [u8; 32],
) -> Result<Option<String>, AppError> {
    if payment.status.took_money() != Some(true) {
        return Ok(Some("we don't know this payment as paid".to_string()));
    }
    let expected = balance_of(tx, payment.id)?.taken;
    if line.gross != expected {
        return Ok(Some(format!("we know this payment as one of {expected}")));
    }
    Ok(duplicate_reason(&settled_amounts(
        tx,
        payment.quote,
        payment.id,
        line.kind,
        key,
    )?))
}

fn match_refund(
    tx: &impl Read,
    refund: &Refund,
    line: &ReportLine,
    key: [u8; 32],
) -> Result<Option<String>, AppError> {
    let amount = amount_at_gateway(tx, refund)?;
    let (expected, is_so) = match (line.kind, refund.status) {
        (LineKind::Refund, status) => (
            -amount,
            matches!(status, RefundStatus::Paid | RefundStatus::Failed),
        ),
        (_, status) => (amount, status == RefundStatus::Failed),
    };
    if !is_so {
        let why = match (line.kind, refund.status) {
            (LineKind::Refund, RefundStatus::Unconfirmed) => {
                "we could not confirm this refund: write down that it was made with `layby resolve --method \
                 refund-made`, and take in the report again"
            }
            (LineKind::Refund, _) => "we don't know this refund as made",
            _ => "we don't know this refund as one that came back",
        };
        return Ok(Some(why.to_string()));
    }
    if line.gross != expected {
        return Ok(Some(format!("we know this refund as one of {amount}")));
    }
    Ok(duplicate_reason(&settled_amounts(
        tx,
        refund.policy,
        refund.id,
        line.kind,
        key,
    )?))
}

/// Returns the amount that the gateway refunded, in pence. It exceeds the amount of a refund that came back
/// and was then split, because the customer had a part already.
fn amount_at_gateway(tx: &impl Read, refund: &Refund) -> Result<Pence, AppError> {
    let entries = ledger::entries(tx, refund.policy)?;
    let is_made =
        |entry: &&Entry| entry.cause_id == refund.id && entry.movement == Movement::Refund;
    let made = entries.iter().rfind(is_made);
    Ok(made.map_or(refund.amount, |entry| entry.amount_on(&Account::Refunds)))
}

fn match_dispute(
    tx: &impl Read,
    dispute: &Dispute,
    line: &ReportLine,
    key: [u8; 32],
) -> Result<Option<String>, AppError> {
    let is_taken = line.kind == LineKind::Dispute;
    let own = dispute.moves.iter().map(|one| one.amount);
    let own: Vec<Pence> = own
        .filter(|amount| (*amount > Pence::ZERO) == is_taken)
        .collect();
    let alike = own.iter().filter(|amount| **amount == -line.gross).count();
    if alike == 0 {
        let what = if is_taken { "taken" } else { "given back" };
        let all: Pence = own.into_iter().sum();
        let all = if is_taken { all } else { -all };
        return Ok(Some(format!(
            "we know of {all} that was {what} for this dispute"
        )));
    }
    // Each movement of the dispute has its own line.
    let mut before = settled_amounts(tx, dispute.policy, dispute.id, line.kind, key)?;
    before.retain(|gross| *gross == line.gross);
    Ok(if before.len() < alike {
        None
    } else {
        duplicate_reason(&before)
    })
}

fn duplicate_reason(before: &[Pence]) -> Option<String> {
    let sum: Pence = before.iter().copied().sum();
    (!before.is_empty()).then(|| format!("another line has paid {sum} for it"))
}

/// Returns the gross amounts, in pence, of the settled lines of this subject and kind. Leaves out
/// the line `key`.
fn settled_amounts(
    tx: &impl Read,
    policy: Uuid,
    subject: Uuid,
    kind: LineKind,
    key: [u8; 32],
) -> Result<Vec<Pence>, AppError> {
    let lines = SETTLEMENT_LINE_BY_POLICY.follow(tx, &policy, &SETTLEMENT_LINES)?;
    let settled = lines.iter().filter(|(other, line)| {
        *other != key
            && line.outcome == LineOutcome::Settled
            && (line.subject_id, line.kind) == (Some(subject), kind)
    });
    Ok(settled.map(|(_, line)| line.gross).collect())
}
