//! Payments, refunds and disputes that no payout report has named in days.

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

/// Working days within which a report should name what a gateway holds.
pub(super) const LATE_WORKING_DAYS: u32 = 3;

/// Money of ours that a gateway holds, and that no report has named.
#[derive(Clone, Debug)]
pub(super) struct Late {
    pub(super) policy: Uuid,
    /// The payment, refund or dispute.
    pub(super) subject: Uuid,
    /// What the gateway holds of it, pence; below zero, it is yet to keep that much back.
    pub(super) amount: Pence,
    /// Since when.
    pub(super) since: DateTime<Utc>,
}

/// What of a gateway is late, by policy. Memory grows with what is late, not with the ledger.
pub(super) fn late(
    tx: &impl Read,
    provider: &str,
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
        let is_due = |since| today > add_working_days(london_date(since), LATE_WORKING_DAYS);
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

/// What a report has named with other figures: that is said of it already.
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
