//! The ledger: every movement of a policy's money, in double entry. A balance is the sum of
//! an account's postings, so it can be worked out again from the first day. What each account's
//! balance means is in docs/decisions/0019-accounts.md.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::money::Pence;
use crate::domain::money::price::Price;

/// The accounts of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Account {
    /// What the customer owes us; zero once everything is paid.
    Customer,
    /// What a gateway took and holds: it has not paid it out to our bank, nor refunded it.
    Gateway {
        /// The gateway's name in the configuration.
        provider: String,
    },
    /// What the gateways have paid out to our bank, less what was refunded from there.
    Bank,
    /// What the gateways keep for their work.
    ProviderFees,
    /// Premium before tax.
    Premium,
    /// Insurance premium tax.
    Tax,
    /// Charges beside the premium, and fees.
    Fees,
    /// What we owe the customer until it is refunded.
    Refunds,
    /// What gateways took back for disputes that are not decided.
    Disputes,
    /// What is lost: disputes that were decided against us, and refunds that nobody was owed.
    WrittenOff,
}

impl Account {
    /// Every account, with that of one gateway.
    #[must_use]
    pub fn all(provider: &str) -> [Self; 10] {
        [
            Self::Customer,
            Self::gateway(provider),
            Self::Bank,
            Self::ProviderFees,
            Self::Premium,
            Self::Tax,
            Self::Fees,
            Self::Refunds,
            Self::Disputes,
            Self::WrittenOff,
        ]
    }

    /// What the gateway `provider` holds.
    #[must_use]
    pub fn gateway(provider: &str) -> Self {
        Self::Gateway {
            provider: provider.to_string(),
        }
    }
}

/// Why money moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Movement {
    /// Cover was sold.
    Sale,
    /// A card paid.
    Payment,
    /// A change made the cover dearer.
    Increase,
    /// A change made the cover cheaper.
    Decrease,
    /// Cover ended before its time.
    Cancellation,
    /// A payment bought nothing.
    Surplus,
    /// A card was refunded.
    Refund,
    /// A card paid for a change that counts from a later day.
    Held,
    /// A refund came back from the customer's bank: it is owed again.
    RefundFailed,
    /// A gateway took money back for a dispute.
    Disputed,
    /// A gateway gave back what it had taken for a dispute.
    DisputeReturned,
    /// A dispute was decided: what it took is lost, or is lost no more.
    WrittenOff,
    /// A gateway paid out to our bank.
    Settled,
    /// A gateway charged us for its work, for no payment in particular.
    ProviderFee,
    /// Somebody refunded a card at the gateway by hand.
    RefundByHand,
    /// A gateway paid out something that the shop doesn't know, and that a person took for its own.
    Accepted,
    /// A refund that the gateway didn't make was paid in another way, or was had already.
    PaidOtherwise,
}

/// One account's part of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Posting {
    /// The account.
    pub account: Account,
    /// How much, pence; a debit is positive, a credit negative.
    pub amount: Pence,
}

/// One movement. Its postings add up to zero.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// When it was written.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
    /// Why.
    pub movement: Movement,
    /// The quote, payment, adjustment, cancellation, refund or dispute it is about.
    pub cause_id: Uuid,
    postings: Vec<Posting>,
}

impl Entry {
    /// A sale of `about` at `price`: the customer owes the total.
    #[must_use]
    pub fn sale(at: DateTime<Utc>, cause_id: Uuid, price: &Price) -> Self {
        use Account::{Customer, Fees, Premium, Tax};
        let parts = [
            (Customer, price.total),
            (Premium, -price.net),
            (Tax, -price.tax),
        ];
        Self::with_balance(at, Movement::Sale, cause_id, &parts, Fees)
    }

    /// The gateway `provider` took `amount` for `payment`.
    #[must_use]
    pub fn payment(at: DateTime<Utc>, provider: &str, payment: Uuid, amount: Pence) -> Self {
        let parts = [(Account::gateway(provider), amount)];
        Self::with_balance(at, Movement::Payment, payment, &parts, Account::Customer)
    }

    /// A change that costs `gross` more, of which `tax` is tax.
    #[must_use]
    pub fn increase(at: DateTime<Utc>, adjustment: Uuid, gross: Pence, tax: Pence) -> Self {
        use Account::{Customer, Premium, Tax};
        let parts = [(Customer, gross), (Tax, -tax)];
        Self::with_balance(at, Movement::Increase, adjustment, &parts, Premium)
    }

    /// `gross` was paid for a change that counts from a later day: it is owed back until then.
    #[must_use]
    pub fn hold_payment(at: DateTime<Utc>, adjustment: Uuid, gross: Pence) -> Self {
        let parts = [(Account::Customer, gross)];
        Self::with_balance(at, Movement::Held, adjustment, &parts, Account::Refunds)
    }

    /// The day has come of a change whose `gross` was held since it was paid; `tax` of it is tax.
    #[must_use]
    pub fn earn_held(at: DateTime<Utc>, adjustment: Uuid, gross: Pence, tax: Pence) -> Self {
        use Account::{Premium, Refunds, Tax};
        let parts = [(Refunds, gross), (Tax, -tax)];
        Self::with_balance(at, Movement::Increase, adjustment, &parts, Premium)
    }

    /// A change that costs `gross` less, of which `tax` is tax; both are positive.
    #[must_use]
    pub fn decrease(at: DateTime<Utc>, cause_id: Uuid, gross: Pence, tax: Pence) -> Self {
        use Account::{Premium, Refunds, Tax};
        let parts = [(Refunds, -gross), (Tax, tax)];
        Self::with_balance(at, Movement::Decrease, cause_id, &parts, Premium)
    }

    /// A cancellation. `gross` of the premium is refunded, `tax` of it is tax, `charges` are
    /// refunded beside it, and `fee` is deducted, at most down to zero. All are positive.
    #[must_use]
    pub fn cancellation(
        at: DateTime<Utc>,
        cause_id: Uuid,
        gross: Pence,
        tax: Pence,
        fee: Pence,
        charges: Pence,
    ) -> Self {
        use Account::{Fees, Premium, Refunds, Tax};
        let parts = [
            (Premium, gross - tax),
            (Tax, tax),
            (Fees, charges),
            (Fees, -fee.min(gross + charges)),
        ];
        Self::with_balance(at, Movement::Cancellation, cause_id, &parts, Refunds)
    }

    /// `amount` of `payment` bought nothing, and is to be refunded.
    #[must_use]
    pub fn overpayment(at: DateTime<Utc>, payment: Uuid, amount: Pence) -> Self {
        let parts = [(Account::Customer, amount)];
        Self::with_balance(at, Movement::Surplus, payment, &parts, Account::Refunds)
    }

    /// The gateway `provider` refunded `amount` for `refund`.
    #[must_use]
    pub fn refund(at: DateTime<Utc>, provider: &str, refund: Uuid, amount: Pence) -> Self {
        let parts = [(Account::Refunds, amount)];
        let gateway = Account::gateway(provider);
        Self::with_balance(at, Movement::Refund, refund, &parts, gateway)
    }

    /// The `amount` of a refund that was made came back to the gateway: it is owed again.
    #[must_use]
    pub fn refund_failed(at: DateTime<Utc>, provider: &str, refund: Uuid, amount: Pence) -> Self {
        let parts = [(Account::gateway(provider), amount)];
        let owed = Account::Refunds;
        Self::with_balance(at, Movement::RefundFailed, refund, &parts, owed)
    }

    /// Somebody refunded `amount` at the gateway by hand. Nothing was owed for it, so it is lost; below
    /// zero, it came back.
    #[must_use]
    pub fn refund_by_hand(at: DateTime<Utc>, provider: &str, refund: Uuid, amount: Pence) -> Self {
        let movement = if amount < Pence::ZERO {
            Movement::RefundFailed
        } else {
            Movement::RefundByHand
        };
        let parts = [(Account::WrittenOff, amount)];
        Self::with_balance(at, movement, refund, &parts, Account::gateway(provider))
    }

    /// The `amount` of `refund`, which was owed, was paid by bank transfer.
    #[must_use]
    pub fn paid_by_transfer(at: DateTime<Utc>, refund: Uuid, amount: Pence) -> Self {
        let parts = [(Account::Refunds, amount)];
        Self::with_balance(at, Movement::PaidOtherwise, refund, &parts, Account::Bank)
    }

    /// The `amount` of `refund`, which was owed, was among what is lost: the customer has it. Below zero,
    /// it is lost no more, and owed again.
    #[must_use]
    pub fn had_already(at: DateTime<Utc>, refund: Uuid, amount: Pence) -> Self {
        let parts = [(Account::Refunds, amount)];
        let lost = Account::WrittenOff;
        Self::with_balance(at, Movement::PaidOtherwise, refund, &parts, lost)
    }

    /// The gateway took `amount` back for a dispute; below zero, it gave that much back to us.
    #[must_use]
    pub fn disputed(at: DateTime<Utc>, provider: &str, dispute: Uuid, amount: Pence) -> Self {
        let movement = if amount < Pence::ZERO {
            Movement::DisputeReturned
        } else {
            Movement::Disputed
        };
        let parts = [(Account::Disputes, amount)];
        Self::with_balance(at, movement, dispute, &parts, Account::gateway(provider))
    }

    /// `amount` of what was disputed is lost; below zero, that much is lost no more.
    #[must_use]
    pub fn write_off(at: DateTime<Utc>, dispute: Uuid, amount: Pence) -> Self {
        let parts = [(Account::WrittenOff, amount)];
        Self::with_balance(at, Movement::WrittenOff, dispute, &parts, Account::Disputes)
    }

    /// The gateway paid out what it held of the payment, refund or dispute `about`: `gross`, less the
    /// `fee` that it kept. Below zero, it kept `gross` back from what it paid out.
    #[must_use]
    pub fn settle(
        at: DateTime<Utc>,
        provider: &str,
        cause_id: Uuid,
        gross: Pence,
        fee: Pence,
    ) -> Self {
        let parts = [(Account::Bank, gross - fee), (Account::ProviderFees, fee)];
        let gateway = Account::gateway(provider);
        Self::with_balance(at, Movement::Settled, cause_id, &parts, gateway)
    }

    /// The gateway kept a fee of `fee` back from what it paid out; `about` names the payout's line.
    #[must_use]
    pub fn provider_fee(at: DateTime<Utc>, cause_id: Uuid, fee: Pence) -> Self {
        let parts = [(Account::ProviderFees, fee)];
        Self::with_balance(at, Movement::ProviderFee, cause_id, &parts, Account::Bank)
    }

    /// The gateway paid out `gross`, less the `fee` that it kept, for nothing that the shop knows; a person
    /// took it for the shop's own, so it is won, or, below zero, lost. `about` names the payout's line.
    #[must_use]
    pub fn accept_unmatched(at: DateTime<Utc>, cause_id: Uuid, gross: Pence, fee: Pence) -> Self {
        let parts = [(Account::Bank, gross - fee), (Account::ProviderFees, fee)];
        Self::with_balance(
            at,
            Movement::Accepted,
            cause_id,
            &parts,
            Account::WrittenOff,
        )
    }

    /// What it moved; no part is zero.
    #[must_use]
    pub fn postings(&self) -> &[Posting] {
        &self.postings
    }

    /// What it moved on one account, pence.
    #[must_use]
    pub fn amount_on(&self, account: &Account) -> Pence {
        let own = self.postings.iter().filter(|own| own.account == *account);
        own.map(|own| own.amount).sum()
    }

    /// The parts, with their difference on the account that takes the `rest`.
    fn with_balance(
        at: DateTime<Utc>,
        movement: Movement,
        cause_id: Uuid,
        parts: &[(Account, Pence)],
        rest: Account,
    ) -> Self {
        let sum: Pence = parts.iter().map(|(_, amount)| *amount).sum();
        let all = parts.iter().cloned().chain([(rest, -sum)]);
        Self {
            at,
            movement,
            cause_id,
            postings: all
                .filter(|(_, amount)| *amount != Pence::ZERO)
                .map(|(account, amount)| Posting { account, amount })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests;
