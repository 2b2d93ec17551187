//! Lists payments, refunds and disputes that no line of a payout has settled in time.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::domain::money::Pence;
use crate::domain::money::ledger::{Account, Entry};
use crate::domain::payment::settlement::LineOutcome;
use crate::domain::time::dates::{add_working_days, london_date};
use crate::store::Read;
use crate::store::tables::{LEDGER, SETTLEMENT_LINES};

/// An amount that a gateway holds, and that no line of a payout has settled. An amount with a
/// mismatched line does not count.
#[derive(Clone, Debug)]
pub(super) struct Late {
    pub(super) policy: Uuid,
    /// The id of the payment, refund or dispute.
    pub(super) subject: Uuid,
    /// The amount that the gateway holds, in pence. The gateway must still deduct a negative
    /// amount.
    pub(super) amount: Pence,
    /// When the subject's first ledger entry on the gateway's account was written.
    pub(super) since: DateTime<Utc>,
}

/// Returns a gateway's late items, by policy: those that no line of a payout has settled within `working_days`.
/// Reads one policy's entries at a time, so memory use does not grow with the ledger.
pub(super) fn late(
    tx: &impl Read,
    (provider, working_days): (&str, u32),
    now: DateTime<Utc>,
) -> Result<Vec<Late>, AppError> {
    let named = mismatched(tx, provider)?;
    let (account, today) = (Account::gateway(provider), london_date(now));
    let mut found = Vec::new();
    let mut policy_entries: (Uuid, Vec<Entry>) = (Uuid::nil(), Vec::new());
    let mut end = |(policy, entries): (Uuid, Vec<Entry>)| {
        let mut open_items: HashMap<Uuid, (Pence, DateTime<Utc>)> = HashMap::new();
        for entry in entries {
            let moved = entry.amount_on(&account);
            if moved != Pence::ZERO {
                let own = open_items
                    .entry(entry.cause_id)
                    .or_insert((Pence::ZERO, entry.at));
                own.0 += moved;
            }
        }
        let is_due = |since| today > add_working_days(london_date(since), working_days);
        let late = open_items.into_iter().filter(|(subject, (amount, since))| {
            *amount != Pence::ZERO && is_due(*since) && !named.contains(subject)
        });
        let mut late: Vec<Late> = late
            .map(|(subject, (amount, since))| Late {
                policy,
                subject,
                amount,
                since,
            })
            .collect();
        late.sort_by_key(|one| (one.since, one.subject));
        found.extend(late);
    };
    for row in LEDGER.rows(tx, &()) {
        let ((policy, _), entry) = row?;
        if policy != policy_entries.0 {
            end(std::mem::replace(&mut policy_entries, (policy, Vec::new())));
        }
        policy_entries.1.push(entry);
    }
    end(policy_entries);
    Ok(found)
}

/// Returns the subjects of a gateway's mismatched lines. These subjects do not count as late,
/// because each mismatched line is reported itself.
fn mismatched(tx: &impl Read, provider: &str) -> Result<HashSet<Uuid>, AppError> {
    let mut found = HashSet::new();
    for row in SETTLEMENT_LINES.rows(tx, &()) {
        let (_, line) = row?;
        if line.provider == provider && line.outcome == LineOutcome::Mismatched {
            found.extend(line.subject_id);
        }
    }
    Ok(found)
}
