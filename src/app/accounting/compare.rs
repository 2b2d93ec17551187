//! Comparing a line of a payout report with what it is about, and writing what came of it.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::accounting::report::ReportLine;
use crate::app::payments::{balance_of, disputes_of, ledger, refunds_of};
use crate::domain::money::Pence;
use crate::domain::money::ledger::Entry;
use crate::domain::payment::dispute::Dispute;
use crate::domain::payment::refund::{Refund, RefundStatus};
use crate::domain::payment::settlement::{LineKind, LineOutcome, SettlementLine};
use crate::domain::payment::{Payment, PaymentStatus};
use crate::store::tables::{
    DISPUTES, PAYMENT_BY_REFERENCE, PAYMENTS, REFUNDS, SETTLEMENT_LINE_BY_POLICY, SETTLEMENT_LINES,
};
use crate::store::{Read, WriteTx};

/// What came of a line.
#[derive(Clone, Debug)]
pub(super) struct Compared {
    pub(super) line: SettlementLine,
    /// Whether its money has just been put into the ledger.
    pub(super) posted: bool,
}

/// Compares a line with ours and writes what came of it, with its money where both agree. A line
/// whose money is in the ledger is left as it is.
pub(super) fn take_in(
    tx: &mut WriteTx<'_>,
    provider: &str,
    told: &ReportLine,
    now: DateTime<Utc>,
) -> Result<Compared, AppError> {
    let key = SettlementLine::key_of(provider, &told.name);
    let before = SETTLEMENT_LINES.get(tx, &key)?;
    if let Some(before) = &before
        && before.outcome == LineOutcome::Settled
    {
        let mut line = before.clone();
        if (line.gross, line.fee, line.kind) != (told.gross, told.fee, told.kind) {
            line.outcome = LineOutcome::Mismatched;
            line.why = Some(format!(
                "it was read before as {} with a fee of {}, and that is in the ledger",
                line.gross, line.fee
            ));
        }
        let posted = false;
        return Ok(Compared { line, posted });
    }
    let judged = judge(tx, provider, told, key)?;
    let outcome = match (judged.why.is_some(), judged.about.is_some()) {
        (true, true) => LineOutcome::Mismatched,
        (true, false) => LineOutcome::Unknown,
        (false, _) if told.payout.is_none() => LineOutcome::Waiting,
        (false, _) => LineOutcome::Settled,
    };
    let line = SettlementLine {
        provider: provider.to_string(),
        reference: told.reference.clone(),
        kind: told.kind,
        about: judged.about,
        policy: judged.policy,
        payout: told.payout.clone(),
        gross: told.gross,
        fee: told.fee,
        outcome,
        why: judged.why,
        read: before.map_or(now, |before| before.read),
        accepted: None,
    };
    SETTLEMENT_LINES.put(tx, &key, &line)?;
    let posted = outcome == LineOutcome::Settled;
    if posted {
        match line.about.zip(line.policy) {
            Some((about, policy)) => {
                let entry = Entry::settled(now, provider, about, line.gross, line.fee);
                ledger::post(tx, policy, &entry)?;
            }
            None => {
                let about = SettlementLine::id_of(key);
                ledger::post_of_shop(tx, &Entry::provider_fee(now, about, -line.net()))?;
            }
        }
    }
    Ok(Compared { line, posted })
}

/// What a line is about, and why it doesn't agree with that.
#[derive(Default)]
struct Judged {
    about: Option<Uuid>,
    policy: Option<Uuid>,
    why: Option<String>,
}

impl Judged {
    fn unknown(why: String) -> Self {
        Self {
            why: Some(why),
            ..Self::default()
        }
    }

    fn about(about: Uuid, policy: Uuid, why: Option<String>) -> Self {
        Self {
            about: Some(about),
            policy: Some(policy),
            why,
        }
    }
}

fn judge(
    tx: &impl Read,
    provider: &str,
    told: &ReportLine,
    key: [u8; 32],
) -> Result<Judged, AppError> {
    match told.kind {
        LineKind::Fee => Ok(Judged::default()),
        LineKind::Other => Ok(Judged::unknown(format!(
            "nobody knows what \"{}\" is",
            told.word
        ))),
        LineKind::Payment => match payment(tx, provider, &told.names)? {
            Some(payment) => {
                let why = of_payment(tx, &payment, told, key)?;
                Ok(Judged::about(payment.id, payment.quote, why))
            }
            None => Ok(Judged::unknown(
                "no payment of ours at this gateway has its references".to_string(),
            )),
        },
        LineKind::Refund | LineKind::RefundFailure => match refund(tx, provider, told)? {
            Some(refund) => {
                let why = of_refund(tx, &refund, told, key)?;
                Ok(Judged::about(refund.id, refund.policy, why))
            }
            None => Ok(Judged::unknown(
                "no refund of ours at this gateway has its references".to_string(),
            )),
        },
        LineKind::Dispute | LineKind::DisputeReturned => match dispute(tx, provider, told)? {
            Some(dispute) => {
                let why = of_dispute(tx, &dispute, told, key)?;
                Ok(Judged::about(dispute.id, dispute.policy, why))
            }
            None => Ok(Judged::unknown(
                "no dispute that we were told of has its references".to_string(),
            )),
        },
    }
}

/// The payment that one of the names is of, by our id or by the gateway's own name.
fn payment(tx: &impl Read, provider: &str, names: &[String]) -> Result<Option<Payment>, AppError> {
    for name in names {
        let id = match Uuid::parse_str(name) {
            Ok(id) => Some(id),
            Err(_) => PAYMENT_BY_REFERENCE.get(tx, &(provider.to_string(), name.clone()))?,
        };
        if let Some(id) = id
            && let Some(payment) = PAYMENTS.get(tx, &id)?
            && payment.provider == provider
        {
            return Ok(Some(payment));
        }
    }
    Ok(None)
}

/// The refund by our id or the gateway's name of it, or the only one of the payment that fits and isn't
/// paid out yet.
fn refund(tx: &impl Read, provider: &str, told: &ReportLine) -> Result<Option<Refund>, AppError> {
    for name in &told.names {
        let by_hand = Refund::id_by_hand(provider, name);
        let id = Uuid::parse_str(name).unwrap_or(by_hand);
        if let Some(refund) = REFUNDS.get(tx, &id)?
            && let Some(payment) = PAYMENTS.get(tx, &refund.payment)?
            && payment.provider == provider
        {
            return Ok(Some(refund));
        }
    }
    let Some(payment) = payment(tx, provider, &told.names)? else {
        return Ok(None);
    };
    let mut own = refunds_of(tx, payment.quote)?;
    own.retain(|refund| refund.payment == payment.id);
    let is_named = |refund: &Refund| refund.reference.is_some() && refund.reference == told.source;
    if let Some(named) = own.iter().find(|refund| is_named(refund)) {
        return Ok(Some(named.clone()));
    }
    let amount = if told.kind == LineKind::Refund {
        -told.gross
    } else {
        told.gross
    };
    // One that has another name at the gateway is another one.
    let may_be = |refund: &Refund| refund.reference.is_none() || told.source.is_none();
    own.retain(|refund| refund.amount == amount && may_be(refund));
    let mut open = Vec::new();
    for refund in own {
        if settled(tx, refund.policy, refund.id, told.kind, [0; 32])?.is_empty() {
            open.push(refund);
        }
    }
    Ok(if open.len() == 1 { open.pop() } else { None })
}

/// The dispute by the gateway's name of it, or the only one of the payment.
fn dispute(tx: &impl Read, provider: &str, told: &ReportLine) -> Result<Option<Dispute>, AppError> {
    for name in &told.names {
        if let Some(found) = DISPUTES.get(tx, &Dispute::id_of(provider, name))? {
            return Ok(Some(found));
        }
    }
    let Some(payment) = payment(tx, provider, &told.names)? else {
        return Ok(None);
    };
    let mut found = disputes_of(tx, payment.quote)?;
    found.retain(|dispute| dispute.payment == payment.id);
    Ok(if found.len() == 1 { found.pop() } else { None })
}

fn of_payment(
    tx: &impl Read,
    payment: &Payment,
    told: &ReportLine,
    key: [u8; 32],
) -> Result<Option<String>, AppError> {
    use PaymentStatus::{Paid, Refunded, Refunding};
    if !matches!(payment.status, Paid | Refunding | Refunded) {
        return Ok(Some("we don't know this payment as paid".to_string()));
    }
    let expected = balance_of(tx, payment.id)?.taken;
    if told.gross != expected {
        return Ok(Some(format!("we know this payment as one of {expected}")));
    }
    Ok(twice(&settled(
        tx,
        payment.quote,
        payment.id,
        told.kind,
        key,
    )?))
}

fn of_refund(
    tx: &impl Read,
    refund: &Refund,
    told: &ReportLine,
    key: [u8; 32],
) -> Result<Option<String>, AppError> {
    let (expected, is_so) = match (told.kind, refund.status) {
        (LineKind::Refund, status) => (
            -refund.amount,
            matches!(status, RefundStatus::Paid | RefundStatus::Failed),
        ),
        (_, status) => (refund.amount, status == RefundStatus::Failed),
    };
    if !is_so {
        let why = match told.kind {
            LineKind::Refund => "we don't know this refund as made",
            _ => "we don't know this refund as one that came back",
        };
        return Ok(Some(why.to_string()));
    }
    if told.gross != expected {
        return Ok(Some(format!(
            "we know this refund as one of {}",
            refund.amount
        )));
    }
    Ok(twice(&settled(
        tx,
        refund.policy,
        refund.id,
        told.kind,
        key,
    )?))
}

fn of_dispute(
    tx: &impl Read,
    dispute: &Dispute,
    told: &ReportLine,
    key: [u8; 32],
) -> Result<Option<String>, AppError> {
    let is_taken = told.kind == LineKind::Dispute;
    let own = dispute.moves.iter().map(|one| one.amount);
    let own: Vec<Pence> = own
        .filter(|amount| (*amount > Pence::ZERO) == is_taken)
        .collect();
    let alike = own.iter().filter(|amount| **amount == -told.gross).count();
    if alike == 0 {
        let what = if is_taken { "taken" } else { "given back" };
        let all: Pence = own.into_iter().sum();
        let all = if is_taken { all } else { -all };
        return Ok(Some(format!(
            "we know of {all} that was {what} for this dispute"
        )));
    }
    // Each of its movements is in one line.
    let mut before = settled(tx, dispute.policy, dispute.id, told.kind, key)?;
    before.retain(|gross| *gross == told.gross);
    Ok(if before.len() < alike {
        None
    } else {
        twice(&before)
    })
}

fn twice(before: &[Pence]) -> Option<String> {
    let sum: Pence = before.iter().copied().sum();
    (!before.is_empty()).then(|| format!("another line has paid {sum} for it"))
}

/// What each other line than `key` has settled of something of this kind, pence.
fn settled(
    tx: &impl Read,
    policy: Uuid,
    about: Uuid,
    kind: LineKind,
    key: [u8; 32],
) -> Result<Vec<Pence>, AppError> {
    let lines = SETTLEMENT_LINE_BY_POLICY.follow(tx, &policy, &SETTLEMENT_LINES)?;
    let settled = lines.iter().filter(|(other, line)| {
        *other != key
            && line.outcome == LineOutcome::Settled
            && (line.about, line.kind) == (Some(about), kind)
    });
    Ok(settled.map(|(_, line)| line.gross).collect())
}
