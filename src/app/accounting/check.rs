//! For `layby check`: recalculates the balances of the ledger from the other rows, and reports each
//! wrong balance.

use chrono::NaiveDate;
use uuid::Uuid;

use crate::app::AppError;
use crate::app::accounting::tax;
use crate::app::payments::{balances_of, disputes_of, ledger, refunds_of};
use crate::app::policies::adjustments::adjustments;
use crate::app::policies::plans;
use crate::app::products::ProductRegistry;
use crate::domain::money::Pence;
use crate::domain::money::ledger::{Account, Entry};
use crate::domain::payment::Payment;
use crate::domain::payment::balance::PaymentBalance;
use crate::domain::payment::refund::{Refund, RefundMethod, RefundStatus};
use crate::domain::payment::settlement::{LineKind, LineOutcome};
use crate::domain::policy::adjustment::{AdjustmentKind, AdjustmentStatus};
use crate::domain::policy::plan::PlanStatus;
use crate::domain::quote::Quote;
use crate::store::tables::{
    PLANS, POLICIES, QUOTES, SETTLEMENT_LINE_BY_POLICY, SETTLEMENT_LINES, SHOP_LEDGER,
};
use crate::store::{Finding, ReadTx, StoreError};

/// Checks the ledger of every quote or policy, and the ledger of the shop. Reports a row for each
/// quote, and a mistake for each error.
pub(in crate::app) fn check<E: From<StoreError>>(
    tx: &ReadTx,
    find: &mut dyn FnMut(Finding) -> Result<(), E>,
) -> Result<(), E> {
    let products = ProductRegistry::from_store();
    for row in QUOTES.rows(tx, &()) {
        let (_, quote) = row?;
        let mistakes = check_contract(tx, &products, &quote).unwrap_or_else(|error| {
            vec![format!("they can't be worked out: {}", error.log_text())]
        });
        for wrong in mistakes {
            let number = &quote.reference;
            find(Finding::Mistake(format!("the books of {number}: {wrong}")))?;
        }
        find(Finding::Row)?;
    }
    for wrong in check_shop_accounts(tx)? {
        find(Finding::Mistake(format!("the shop's own books: {wrong}")))?;
    }
    Ok(())
}

/// The expected balance of each account.
#[derive(Default)]
struct Expected(Vec<(Account, Pence)>);

impl Expected {
    fn add(&mut self, account: Account, amount: Pence) {
        match self.0.iter_mut().find(|(other, _)| *other == account) {
            Some((_, sum)) => *sum += amount,
            None => self.0.push((account, amount)),
        }
    }

    /// Returns the entries whose postings do not add up to zero, and the accounts with a wrong
    /// balance. Does not compare premium and fees: the sum of both follows from the other accounts.
    /// Compares tax only if it was added to the expected balances.
    fn compare(mut self, entries: &[Entry]) -> Vec<String> {
        let mut wrong = Vec::new();
        for (entry, number) in entries.iter().zip(1..) {
            let sum: Pence = entry.postings().iter().map(|own| own.amount).sum();
            if sum != Pence::ZERO {
                wrong.push(format!(
                    "the postings of movement {number} add up to {sum} and not to nothing"
                ));
            }
        }
        for posting in entries.iter().flat_map(Entry::postings) {
            if !matches!(
                posting.account,
                Account::Premium | Account::Fees | Account::Tax
            ) {
                self.add(posting.account.clone(), Pence::ZERO);
            }
        }
        for (account, expected) in self.0 {
            let is: Pence = entries.iter().map(|entry| entry.amount_on(&account)).sum();
            if is != expected {
                let name = name_of(&account);
                wrong.push(format!(
                    "{name} stands at {is}, and its rows make {expected}"
                ));
            }
        }
        wrong
    }
}

fn name_of(account: &Account) -> String {
    match account {
        Account::Customer => "the customer's account".to_string(),
        Account::Gateway { provider } => format!("the account of the gateway {provider}"),
        Account::Bank => "the account of the bank".to_string(),
        Account::ProviderFees => "the account of the gateways' fees".to_string(),
        Account::Premium => "the account of premium".to_string(),
        Account::Tax => "the account of tax".to_string(),
        Account::Fees => "the account of fees".to_string(),
        Account::Refunds => "the account of refunds owed".to_string(),
        Account::Disputes => "the account of disputes".to_string(),
        Account::WrittenOff => "the account of what is written off".to_string(),
    }
}

/// Returns the mistakes in the ledger of a quote, or of the policy that the quote became.
fn check_contract(
    tx: &ReadTx,
    products: &ProductRegistry,
    quote: &Quote,
) -> Result<Vec<String>, AppError> {
    let uuid = quote.uuid;
    let entries = ledger::entries(tx, uuid)?;
    let policy = POLICIES.get(tx, &uuid)?;
    let payments = balances_of(tx, uuid)?;
    if entries.is_empty() && policy.is_none() && payments.is_empty() {
        return Ok(Vec::new());
    }
    let mut expected = Expected::default();
    if let Some(plan) = PLANS.get(tx, &uuid)? {
        expected.add(Account::WrittenOff, -plan.lost());
        if plan.status != PlanStatus::Ended {
            let agreed = pending_spread(tx, uuid)?;
            expected.add(Account::Customer, plan.due(NaiveDate::MAX) - agreed);
        }
    }
    expected.add(Account::Customer, Pence::ZERO);
    gateways(tx, uuid, &payments, &mut expected)?;
    expected.add(Account::Refunds, -refunds_due(tx, uuid)?);
    let mut unclear = None;
    if let Some(policy) = &policy {
        let ended = policy.cancellation.as_ref();
        if let Some(rest) = ended.and_then(|ended| ended.refund.plan) {
            expected.add(Account::WrittenOff, rest.written_off - rest.tax);
        }
        let (left, tax) = plans::written_off(tx, quote, policy)?;
        expected.add(Account::WrittenOff, left - tax);
        match tax::policy_tax(tx, products, quote, policy)? {
            Ok(tax) => expected.add(Account::Tax, -tax),
            Err(why) => unclear = Some(format!("its tax can't be worked out: {why}")),
        }
    } else {
        expected.add(Account::Tax, Pence::ZERO);
    }
    let mut wrong = expected.compare(&entries);
    wrong.extend(unclear);
    wrong.extend(payments.iter().filter_map(excess));
    Ok(wrong)
}

/// Returns a mistake if refunds and losses of a payment exceed the amount taken.
fn excess((payment, balance): &(Payment, PaymentBalance)) -> Option<String> {
    let (id, taken) = (payment.id, balance.taken);
    let gone = balance.given_back + balance.lost;
    (balance.room() < Pence::ZERO)
        .then(|| format!("of the payment {id} {taken} was taken, and {gone} went back or was lost"))
}

/// Adds the gateways' balances: amounts taken, less reversals, refunds, dispute amounts and payouts. Adds the
/// accounts that these amounts moved to.
fn gateways(
    tx: &ReadTx,
    policy: Uuid,
    payments: &[(Payment, PaymentBalance)],
    expected: &mut Expected,
) -> Result<(), AppError> {
    for (payment, balance) in payments {
        if balance.taken > Pence::ZERO {
            let gateway = Account::gateway(&payment.provider);
            let reversed = payment.reversed.unwrap_or_default();
            expected.add(gateway, balance.taken - reversed);
            expected.add(Account::WrittenOff, reversed);
        }
    }
    for refund in refunds_of(tx, policy)? {
        let payment = payments.iter().find(|(own, _)| own.id == refund.payment);
        if let Some((payment, _)) = payment.filter(|_| refund.status == RefundStatus::Paid) {
            expected.add(Account::gateway(&payment.provider), -refund.amount);
            if refund.is_from_gateway {
                expected.add(Account::WrittenOff, refund.amount);
            }
        }
        match refund.manual.map(|manual| manual.method) {
            Some(RefundMethod::Transfer) => expected.add(Account::Bank, -refund.amount),
            Some(RefundMethod::AlreadyRefunded) => {
                expected.add(Account::WrittenOff, -refund.amount)
            }
            None => {}
        }
    }
    for dispute in disputes_of(tx, policy)? {
        expected.add(Account::gateway(&dispute.provider), -dispute.amount_taken());
        expected.add(Account::Disputes, dispute.undecided_balance());
        expected.add(Account::WrittenOff, dispute.written_off);
    }
    for (_, line) in SETTLEMENT_LINE_BY_POLICY.follow(tx, &policy, &SETTLEMENT_LINES)? {
        if line.outcome == LineOutcome::Settled {
            expected.add(Account::gateway(&line.provider), -line.gross);
            expected.add(Account::Bank, line.net());
            expected.add(Account::ProviderFees, line.fee);
        }
    }
    Ok(())
}

/// Returns what we owe a policy's customer, in pence: owed refunds, and money held for scheduled
/// changes. Deducts refunds that the customer received twice.
fn refunds_due(tx: &ReadTx, policy: Uuid) -> Result<Pence, AppError> {
    let refunds = refunds_of(tx, policy)?;
    let refunds: Pence = refunds.iter().map(Refund::amount_due).sum();
    let pending = adjustments(tx, policy)?.into_iter().filter(|change| {
        change.status == AdjustmentStatus::Agreed
            && change.kind() == AdjustmentKind::Increase
            && change.spread.is_none()
    });
    let pending: Pence = pending.map(|change| change.figures.amount).sum();
    Ok(refunds + pending)
}

/// Returns the sum by which changes for later days have changed a policy's plan. They are not in the ledger yet.
fn pending_spread(tx: &ReadTx, policy: Uuid) -> Result<Pence, AppError> {
    let agreed = adjustments(tx, policy)?.into_iter();
    let agreed = agreed.filter(|change| change.status == AdjustmentStatus::Agreed);
    let spread = agreed.filter_map(|change| {
        let amount = change.figures.amount;
        Some(change.spread?.plan_difference(amount))
    });
    Ok(spread.sum())
}

/// Returns the mistakes in the shop's own ledger. That ledger has the gateways' general fees, and the payout
/// lines that a person accepted as the shop's own.
fn check_shop_accounts(tx: &ReadTx) -> Result<Vec<String>, StoreError> {
    let entries = SHOP_LEDGER.rows(tx, &()).map(|row| Ok(row?.1));
    let entries = entries.collect::<Result<Vec<Entry>, StoreError>>()?;
    let mut expected = Expected::default();
    expected.add(Account::Bank, Pence::ZERO);
    for row in SETTLEMENT_LINES.rows(tx, &()) {
        let (_, line) = row?;
        if line.outcome != LineOutcome::Settled || line.policy.is_some() {
            continue;
        }
        expected.add(Account::Bank, line.net());
        if line.kind == LineKind::Fee {
            expected.add(Account::ProviderFees, -line.net());
        } else {
            expected.add(Account::ProviderFees, line.fee);
            expected.add(Account::WrittenOff, -line.gross);
        }
    }
    Ok(expected.compare(&entries))
}
