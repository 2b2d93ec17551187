//! Decides what follows a policy's last day. Pages, letters and the automatic renewal switch all use
//! this decision, so that they agree.

use chrono::NaiveDate;
use serde::Serialize;

use crate::app::policies::PolicyContext;
use crate::domain::payment::PaymentStatus;
use crate::domain::policy::renewal::CardCharge;
use crate::domain::quote::QuoteStatus;
use crate::json_schema::ResponseSchema;

/// What happens after a policy's last day. `by_itself`: the card is charged on that day. `by_hand`: the
/// policy ends unless the customer renews it. `no_card`, `card_refused` and `incomplete` are the same as
/// `by_hand`: the card can't be charged, the charge was declined, or the renewal needs more answers.
/// `charging`: the card is being charged. `card_unclear`: the outcome of the charge has been unknown for
/// days. `renewed`: the next year is bought. `undone`, `declined` and `single_trip`: the policy ends
/// without a renewal. The customer undid the renewal, underwriting declined it, or it is a single trip.
/// `ended`: it has ended and wasn't renewed.
// The value ignores a scheduled cancellation: it states what follows if the cancellation is
// withdrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ResponseSchema)]
#[serde(rename_all = "snake_case")]
pub enum RenewalPreview {
    /// It renews by itself: the stored card is charged on the last day.
    ByItself,
    /// It ends, unless somebody renews it.
    ByHand,
    /// It was to renew by itself, but its card was taken through a gateway that is switched off.
    NoCard,
    /// Its renewal needs more answers before it can be bought.
    Incomplete,
    /// The stored card is being charged for the renewal.
    Charging,
    /// The stored card was charged, or not: the gateway has not said for days.
    CardUnclear,
    /// The stored card did not pay; it can be renewed in another way.
    CardRefused,
    /// It is renewed: the next year is bought.
    Renewed,
    /// The renewal was bought and then undone, or declined by the customer: it ends.
    Undone,
    /// Underwriting doesn't renew it as it is: it ends.
    Declined,
    /// It covers single trips, and ends.
    SingleTrip,
    /// It has ended and wasn't renewed.
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
            // The charge of the card on the last day has no known result yet.
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
            Some(CardCharge::None) | None if !self.renews_by_itself() => RenewalPreview::ByHand,
            Some(CardCharge::None) | None if !self.card_stored => RenewalPreview::NoCard,
            Some(CardCharge::None) | None => RenewalPreview::ByItself,
        }
    }
}
