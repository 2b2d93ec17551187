//! What may be done with a policy now, and why not.

use std::borrow::Cow;

use chrono::NaiveDate;

use crate::app::AppError;
use crate::app::access::Ownership;
use crate::app::policies::context::PolicyContext;
use crate::app::policies::renewals::RenewalPreview;
use crate::domain::quote::QuoteStatus;
use crate::domain::time::dates::{add_days, format_long};

/// Whether something may be done, or why not, in the customer's words.
pub type Permitted = Result<(), Cow<'static, str>>;

/// What may be done with a policy, or why not, in the customer's words.
#[derive(Clone, Debug)]
pub struct PermittedActions {
    /// Change its answers.
    pub change: Permitted,
    /// End it early.
    pub cancel: Permitted,
    /// Cancel it before it begins, with a full refund.
    pub not_take_up: Permitted,
    /// Switch automatic renewal on or off.
    pub auto_renew: Permitted,
    /// Why it is not renewed, where that can't be helped any more.
    pub not_renewed: Option<String>,
}

impl PermittedActions {
    /// What a reader may do who isn't logged in as the owner: nothing.
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
    /// What may be done with it on `today`.
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

/// The reason where whoever paid did not agree that their card is charged again.
const NOT_AGREED: &str = "This was not chosen when the policy was paid for. You can choose it when you pay for a renewal.";

/// The reason where no gateway of the shop could charge the card again.
const NOT_OFFERED: &str = "We don't charge cards for renewals at the moment. We write to you before your cover ends, and you can renew it yourself.";

/// The reason where the gateway that took the card is switched off.
const NO_GATEWAY: &str = "We can't charge the card that paid for this policy any more.";

/// The reason once a bought renewal was undone: it is not asked for by itself again.
const UNDONE: &str = "Your renewal was undone, so this policy doesn't renew.";

/// The reason where underwriting has declined or referred the renewal.
const DECLINED: &str = "We can't renew this cover as it is.";

/// The reason that is given to a reader who isn't logged in as the owner.
const LOG_IN: &str = "Please log in to do this.";

/// The reason that is given to a reader of a policy that is in an account, but not in theirs.
const ELSEWHERE: &str = "Please log in to the account that it is in.";

/// The reason that is given to a logged-in reader of a policy that is in no account.
const ADD_FIRST: &str = "Add this policy to your account to do this.";

/// Answers the call with a conflict where a rule forbids it.
pub(in crate::app) fn refuse(may: Permitted) -> Result<(), AppError> {
    may.map_err(|why| AppError::conflict("not_possible_now", why))
}
