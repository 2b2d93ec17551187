//! Decides what follows a policy's last day. Pages, letters and the automatic renewal switch all use
//! this decision, so that they agree.

use chrono::NaiveDate;
use serde::Serialize;

use crate::app::policies::PolicyContext;
use crate::domain::payment::PaymentStatus;
use crate::domain::policy::renewal::CardCharge;
use crate::domain::quote::QuoteStatus;
use crate::json_schema::ResponseSchema;

/// What happens after a policy's last day. `by_itself`: the shop charges the stored card on the day `charge_on` of the renewal.
/// `by_hand`: the policy ends unless the customer renews it. `no_card`, `card_refused` and `incomplete` mean
/// the same as `by_hand`, with a reason. `no_card`: the shop can't charge the stored card, or not in time
/// after its letter. `card_refused`: the stored card did not pay. `incomplete`: the renewal needs more answers before the customer can buy it.
/// `charging`: the stored card is being charged. `card_unclear`: the outcome of the charge has been unknown
/// for days. `renewed`: the next year is bought. `undone`: the policy ends, because the customer undid,
/// cancelled or refused the renewal. `declined`: the policy ends, because underwriting declined or referred
/// the renewal. `single_trip`: the policy covers single trips, and ends. `ended`: the policy has ended
/// without a renewal.
// The value ignores a scheduled cancellation: it states what follows if the cancellation is
// withdrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ResponseSchema)]
#[serde(rename_all = "snake_case")]
pub enum RenewalPreview {
    /// The policy renews automatically: the stored card is charged before the cover ends.
    ByItself,
    /// The policy ends unless the customer renews it.
    ByHand,
    /// Automatic renewal is on, but the shop can't charge the stored card, or not in time after its letter.
    NoCard,
    /// The renewal needs more answers before it can be bought.
    Incomplete,
    /// The stored card is being charged for the renewal.
    Charging,
    /// The outcome of the charge of the stored card has been unknown for days.
    CardUnclear,
    /// The stored card did not pay. The customer can renew the policy in another way.
    CardRefused,
    /// The next year is bought.
    Renewed,
    /// The policy ends: the customer undid, cancelled or refused the renewal.
    Undone,
    /// The policy ends: underwriting declined or referred the renewal.
    Declined,
    /// The policy covers single trips, and ends.
    SingleTrip,
    /// The policy has ended without a renewal.
    Ended,
}

impl PolicyContext {
    /// Returns what follows the policy's last day, as of `today`.
    #[must_use]
    pub fn next_year(&self, today: NaiveDate) -> RenewalPreview {
        let renewal = self.renewal.as_ref().map(|renewal| renewal.status);
        let over = self.quote.status != QuoteStatus::Live || self.policy.expiry < today;
        match renewal {
            Some(QuoteStatus::Live | QuoteStatus::Renewed | QuoteStatus::Expired) => {
                RenewalPreview::Renewed
            }
            _ if self.is_single_trip() => RenewalPreview::SingleTrip,
            _ if self.card_charge == Some(PaymentStatus::Unresolved) => RenewalPreview::CardUnclear,
            // The charge of the card has no known result yet.
            _ if over && self.card_charge.is_some() => RenewalPreview::Charging,
            _ if over => RenewalPreview::Ended,
            Some(QuoteStatus::NotTakenUp | QuoteStatus::Cancelled) => RenewalPreview::Undone,
            Some(QuoteStatus::Declined | QuoteStatus::Refer) => RenewalPreview::Declined,
            Some(QuoteStatus::Draft | QuoteStatus::Partial) => RenewalPreview::Incomplete,
            Some(QuoteStatus::Quote | QuoteStatus::Lapsed | QuoteStatus::AdjustmentDraft)
            | None => self.card_preview(),
        }
    }

    fn card_preview(&self) -> RenewalPreview {
        match self.policy.renewal.quoted().map(|quoted| quoted.card) {
            Some(CardCharge::Queued) => RenewalPreview::Charging,
            Some(CardCharge::Declined) => RenewalPreview::CardRefused,
            _ if !self.renews_by_itself() => RenewalPreview::ByHand,
            _ if !self.card_stored || self.charge_day().is_none() => RenewalPreview::NoCard,
            Some(CardCharge::None | CardCharge::Retrying { .. }) | None => RenewalPreview::ByItself,
        }
    }
}
