//! A policy's renewal as it goes over the wire.

use chrono::NaiveDate;
use poem_openapi::Enum;
use serde::Serialize;
use uuid::Uuid;

use super::published::{answer, request};
use super::{Pounds, StatusId};
use crate::app::policies::renewal::{self, Comparison};
use crate::domain::dates;
use crate::domain::renewal::COMPARE;

/// What comes after a policy's last day. `by_itself`: the card is charged on it. `by_hand`: it ends,
/// unless somebody renews it; so with `no_card`, where the card can't be charged any more,
/// `card_refused`, where it was asked and did not pay, and `incomplete`, where the renewal needs more
/// answers first. `charging`: the card is being charged. `card_unclear`: it was asked, and nobody has said
/// for days whether it paid. `renewed`: the next year is bought. It ends
/// and is not renewed: `undone`, because the customer undid the renewal, `declined` by underwriting, or
/// a `single_trip`. `ended`: it has ended and wasn't renewed.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case", remote = "renewal::NextYear")]
#[serde(rename_all = "snake_case")]
pub enum NextYear {
    ByItself,
    ByHand,
    NoCard,
    Incomplete,
    Charging,
    CardUnclear,
    CardRefused,
    Renewed,
    Undone,
    Declined,
    SingleTrip,
    Ended,
}

answer! {
    /// A policy's renewal quote in short.
    pub struct RenewalInfo {
        quote_uuid: Uuid,
        reference: String,
        status_id: StatusId,
        price: Option<Pounds>,
        price_last_year: Pounds,
        price_new_customer: Option<Pounds>,
        starts: NaiveDate,
        holds_until: Option<NaiveDate>,
        /// When the stored card is charged, where it renews by itself.
        charge_on: Option<NaiveDate>,
    }
}

impl From<&Comparison> for RenewalInfo {
    fn from(renewal: &Comparison) -> Self {
        Self {
            quote_uuid: renewal.quote,
            reference: renewal.reference.clone(),
            status_id: StatusId(renewal.status),
            price: renewal.price.map(Pounds),
            price_last_year: Pounds(renewal.last_year),
            price_new_customer: renewal.new_customer.map(Pounds),
            starts: renewal.starts,
            holds_until: renewal.holds_until,
            charge_on: renewal.charge_on,
        }
    }
}

answer! {
    /// A reason why the renewal's price is another.
    pub struct DifferenceInfo {
        label: String,
        amount: Pounds,
    }
}

answer! {
    /// A renewal beside the policy it follows.
    pub struct RenewalComparison {
        policy_uuid: Uuid,
        reference: String,
        price_last_year: Pounds,
        price: Option<Pounds>,
        price_new_customer: Option<Pounds>,
        /// Together they are the difference between the current cover's price and the next year's.
        differences: Vec<DifferenceInfo>,
        starts: NaiveDate,
        /// Last day of the cover it follows.
        last_day: NaiveDate,
        auto_renew: bool,
        charge_on: Option<NaiveDate>,
        /// What comes after the policy's last day.
        next_year: NextYear,
        /// First day of a change that is agreed for a later day: both prices count it in. Null where
        /// none is.
        change_from: Option<NaiveDate>,
        /// A text that must be shown with every renewal.
        compare_text: &'static str,
    }
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
            next_year: renewal.next_year.into(),
            change_from: renewal.change_from,
            compare_text: COMPARE,
        }
    }
}

answer! {
    /// Whether the policy renews automatically.
    pub struct AutoRenew {
        pub(in crate::api) auto_renew: bool,
    }
}

request! {
    /// Whether a policy is to renew by itself.
    pub struct AutoRenewRequest {
        pub(in crate::api) auto_renew: bool,
    }
}
