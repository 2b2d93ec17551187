//! The facts from which the refund of a cancellation is calculated.

use chrono::NaiveDate;

use crate::app::AppError;
use crate::app::payments::ledger;
use crate::app::payments::refunds::unrefunded;
use crate::app::policies::PolicyContext;
use crate::app::policies::adjustments::premiums;
use crate::domain::money::Pence;
use crate::domain::money::ledger::Account;
use crate::domain::money::premium_tax::PremiumTax;
use crate::domain::policy::Policy;
use crate::domain::policy::adjustment::{Adjustment, AdjustmentKind};
use crate::domain::policy::cancellation::ReturnPremium;
use crate::domain::policy::cancellation::return_premium::{self, CancellationFacts};
use crate::domain::time::dates::add_days;
use crate::store::Read;
use crate::store::tables::PLANS;

/// The facts for a refund. [`RefundBasis::refund`] reads the amounts paid, lost and taxed.
#[derive(Clone)]
pub(in crate::app) struct RefundBasis {
    pub(super) policy: Policy,
    single_trip: bool,
    cooling_off_days: i64,
    fee: Pence,
    charges: Pence,
    premiums: Vec<(NaiveDate, Pence)>,
    tax: PremiumTax,
    /// The change that is agreed for a later day.
    pub(super) scheduled: Option<Adjustment>,
}

#[derive(Clone, Copy)]
pub(super) struct CancellationDate {
    /// First day without cover.
    pub(super) day: NaiveDate,
    /// Whether cover ends during this day, and not at the start of the day.
    pub(super) is_immediate: bool,
    /// Whether the day is later. A plan's payments that are due before are then expected.
    pub(super) is_later: bool,
}

/// The premiums and balances for the refund, as they are at the policy's end, in pence.
struct LedgerAccounts {
    premiums: Vec<(NaiveDate, Pence)>,
    in_hand: Pence,
    lost: Pence,
    uncollected: Option<Pence>,
    tax: Pence,
}

impl RefundBasis {
    pub(in crate::app) fn load(tx: &impl Read, context: &PolicyContext) -> Result<Self, AppError> {
        let terms = context.product.terms();
        Ok(Self {
            policy: context.policy.clone(),
            single_trip: context.is_single_trip(),
            cooling_off_days: terms.cooling_off_days,
            fee: terms.cancellation_fee,
            charges: context.charges().iter().map(|charge| charge.amount).sum(),
            premiums: premiums(tx, context)?,
            tax: context.product.tax(),
            scheduled: context.scheduled.clone(),
        })
    }

    /// Returns whether the policy's end on `end` cancels its scheduled change.
    pub(super) fn cancels_scheduled_change(&self, end: CancellationDate) -> bool {
        self.scheduled
            .as_ref()
            .is_some_and(|change| end.day <= change.effective)
    }

    /// Returns the refund if the policy ends on `end` and nothing else changes before `end`. The
    /// amount excludes the payment for a cancelled change, which is refunded separately.
    ///
    /// # Errors
    /// If the store fails.
    pub(super) fn refund(
        &self,
        tx: &impl Read,
        end: CancellationDate,
    ) -> Result<ReturnPremium, AppError> {
        let accounts = self.accounts(tx, end)?;
        Ok(return_premium::refundable(&CancellationFacts {
            policy: &self.policy,
            single_trip: self.single_trip,
            on: end.day,
            is_immediate: end.is_immediate,
            cooling_off_days: self.cooling_off_days,
            fee: self.fee,
            premiums: &accounts.premiums,
            charges: self.charges,
            in_hand: accounts.in_hand,
            lost: accounts.lost,
            uncollected: accounts.uncollected,
            tax: self.tax,
            tax_in_hand: accounts.tax,
        }))
    }

    fn accounts(&self, tx: &impl Read, end: CancellationDate) -> Result<LedgerAccounts, AppError> {
        let policy = self.policy.uuid;
        let mut accounts = LedgerAccounts {
            premiums: self.premiums.clone(),
            in_hand: unrefunded::net_paid(tx, policy)?,
            lost: unrefunded::loss(tx, policy)?,
            uncollected: None,
            tax: -ledger::balance(tx, policy, &Account::Tax)?,
        };
        if let Some(plan) = PLANS.get(tx, &policy)? {
            let before = plan.due(add_days(end.day, -1));
            let expected = if end.is_later { before } else { Pence::ZERO };
            accounts.in_hand += expected;
            // Later changes are in the plan, and not in the ledger yet.
            let unpaid = ledger::balance(tx, policy, &Account::Customer)?;
            accounts.uncollected = Some(unpaid - expected);
        }
        let Some(change) = &self.scheduled else {
            return Ok(accounts);
        };
        if self.cancels_scheduled_change(end) {
            accounts.in_hand -= unrefunded::net_paid_for_adjustment(tx, policy, change.id)?;
            accounts.lost -= unrefunded::loss_for(tx, policy, change.id)?;
            return Ok(accounts);
        }
        accounts
            .premiums
            .push((change.effective, change.price.taxed));
        let figures = &change.figures;
        match change.kind() {
            AdjustmentKind::Keep => {}
            AdjustmentKind::Increase => accounts.tax += figures.tax,
            AdjustmentKind::Decrease => {
                let spread = change.spread.as_ref();
                let refund = spread.map_or(-figures.amount, |spread| spread.refund);
                let lowered = -figures.amount - refund;
                let back = refund.min(accounts.in_hand);
                accounts.in_hand -= back;
                accounts.tax -= (lowered + back).fraction(-figures.tax.0, -figures.amount.0);
            }
        }
        if let (Some(unpaid), Some(spread)) = (&mut accounts.uncollected, &change.spread) {
            *unpaid += spread.plan_difference(figures.amount);
        }
        Ok(accounts)
    }
}
