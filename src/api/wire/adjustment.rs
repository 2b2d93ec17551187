//! Changes of a policy as they go over the wire.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::answers::SerializedProduct;
use super::lookup::{SavedLookup, named};
use super::refund::{AmountLine, RefundInfo};
use crate::app::policies::adjustment::{Offered, PricedChange, WishedChange};
use crate::domain::adjustment::{Adjustment, AdjustmentKind, AdjustmentStatus, DifferenceKind};
use crate::domain::money::Pence;
use crate::domain::price::Line;
use crate::schema::{RequestSchema, ResponseSchema};

/// Answers to be changed.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct AdjustmentRequest {
    /// All answers, or only the changed ones; a repeatable dataset whole.
    pub(in crate::api) product: SerializedProduct,
    /// The day it counts from, from 00:00 in London: a day of the policy's `change_days`. If it is
    /// left out, the first of them is used.
    pub(in crate::api) effective_date: Option<NaiveDate>,
    /// The vehicles that were looked up, and what the customer said to each. They aren't read where
    /// only a price is asked for, so what they would fill has to be there.
    pub(in crate::api) lookups: Option<Vec<SavedLookup>>,
}

impl AdjustmentRequest {
    /// What the change is to do.
    pub(in crate::api) fn wished(self) -> WishedChange {
        WishedChange {
            answers: self.product.answers(),
            effective: self.effective_date,
            lookups: named(self.lookups),
        }
    }
}

/// A change that was offered.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct AdjustmentId {
    pub(in crate::api) adjustment_id: String,
}

/// An answer before and after; or one of several, such as a vehicle, that is added or removed.
#[derive(Serialize, ResponseSchema)]
pub struct ChangedAnswer {
    kind: DifferenceKind,
    path: String,
    /// The question, or "Added" or "Removed".
    label: String,
    /// Null when there was nothing.
    before: Option<String>,
    /// Null when there is nothing any more.
    after: Option<String>,
}

/// Days over the wire; a change counts for none that is past.
fn days(days: i64) -> u32 {
    u32::try_from(days).unwrap_or(0)
}

/// What a change would cost.
#[derive(Serialize, ResponseSchema)]
pub struct ChangePrice {
    /// The first day of the change.
    effective_date: NaiveDate,
    /// What the whole term costs as it is, and with the change.
    premium_before: Pence,
    premium_after: Pence,
    /// What would be due for the days that are left; comes back when negative.
    amount_now: Pence,
    days_left: u32,
    days_in_term: u32,
}

impl From<PricedChange> for ChangePrice {
    fn from(priced: PricedChange) -> Self {
        Self {
            effective_date: priced.effective,
            premium_before: priced.before,
            premium_after: priced.after,
            amount_now: priced.figures.amount,
            days_left: days(priced.figures.days_left),
            days_in_term: days(priced.figures.days_in_term),
        }
    }
}

/// A change of a policy.
#[derive(Serialize, ResponseSchema)]
pub struct AdjustmentInfo {
    adjustment_id: Uuid,
    kind: AdjustmentKind,
    status: AdjustmentStatus,
    /// The day it counts from, from 00:00 in London.
    effective_date: NaiveDate,
    premium_before: Pence,
    premium_after: Pence,
    /// Due now; comes back when negative, on the day it counts from.
    amount_now: Pence,
    tax_now: Pence,
    days_left: u32,
    days_in_term: u32,
    lines: Vec<AmountLine>,
    changes: Vec<ChangedAnswer>,
    /// What the customer should know before they make it, but need not act on.
    notices: Vec<String>,
    created: DateTime<Utc>,
    expires: DateTime<Utc>,
    /// When it was agreed, and paid where more was due.
    agreed: Option<DateTime<Utc>>,
    /// When it came into force.
    applied: Option<DateTime<Utc>>,
    /// When it was withdrawn, or dropped because the policy ends before it.
    given_up: Option<DateTime<Utc>>,
    /// Whether `PUT /api/v1/policy/ntu/{adjustment_id}` takes it back now.
    can_withdraw: bool,
    /// What comes back for it: of a decrease, or of a paid increase that was withdrawn or dropped.
    /// Null where nothing does. Its status is `none` until the money is on its way.
    refund: Option<RefundInfo>,
    revision: Option<u32>,
}

impl From<Offered> for AdjustmentInfo {
    fn from(offered: Offered) -> Self {
        let Adjustment {
            id,
            price,
            before,
            figures,
            effective,
            changes,
            created,
            applied,
            revision,
            agreed,
            given_up,
            ..
        } = &offered.adjustment;
        Self {
            adjustment_id: *id,
            kind: offered.adjustment.kind(),
            status: offered.status,
            effective_date: *effective,
            premium_before: *before,
            premium_after: price.taxed,
            amount_now: figures.amount,
            tax_now: figures.tax,
            days_left: days(figures.days_left),
            days_in_term: days(figures.days_in_term),
            lines: lines(&figures.lines),
            changes: changes
                .iter()
                .map(|change| ChangedAnswer {
                    kind: change.kind(),
                    path: change.path.clone(),
                    label: change.label.clone(),
                    before: unless_empty(&change.before),
                    after: unless_empty(&change.after),
                })
                .collect(),
            notices: offered.notices.clone(),
            created: *created,
            expires: offered.adjustment.expires(),
            agreed: *agreed,
            applied: *applied,
            given_up: *given_up,
            can_withdraw: offered.can_withdraw,
            refund: refund_of(&offered),
            revision: *revision,
        }
    }
}

/// What comes back for a change; none where nothing does.
pub(in crate::api) fn refund_of(offered: &Offered) -> Option<RefundInfo> {
    offered.refund.map(|back| RefundInfo {
        amount: back.amount,
        lines: lines(&offered.adjustment.refund_lines(back.amount)),
        status: back.progress,
    })
}

fn lines(of: &[Line]) -> Vec<AmountLine> {
    of.iter().map(AmountLine::from).collect()
}

fn unless_empty(words: &str) -> Option<String> {
    (!words.is_empty()).then(|| words.to_string())
}

/// What a change gives back.
#[derive(Serialize, ResponseSchema)]
pub struct DecreaseInfo {
    pub(in crate::api) adjustment_id: Uuid,
    pub(in crate::api) refund: RefundInfo,
}

/// Whether a change was made that doesn't move the price.
#[derive(Serialize, ResponseSchema)]
pub struct PriceKept {
    /// 1 when it was made, and 0 when it was not.
    pub(in crate::api) success: u8,
    pub(in crate::api) errors: BTreeMap<String, Vec<String>>,
}
