//! The actions that are permitted on a policy now, or the reasons against them.

use std::borrow::Cow;

use chrono::NaiveDate;

use crate::app::AppError;
use crate::app::access::Ownership;
use crate::app::policies::context::PolicyContext;
use crate::app::policies::renewals::RenewalPreview;
use crate::domain::quote::QuoteStatus;
use crate::domain::time::dates::{add_days, format_long};

/// Permission for one action, or the reason against it in the customer's words.
pub type Permitted = Result<(), Cow<'static, str>>;

#[derive(Clone, Debug)]
pub struct PermittedActions {
    /// Change the policy's answers.
    pub change: Permitted,
    /// End the policy before its expiry.
    pub cancel: Permitted,
    /// Cancel the policy before its inception, with a full refund.
    pub not_take_up: Permitted,
    /// Switch automatic renewal on or off.
    pub auto_renew: Permitted,
    /// Why the policy is not renewed, if the renewal was undone or underwriting declined it.
    pub not_renewed: Option<String>,
}

impl PermittedActions {
    /// Returns no permissions, for a reader who is not logged in as the owner.
    #[must_use]
    pub const fn none(ownership: Ownership) -> Self {
        let why: &'static str = match ownership {
            Ownership::Mine | Ownership::Unclaimed => LOG_IN,
            Ownership::OtherAccount => ELSEWHERE,
            Ownership::AutoClaimable | Ownership::Claimable => ADD_FIRST,
        };
        Self {
            change: Err(Cow::Borrowed(why)),
            cancel: Err(Cow::Borrowed(why)),
            not_take_up: Err(Cow::Borrowed(why)),
            auto_renew: Err(Cow::Borrowed(why)),
            not_renewed: None,
        }
    }
}

impl PolicyContext {
    /// Returns the permitted actions on `today`.
    #[must_use]
    pub fn permitted_actions(&self, today: NaiveDate) -> PermittedActions {
        PermittedActions {
            change: self.may_change(today),
            cancel: self.may_end(today).map_err(Cow::from),
            not_take_up: self.may_be_undone(today).map_err(Cow::from),
            auto_renew: self.may_auto_renew(today).map_err(Cow::from),
            not_renewed: self.not_renewed(today),
        }
    }

    fn may_be_undone(&self, today: NaiveDate) -> Result<(), &'static str> {
        self.may_end(today)?;
        if today < self.policy.inception {
            Ok(())
        } else {
            Err("Your cover has begun. You can cancel it instead.")
        }
    }

    fn may_auto_renew(&self, today: NaiveDate) -> Result<(), &'static str> {
        self.may_end(today)?;
        match self.next_year(today) {
            RenewalPreview::SingleTrip => Err("Single trips don't renew."),
            RenewalPreview::Renewed if self.renewed_by_card => {
                Err("The card that paid for this policy has paid for its renewal.")
            }
            RenewalPreview::Renewed => Err("It is renewed already."),
            RenewalPreview::Undone => Err(UNDONE),
            RenewalPreview::Declined => Err(DECLINED),
            RenewalPreview::Ended => Err("This policy has ended."),
            RenewalPreview::Charging => Err("The card is being charged for the renewal."),
            RenewalPreview::CardUnclear => {
                Err("We could not find out whether the card has paid for the renewal.")
            }
            RenewalPreview::CardRefused => {
                Err("The card was asked to pay for the renewal and did not. Nothing was taken.")
            }
            RenewalPreview::Incomplete
            | RenewalPreview::ByHand
            | RenewalPreview::NoCard
            | RenewalPreview::ByItself => {
                if !self.card_agreed && !self.stores_cards {
                    Err(NOT_OFFERED)
                } else if !self.card_agreed {
                    Err(NOT_AGREED)
                } else if !self.card_stored {
                    Err(NO_GATEWAY)
                } else {
                    Ok(())
                }
            }
        }
    }

    fn not_renewed(&self, today: NaiveDate) -> Option<String> {
        match self.next_year(today) {
            RenewalPreview::Undone => Some(UNDONE.to_owned()),
            RenewalPreview::Declined => {
                let reason = self.renewal.as_ref().and_then(|quote| quote.reason.clone());
                Some(match reason {
                    Some(reason) => format!("{DECLINED} {reason}"),
                    None => DECLINED.to_owned(),
                })
            }
            _ => None,
        }
    }

    fn may_end(&self, today: NaiveDate) -> Result<(), &'static str> {
        match self.quote.status {
            QuoteStatus::Live if today <= self.policy.expiry => Ok(()),
            QuoteStatus::Cancelled => Err("This policy has been cancelled."),
            QuoteStatus::NotTakenUp => Err("This policy was not taken up."),
            _ => Err("This policy has ended."),
        }
    }

    fn may_change(&self, today: NaiveDate) -> Permitted {
        self.may_end(today)?;
        if self.is_single_trip() && self.policy.inception <= today {
            return Err("A trip can't be changed once it has begun.".into());
        }
        if let Some(scheduled) = self.policy.scheduled_change {
            let on = format_long(scheduled.on);
            let why = format!(
                "A change is agreed for {on} already. Withdraw it first to ask for another."
            );
            return Err(why.into());
        }
        match (self.change_days(today), self.policy.scheduled_end) {
            (None, Some(end)) => {
                let last = format_long(add_days(end.on, -1));
                let why = format!("Your cover ends with {last}, so no change can come before.");
                Err(why.into())
            }
            _ => Ok(()),
        }
    }
}

/// Reason: the payer did not agree that the card is charged again.
const NOT_AGREED: &str = "This was not chosen when the policy was paid for. You can choose it when you pay for a renewal.";

/// Reason: the payer did not agree to a later charge, and not every gateway for new sales stores
/// cards.
const NOT_OFFERED: &str = "We don't charge cards for renewals at the moment. We write to you before your cover ends, and you can renew it yourself.";

/// Reason: the shop does not service the gateway that charged the card, or the gateway stores no cards.
const NO_GATEWAY: &str = "We can't charge the card that paid for this policy any more.";

/// Reason: a bought renewal was undone, so automatic renewal does not apply again.
const UNDONE: &str = "Your renewal was undone, so this policy doesn't renew.";

/// Reason: underwriting declined or referred the renewal.
const DECLINED: &str = "We can't renew this cover as it is.";

/// Reason for a reader who is not logged in as the owner.
const LOG_IN: &str = "Please log in to do this.";

/// Reason for a reader of a policy that is in another account.
const ELSEWHERE: &str = "Please log in to the account that it is in.";

/// Reason for a logged-in reader of a policy that is in no account.
const ADD_FIRST: &str = "Add this policy to your account to do this.";

/// Returns a conflict with the reason if the action is not permitted.
pub(in crate::app) fn refuse(may: Permitted) -> Result<(), AppError> {
    may.map_err(|why| AppError::conflict("not_possible_now", why))
}
