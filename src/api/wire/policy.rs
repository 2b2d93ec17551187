//! A policy as it is read over the wire.

use serde::Serialize;
use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use super::adjustment::AdjustmentInfo;
use super::cancellation::ActivityInfo;
use super::renewal::RenewalInfo;
use crate::app::policies::PermittedActions;
use crate::app::policies::renewal::NextYear;
use crate::domain::money::Pence;
use crate::domain::policy::DayRange;
use crate::schema::ResponseSchema;

/// What may be done with a policy now.
#[derive(Serialize, ResponseSchema)]
pub struct PolicyCan {
    view: bool,
    change: bool,
    cancel: bool,
    not_take_up: bool,
    renew: bool,
    auto_renew: bool,
}

/// The policy a quote became.
#[derive(Serialize, ResponseSchema)]
pub struct PolicyInfo {
    pub(in crate::api) inception: NaiveDate,
    pub(in crate::api) expiry: NaiveDate,
    pub(in crate::api) cover_begins: DateTime<Utc>,
    pub(in crate::api) auto_renew: bool,
    /// What the customer has paid on balance.
    pub(in crate::api) paid: Pence,
    /// Whether a bank decides a dispute of a payment: a refund of that payment waits.
    pub(in crate::api) is_disputed: bool,
    pub(in crate::api) purchased: DateTime<Utc>,
    pub(in crate::api) can: PolicyCan,
    /// Why what can't be done can't, by the names of `can`.
    pub(in crate::api) why_not: BTreeMap<String, String>,
    /// Answers no change may touch: `field`, or `dataset.field`.
    pub(in crate::api) locked: Vec<String>,
    /// Whether the card that paid is there for a renewal: whoever paid agreed to it before paying.
    pub(in crate::api) card_stored: bool,
    /// How it was ended early.
    pub(in crate::api) cancellation: Option<ActivityInfo>,
    /// The cancellation that is asked for a later day; for the owner.
    pub(in crate::api) pending_cancellation: Option<ActivityInfo>,
    /// The change that is agreed for a later day; for the owner.
    pub(in crate::api) coming_change: Option<AdjustmentInfo>,
    /// The days that a change may count from; null while it can't be changed.
    pub(in crate::api) change_days: Option<DayRange>,
    /// The later days, beside today, for which it may be cancelled; null where there are none.
    pub(in crate::api) cancel_days: Option<DayRange>,
    pub(in crate::api) renewal: Option<RenewalInfo>,
    /// What comes after its last day; where it is to end early, what comes if that is withdrawn,
    /// but for `renewed`, which stays.
    pub(in crate::api) next_year: NextYear,
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
            ("change", &may.change),
            ("cancel", &may.cancel),
            ("not_take_up", &may.not_take_up),
            ("auto_renew", &may.auto_renew),
        ];
        let refused = rules.into_iter().filter_map(|(name, rule)| {
            let why = rule.as_ref().err()?;
            Some((name.to_string(), why.to_string()))
        });
        let not_renewed = may.not_renewed.clone();
        let not_renewed = not_renewed.map(|why| ("renew".to_string(), why));
        let can = PolicyCan {
            view: true,
            change: may.change.is_ok(),
            cancel: may.cancel.is_ok(),
            not_take_up: may.not_take_up.is_ok(),
            renew,
            auto_renew: may.auto_renew.is_ok(),
        };
        (can, refused.chain(not_renewed).collect())
    }
}
