//! Policies, their changes, their ending and their renewal as they go over the wire.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use poem_openapi::Object;
use serde::Serialize;
use uuid::Uuid;

use super::Pounds;
use super::quote::SerializedProduct;
use crate::app::policies::PermittedActions;
use crate::app::policies::adjustment::Offered;
use crate::app::policies::cancellation::{Activity, Returning};
use crate::app::policies::renewal::Comparison;
use crate::domain::adjustment::Adjustment;
use crate::domain::cancellation;
use crate::domain::dates;
use crate::domain::price::Line;
use crate::domain::renewal::COMPARE;

/// What may be done with a policy now.
#[derive(Object, Serialize)]
pub struct PolicyCan {
    view: bool,
    change: bool,
    cancel: bool,
    not_take_up: bool,
    renew: bool,
    auto_renew: bool,
}

/// The policy a quote became.
#[derive(Object, Serialize)]
pub struct PolicyInfo {
    pub(in crate::api) inception: NaiveDate,
    pub(in crate::api) expiry: NaiveDate,
    pub(in crate::api) cover_begins: DateTime<Utc>,
    pub(in crate::api) auto_renew: bool,
    /// What the customer has paid on balance.
    pub(in crate::api) paid: Pounds,
    pub(in crate::api) purchased: DateTime<Utc>,
    pub(in crate::api) can: PolicyCan,
    /// Why what can't be done can't, by the names of `can`.
    pub(in crate::api) why_not: BTreeMap<String, String>,
    /// Answers no change may touch: `field`, or `dataset.field`.
    pub(in crate::api) locked: Vec<String>,
    pub(in crate::api) card_stored: bool,
    pub(in crate::api) cancellation: Option<ActivityInfo>,
    pub(in crate::api) renewal: Option<RenewalInfo>,
    /// The policy that follows it.
    pub(in crate::api) renewed_by: Option<Uuid>,
    /// The policy it follows.
    pub(in crate::api) renews: Option<Uuid>,
}

impl PolicyInfo {
    /// What may be done, and why the rest may not; `renew` is whether a renewal can be bought.
    pub(in crate::api) fn can(
        may: &PermittedActions,
        renew: bool,
    ) -> (PolicyCan, BTreeMap<String, String>) {
        let rules = [
            ("change", may.change),
            ("cancel", may.cancel),
            ("not_take_up", may.not_take_up),
            ("auto_renew", may.auto_renew),
        ];
        let refused = rules.into_iter().filter_map(|(name, rule)| {
            let why = rule.err()?;
            Some((name.to_string(), why.to_string()))
        });
        let can = PolicyCan {
            view: true,
            change: may.change.is_ok(),
            cancel: may.cancel.is_ok(),
            not_take_up: may.not_take_up.is_ok(),
            renew,
            auto_renew: may.auto_renew.is_ok(),
        };
        (can, refused.collect())
    }
}

/// A policy's renewal quote in short.
#[derive(Object, Serialize)]
pub struct RenewalInfo {
    quote_uuid: Uuid,
    reference: String,
    status_id: u32,
    price: Option<Pounds>,
    price_last_year: Pounds,
    price_new_customer: Option<Pounds>,
    starts: NaiveDate,
    holds_until: Option<NaiveDate>,
    /// When the stored card is charged, where it renews by itself.
    charge_on: Option<NaiveDate>,
}

impl From<&Comparison> for RenewalInfo {
    fn from(renewal: &Comparison) -> Self {
        Self {
            quote_uuid: renewal.quote,
            reference: renewal.reference.clone(),
            status_id: renewal.status.id(),
            price: renewal.price.map(Pounds),
            price_last_year: Pounds(renewal.last_year),
            price_new_customer: renewal.new_customer.map(Pounds),
            starts: renewal.starts,
            holds_until: renewal.holds_until,
            charge_on: renewal.charge_on,
        }
    }
}

/// A reason why the renewal's price is another.
#[derive(Object, Serialize)]
pub struct DifferenceInfo {
    label: String,
    amount: Pounds,
}

/// A renewal beside the policy it follows.
#[derive(Object, Serialize)]
pub struct RenewalComparison {
    policy_uuid: Uuid,
    reference: String,
    price_last_year: Pounds,
    price: Option<Pounds>,
    price_new_customer: Option<Pounds>,
    /// They lead from last year's price to this year's.
    differences: Vec<DifferenceInfo>,
    starts: NaiveDate,
    /// Last day of the cover it follows.
    last_day: NaiveDate,
    auto_renew: bool,
    charge_on: Option<NaiveDate>,
    /// Words every renewal comes with.
    compare_text: String,
}

impl From<Comparison> for RenewalComparison {
    fn from(renewal: Comparison) -> Self {
        let differences = renewal.differences.iter().map(|difference| DifferenceInfo {
            label: difference.label.to_string(),
            amount: Pounds(difference.amount),
        });
        Self {
            differences: differences.collect(),
            policy_uuid: renewal.policy,
            reference: renewal.reference,
            price_last_year: Pounds(renewal.last_year),
            price: renewal.price.map(Pounds),
            price_new_customer: renewal.new_customer.map(Pounds),
            starts: renewal.starts,
            last_day: dates::add_days(renewal.starts, -1),
            auto_renew: renewal.auto_renew,
            charge_on: renewal.charge_on,
            compare_text: COMPARE.to_string(),
        }
    }
}

/// Answers to be changed.
#[derive(Object)]
pub struct ChangeRequest {
    /// All answers, or only the changed ones; a repeatable dataset whole.
    pub(in crate::api) product: SerializedProduct,
    /// The day it counts from: today, or the first day of cover that has not begun. No other day is
    /// taken; none means that day.
    pub(in crate::api) effective_date: Option<NaiveDate>,
}

/// A change that was offered.
#[derive(Object)]
pub struct AdjustmentId {
    pub(in crate::api) adjustment_id: String,
}

/// A line of an amount.
#[derive(Object, Serialize)]
pub struct AmountLine {
    code: String,
    label: String,
    amount: Pounds,
}

impl From<&Line> for AmountLine {
    fn from(line: &Line) -> Self {
        Self {
            code: line.code.clone(),
            label: line.label.clone(),
            amount: Pounds(line.amount),
        }
    }
}

/// An answer before and after.
#[derive(Object, Serialize)]
pub struct ChangedAnswer {
    path: String,
    label: String,
    /// Null when there was nothing.
    before: Option<String>,
    /// Null when there is nothing any more.
    after: Option<String>,
}

/// A change of a policy.
#[derive(Object, Serialize)]
pub struct AdjustmentInfo {
    adjustment_id: Uuid,
    /// `keep`, `increase` or `decrease`.
    kind: String,
    /// `pending`, `applied`, `expired` or `superseded`.
    status: String,
    effective_date: NaiveDate,
    premium_before: Pounds,
    premium_after: Pounds,
    /// Due now; comes back when negative.
    amount_now: Pounds,
    tax_now: Pounds,
    days_left: u32,
    days_in_term: u32,
    lines: Vec<AmountLine>,
    changes: Vec<ChangedAnswer>,
    /// What the customer should know before they make it, but need not act on.
    notices: Vec<String>,
    created: DateTime<Utc>,
    expires: DateTime<Utc>,
    applied: Option<DateTime<Utc>>,
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
            ..
        } = &offered.adjustment;
        let days = |days: i64| u32::try_from(days).unwrap_or(0);
        Self {
            adjustment_id: *id,
            kind: offered.adjustment.kind().name().to_string(),
            status: offered.status.name().to_string(),
            effective_date: *effective,
            premium_before: Pounds(*before),
            premium_after: Pounds(price.taxed),
            amount_now: Pounds(figures.amount),
            tax_now: Pounds(figures.tax),
            days_left: days(figures.days_left),
            days_in_term: days(figures.days_in_term),
            lines: figures.lines.iter().map(AmountLine::from).collect(),
            changes: changes
                .iter()
                .map(|change| ChangedAnswer {
                    path: change.path.clone(),
                    label: change.label.clone(),
                    before: said(&change.before),
                    after: said(&change.after),
                })
                .collect(),
            notices: offered.notices.clone(),
            created: *created,
            expires: offered.adjustment.expires(),
            applied: *applied,
            revision: *revision,
        }
    }
}

fn said(words: &str) -> Option<String> {
    (!words.is_empty()).then(|| words.to_string())
}

/// What a change gives back.
#[derive(Object, Serialize)]
pub struct DecreaseInfo {
    pub(in crate::api) adjustment_id: Uuid,
    pub(in crate::api) refund: RefundInfo,
}

/// Money that comes back.
#[derive(Object, Serialize)]
pub struct RefundInfo {
    pub(in crate::api) amount: Pounds,
    pub(in crate::api) lines: Vec<AmountLine>,
    /// `none`, `pending`, `paid` or `refused`.
    pub(in crate::api) status: String,
}

/// Whether a change was made that doesn't move the price.
#[derive(Object, Serialize)]
pub struct PriceKept {
    /// 1 when it was made.
    pub(in crate::api) success: u8,
    pub(in crate::api) errors: BTreeMap<String, Vec<String>>,
}

/// A policy that was not taken up.
#[derive(Object, Serialize)]
pub struct NotTakenUp {
    pub(in crate::api) status_id: u32,
    pub(in crate::api) refund: RefundInfo,
}

/// The switch of renewing by itself.
#[derive(Object, Serialize)]
pub struct AutoRenew {
    pub(in crate::api) auto_renew: bool,
}

/// A reason to cancel.
#[derive(Object, Serialize)]
pub struct ReasonInfo {
    pub(in crate::api) id: u32,
    pub(in crate::api) title: String,
}

/// Something a customer asks for a policy.
#[derive(Object)]
pub struct ActivityRequest {
    /// `cancellation`.
    #[oai(rename = "type")]
    pub(in crate::api) kind: String,
    pub(in crate::api) policy_uuid: String,
    pub(in crate::api) reason_id: Option<u32>,
    pub(in crate::api) effective_date: Option<NaiveDate>,
    pub(in crate::api) note: Option<String>,
    /// True to see the refund; nothing changes.
    #[oai(default)]
    pub(in crate::api) preview: bool,
}

/// Something a customer asked for a policy.
#[derive(Object, Serialize)]
pub struct ActivityInfo {
    /// None while it is only looked at.
    id: Option<Uuid>,
    /// `cancellation`.
    #[oai(rename = "type")]
    #[serde(rename = "type")]
    kind: String,
    /// `preview`, `pending` while money is on its way, or `done`.
    status: String,
    reason_id: Option<u32>,
    reason: Option<String>,
    note: Option<String>,
    effective_date: NaiveDate,
    created: DateTime<Utc>,
    refund: RefundInfo,
}

impl From<Activity> for ActivityInfo {
    fn from(activity: Activity) -> Self {
        let cancellation = &activity.cancellation;
        let status = match activity.returning {
            None => "preview",
            Some(Returning::Pending) => "pending",
            Some(_) => "done",
        };
        Self {
            id: activity.returning.map(|_| cancellation.id),
            kind: "cancellation".to_string(),
            status: status.to_string(),
            reason_id: cancellation.reason,
            reason: cancellation
                .reason
                .and_then(cancellation::reason)
                .map(str::to_string),
            note: cancellation.note.clone(),
            effective_date: cancellation.effective,
            created: cancellation.created,
            refund: RefundInfo::from(&activity),
        }
    }
}

impl From<&Activity> for RefundInfo {
    fn from(activity: &Activity) -> Self {
        let refund = &activity.cancellation.refund;
        let status = match activity.returning {
            None | Some(Returning::Nothing) => "none",
            Some(Returning::Pending) => "pending",
            Some(Returning::Paid) => "paid",
            Some(Returning::Refused) => "refused",
        };
        Self {
            amount: Pounds(refund.amount),
            lines: refund.lines.iter().map(AmountLine::from).collect(),
            status: status.to_string(),
        }
    }
}
