//! What may be done with a policy now, and why not.

use chrono::NaiveDate;

use crate::app::AppError;
use crate::app::access::Standing;
use crate::app::policies::context::PolicyContext;
use crate::domain::quote::QuoteStatus;

/// What may be done with a policy, or why not, in the customer's words.
#[derive(Clone, Copy, Debug)]
pub struct PermittedActions {
    /// Change its answers.
    pub change: Result<(), &'static str>,
    /// End it early.
    pub cancel: Result<(), &'static str>,
    /// Cancel it before it begins, with a full refund.
    pub not_take_up: Result<(), &'static str>,
    /// Switch automatic renewal on or off.
    pub auto_renew: Result<(), &'static str>,
}

impl PermittedActions {
    /// What a reader may do who isn't logged in as the owner: nothing.
    #[must_use]
    pub const fn none(standing: Standing) -> Self {
        let why = match standing {
            Standing::Yours | Standing::Waits => LOG_IN,
            Standing::Theirs => ELSEWHERE,
            Standing::Joins | Standing::MayJoin => ADD_FIRST,
        };
        Self {
            change: why,
            cancel: why,
            not_take_up: why,
            auto_renew: why,
        }
    }
}

impl PolicyContext {
    /// What may be done with it on `today`.
    #[must_use]
    pub fn permitted_actions(&self, today: NaiveDate) -> PermittedActions {
        PermittedActions {
            change: self.may_change(today),
            cancel: self.may_end(today),
            not_take_up: self.may_end(today).and_then(|()| {
                if today < self.policy.inception {
                    Ok(())
                } else {
                    Err("Your cover has begun. You can cancel it instead.")
                }
            }),
            auto_renew: self.may_end(today).and_then(|()| {
                if self.is_single_trip() {
                    Err("Single trips don't renew.")
                } else if self.policy.renewal.is_card_asked() {
                    Err("Your card has been charged for the renewal already, or was refused.")
                } else {
                    Ok(())
                }
            }),
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

    fn may_change(&self, today: NaiveDate) -> Result<(), &'static str> {
        self.may_end(today)?;
        if self.is_single_trip() && self.policy.inception <= today {
            return Err("A trip can't be changed once it has begun.");
        }
        Ok(())
    }
}

/// The reason that is given to a reader who isn't logged in as the owner.
const LOG_IN: Result<(), &str> = Err("Please log in to do this.");

/// The reason that is given to a reader of a policy that is in an account, but not in theirs.
const ELSEWHERE: Result<(), &str> = Err("Please log in to the account that it is in.");

/// The reason that is given to a logged-in reader of a policy that is in no account.
const ADD_FIRST: Result<(), &str> = Err("Add this policy to your account to do this.");

/// Answers the call with a conflict where a rule forbids it.
pub(in crate::app) fn refuse(may: Result<(), &'static str>) -> Result<(), AppError> {
    may.map_err(|why| AppError::conflict("not_possible_now", why))
}
