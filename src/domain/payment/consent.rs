//! The customer's consent to keep the card of a payment and to charge it later.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::policy::renewal::FIRST_TRY;

/// The consent, as the customer gave it. It is stored with the payment that keeps the card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consent {
    /// The version of the shop's wording.
    pub version: u32,
    /// The text that the payment's page showed.
    pub text: String,
    /// When the customer agreed.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
    /// The logged-in user who agreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Uuid>,
    /// Whether the card may be charged for renewals.
    pub covers_renewals: bool,
}

/// The version of [`renewal_text`] and [`PLAN_TEXT`]. Each change of the wording needs the next number.
const VERSION: u32 = 4;

/// The text that a customer reads before paying monthly.
pub const PLAN_TEXT: &str = "We charge each later payment of your plan to the card you pay with now, on the days and for \
     the amounts that the plan shows. If you change your cover, we show you the new payments before you \
     agree, and write to you. You can pay with another card, or tell us to stop charging this one, at any time.";

impl Consent {
    /// Returns the consent to automatic renewal of a product. The arguments are those of [`renewal_text`].
    #[must_use]
    pub fn for_renewals(
        lead_days: i64,
        is_monthly_offered: bool,
        by: Option<Uuid>,
        now: DateTime<Utc>,
    ) -> Self {
        Self {
            version: VERSION,
            text: renewal_text(lead_days, is_monthly_offered),
            at: now,
            by,
            covers_renewals: true,
        }
    }

    /// Returns the consent to the payments of a monthly plan. With `renewal_lead_days`, it is also the
    /// consent to automatic renewal.
    #[must_use]
    pub fn for_plan(renewal_lead_days: Option<i64>, by: Option<Uuid>, now: DateTime<Utc>) -> Self {
        Self {
            version: VERSION,
            text: plan_text(renewal_lead_days),
            at: now,
            by,
            covers_renewals: renewal_lead_days.is_some(),
        }
    }
}

/// Returns the text that a customer reads before another card pays the later payments of a plan. With
/// `renewal_lead_days`, the card also pays for renewals.
#[must_use]
pub fn plan_text(renewal_lead_days: Option<i64>) -> String {
    let renewals = renewal_lead_days.map(|days| format!(" {}", renewal_text(days, true)));
    format!("{PLAN_TEXT}{}", renewals.unwrap_or_default())
}

/// Returns the text that a customer reads before consenting to automatic renewal of a product. `lead_days` is the
/// time between the renewal's quote and the end of cover.
#[must_use]
pub fn renewal_text(lead_days: i64, is_monthly_offered: bool) -> String {
    let lead = lead_time(lead_days);
    let monthly = match is_monthly_offered {
        true => {
            " If you pay monthly, we charge the first payment on that day, and the others on their days."
        }
        false => "",
    };
    format!(
        "About {lead} before your cover ends we write to you with the new price. {FIRST_TRY} days before its \
         last day we charge that price to the card you pay with now, and your cover goes on without a \
         gap.{monthly} If the card does not pay, we may try it again 3 and 7 days later. You can switch this \
         off with one press in your account, at any time until then."
    )
}

/// Formats a number of days, such as "four weeks" or "30 days".
fn lead_time(days: i64) -> String {
    match days {
        28 => "four weeks".to_owned(),
        35 => "five weeks".to_owned(),
        42 => "six weeks".to_owned(),
        _ => format!("{days} days"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_consent_names_the_time_between_the_letter_and_the_charge() {
        for (days, text) in [(28, "four weeks"), (30, "30 days")] {
            let begin = format!(
                "About {text} before your cover ends we write to you with the new price. 10 days before \
                 its last day we charge that price"
            );
            assert!(renewal_text(days, false).starts_with(&begin), "{days}");
        }
    }
}
