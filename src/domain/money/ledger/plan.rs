//! Ledger entries of policies that are paid monthly. The sale posted their whole price to the customer.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Account, Entry, Movement};
use crate::domain::money::Pence;

/// What is not collected of a plan whose policy ended, in pence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRest {
    /// The payments that stop.
    pub uncollected: Pence,
    /// What is earned and unpaid, with its tax. Nobody collects it.
    pub written_off: Pence,
    /// The tax in `written_off`.
    pub tax: Pence,
}

impl Entry {
    /// Returns the entry of the cancellation `cause_id` of a policy with a plan. `gross` and its `tax`, and
    /// `charges`, are no longer owed. The customer gets back what was paid of them, less `fee`. The tax of
    /// what is written off is not owed either.
    #[must_use]
    pub fn plan_cancellation(
        time: DateTime<Utc>,
        cause_id: Uuid,
        (gross, tax): (Pence, Pence),
        (fee, charges): (Pence, Pence),
        rest: PlanRest,
    ) -> Self {
        use Account::{Customer, Fees, Premium, Refunds, Tax, WrittenOff};
        let parts = [
            (Customer, -rest.uncollected),
            (Premium, gross - tax),
            (Tax, tax + rest.tax),
            (Fees, charges - fee),
            (WrittenOff, rest.written_off - rest.tax),
        ];
        Self::with_balance(time, Movement::Cancellation, cause_id, &parts, Refunds)
    }

    /// Returns the entry of a change that lowers the price of a policy with a plan. The plan's payments
    /// decrease by `spread`, and we owe `refund`. `tax` is the tax in their sum. All amounts are positive.
    #[must_use]
    pub fn plan_decrease(
        time: DateTime<Utc>,
        cause_id: Uuid,
        spread: Pence,
        refund: Pence,
        tax: Pence,
    ) -> Self {
        use Account::{Customer, Premium, Refunds, Tax};
        let parts = [(Customer, -spread), (Refunds, -refund), (Tax, tax)];
        Self::with_balance(time, Movement::Decrease, cause_id, &parts, Premium)
    }

    /// Returns the entry of what a customer paid of a plan and gets back: for a change that is withdrawn, or
    /// because a won appeal returned the first payment.
    #[must_use]
    pub fn plan_refund(time: DateTime<Utc>, cause_id: Uuid, amount: Pence) -> Self {
        let parts = [(Account::Refunds, -amount)];
        Self::with_balance(
            time,
            Movement::Decrease,
            cause_id,
            &parts,
            Account::Customer,
        )
    }

    /// Returns the entry of instalments whose payment was taken back: the customer owes `amount` again. A
    /// negative amount reverses the entry.
    #[must_use]
    pub fn due_again(time: DateTime<Utc>, cause_id: Uuid, amount: Pence) -> Self {
        let parts = [(Account::Customer, amount)];
        let lost = Account::WrittenOff;
        Self::with_balance(time, Movement::WrittenOff, cause_id, &parts, lost)
    }

    /// Returns the entry of `amount` of a plan that stays unpaid after the last day of the policy
    /// `cause_id`. Its `tax` is not owed.
    #[must_use]
    pub fn write_off_plan(time: DateTime<Utc>, cause_id: Uuid, amount: Pence, tax: Pence) -> Self {
        let parts = [(Account::WrittenOff, amount - tax), (Account::Tax, tax)];
        let customer = Account::Customer;
        Self::with_balance(time, Movement::WrittenOff, cause_id, &parts, customer)
    }
}
