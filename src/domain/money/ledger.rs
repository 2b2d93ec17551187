//! The ledger: every movement of a policy's money, in double entry. The balance of an account is
//! the sum of its postings. docs/decisions/0019-accounts.md explains what the balance of each
//! account means.

pub mod plan;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::money::Pence;
use crate::domain::money::price::Price;

/// The provider of payments that a person recorded, and no gateway took.
pub const BANK_TRANSFER: &str = "bank-transfer";

/// The accounts of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Account {
    /// What the customer owes us.
    Customer,
    /// The money that a gateway holds for us.
    Gateway {
        /// The gateway's name in the configuration.
        provider: String,
    },
    /// What the gateways paid out to our bank, less refunds by bank transfer.
    Bank,
    /// The gateways' fees.
    ProviderFees,
    /// Premium before tax.
    Premium,
    /// Insurance premium tax.
    Tax,
    /// Charges beside the premium, and fees.
    Fees,
    /// Money that we owe the customer, such as refunds and held payments.
    Refunds,
    /// What gateways took for disputes, until the money is returned or written off.
    Disputes,
    /// Our losses, such as lost disputes and refunds that were not owed, less gains.
    WrittenOff,
}

impl Account {
    /// Returns every account. The gateway account is that of `provider`.
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

    /// Returns the account that holds the payments of `provider`: the gateway's, or the bank's for
    /// [`BANK_TRANSFER`].
    #[must_use]
    pub fn gateway(provider: &str) -> Self {
        if provider == BANK_TRANSFER {
            return Self::Bank;
        }
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
    /// A card payment succeeded.
    Payment,
    /// A change increased the price.
    Increase,
    /// A change reduced the price.
    Decrease,
    /// Cover ended early.
    Cancellation,
    /// A payment bought nothing.
    Unapplied,
    /// A card was refunded.
    Refund,
    /// A card payment arrived for a change that takes effect on a later day.
    Held,
    /// The customer's bank returned a refund, or a refund by hand failed at the gateway.
    RefundFailed,
    /// A gateway took money for a dispute.
    Disputed,
    /// A gateway returned money that it had taken for a dispute.
    DisputeReturned,
    /// A dispute's money is lost, or an earlier loss is reversed.
    WrittenOff,
    /// A gateway paid out to our bank.
    Settled,
    /// A gateway charged a fee that belongs to no single payment.
    ProviderFee,
    /// Somebody refunded a card at the gateway by hand.
    RefundByHand,
    /// A gateway paid out an amount without a match in the shop. A person accepted the amount as
    /// the shop's.
    Accepted,
    /// An owed refund was paid by bank transfer, or the customer had received the amount already.
    ManualRefund,
    /// A gateway took a payment back without a dispute.
    Reversed,
}

/// One account's part of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Posting {
    pub account: Account,
    /// The amount in pence; a debit is positive, a credit negative.
    pub amount: Pence,
}

/// One movement. Its postings add up to zero.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// When the entry was written.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
    /// Why the money moved.
    pub movement: Movement,
    /// The row that caused the entry: a quote, payment, adjustment, cancellation, refund, dispute
    /// or payout line.
    pub cause_id: Uuid,
    postings: Vec<Posting>,
}

impl Entry {
    /// Returns the entry of the sale of the quote `cause_id` at `price`. The customer owes the
    /// total.
    #[must_use]
    pub fn sale(time: DateTime<Utc>, cause_id: Uuid, price: &Price) -> Self {
        use Account::{Customer, Fees, Premium, Tax};
        let parts = [
            (Customer, price.total),
            (Premium, -price.net),
            (Tax, -price.tax),
        ];
        Self::with_balance(time, Movement::Sale, cause_id, &parts, Fees)
    }

    /// Returns the entry of `amount` that the gateway `provider` took for `payment`.
    #[must_use]
    pub fn payment(time: DateTime<Utc>, provider: &str, payment: Uuid, amount: Pence) -> Self {
        let parts = [(Account::gateway(provider), amount)];
        Self::with_balance(time, Movement::Payment, payment, &parts, Account::Customer)
    }

    /// Returns the entry of `amount` of `payment` that the gateway took back without a dispute. The
    /// amount is a loss.
    #[must_use]
    pub fn reversed(time: DateTime<Utc>, provider: &str, payment: Uuid, amount: Pence) -> Self {
        let parts = [(Account::WrittenOff, amount)];
        let gateway = Account::gateway(provider);
        Self::with_balance(time, Movement::Reversed, payment, &parts, gateway)
    }

    /// Returns the entry of a change that costs `gross` more; `tax` is the tax in `gross`.
    #[must_use]
    pub fn increase(time: DateTime<Utc>, adjustment: Uuid, gross: Pence, tax: Pence) -> Self {
        use Account::{Customer, Premium, Tax};
        let parts = [(Customer, gross), (Tax, -tax)];
        Self::with_balance(time, Movement::Increase, adjustment, &parts, Premium)
    }

    /// Returns the entry of `gross` that was paid for a change on a later day. We owe `gross` until
    /// that day.
    #[must_use]
    pub fn hold_payment(time: DateTime<Utc>, adjustment: Uuid, gross: Pence) -> Self {
        let parts = [(Account::Customer, gross)];
        Self::with_balance(time, Movement::Held, adjustment, &parts, Account::Refunds)
    }

    /// Returns the entry that earns the held `gross` on the day of the change. `gross` includes
    /// `tax`.
    #[must_use]
    pub fn earn_held(time: DateTime<Utc>, adjustment: Uuid, gross: Pence, tax: Pence) -> Self {
        use Account::{Premium, Refunds, Tax};
        let parts = [(Refunds, gross), (Tax, -tax)];
        Self::with_balance(time, Movement::Increase, adjustment, &parts, Premium)
    }

    /// Returns the entry of a change that costs `gross` less. `gross` includes `tax`. Both
    /// amounts are positive.
    #[must_use]
    pub fn decrease(time: DateTime<Utc>, cause_id: Uuid, gross: Pence, tax: Pence) -> Self {
        use Account::{Premium, Refunds, Tax};
        let parts = [(Refunds, -gross), (Tax, tax)];
        Self::with_balance(time, Movement::Decrease, cause_id, &parts, Premium)
    }

    /// Returns the entry of a cancellation. The customer gets back `gross`, which includes `tax`,
    /// and `charges`, less `fee`. A fee above the sum of `gross` and `charges` is reduced to that
    /// sum. The caller passes no negative amount.
    #[must_use]
    pub fn cancellation(
        time: DateTime<Utc>,
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
        Self::with_balance(time, Movement::Cancellation, cause_id, &parts, Refunds)
    }

    /// Returns the entry for the `amount` of a `payment` that bought nothing. We owe the amount to the
    /// customer.
    #[must_use]
    pub fn unapplied(time: DateTime<Utc>, payment: Uuid, amount: Pence) -> Self {
        let parts = [(Account::Customer, amount)];
        Self::with_balance(time, Movement::Unapplied, payment, &parts, Account::Refunds)
    }

    /// Returns the entry of `amount` that the gateway `provider` refunded for `refund`.
    #[must_use]
    pub fn refund(time: DateTime<Utc>, provider: &str, refund: Uuid, amount: Pence) -> Self {
        let parts = [(Account::Refunds, amount)];
        let gateway = Account::gateway(provider);
        Self::with_balance(time, Movement::Refund, refund, &parts, gateway)
    }

    /// Returns the entry of a completed refund whose `amount` the customer's bank returned to the
    /// gateway. We owe the amount again.
    #[must_use]
    pub fn refund_failed(time: DateTime<Utc>, provider: &str, refund: Uuid, amount: Pence) -> Self {
        let parts = [(Account::gateway(provider), amount)];
        let owed = Account::Refunds;
        Self::with_balance(time, Movement::RefundFailed, refund, &parts, owed)
    }

    /// Returns the entry of `amount` that somebody refunded at the gateway by hand. The refund was
    /// not owed, so the amount is a loss. A negative amount reverses the loss of a refund by hand
    /// that failed.
    #[must_use]
    pub fn refund_by_hand(
        time: DateTime<Utc>,
        provider: &str,
        refund: Uuid,
        amount: Pence,
    ) -> Self {
        let movement = if amount < Pence::ZERO {
            Movement::RefundFailed
        } else {
            Movement::RefundByHand
        };
        let parts = [(Account::WrittenOff, amount)];
        Self::with_balance(time, movement, refund, &parts, Account::gateway(provider))
    }

    /// Returns the entry of an owed `refund` that was paid by bank transfer.
    #[must_use]
    pub fn paid_by_transfer(time: DateTime<Utc>, refund: Uuid, amount: Pence) -> Self {
        let parts = [(Account::Refunds, amount)];
        Self::with_balance(time, Movement::ManualRefund, refund, &parts, Account::Bank)
    }

    /// Returns the entry of an owed `refund` whose `amount` the customer has received already. A
    /// dispute, a reversal or a refund by hand paid that amount. The amount is in our losses, so the
    /// entry reduces the losses. If `amount` is negative, we owe the refund again, and the losses
    /// increase.
    #[must_use]
    pub fn had_already(time: DateTime<Utc>, refund: Uuid, amount: Pence) -> Self {
        let parts = [(Account::Refunds, amount)];
        let lost = Account::WrittenOff;
        Self::with_balance(time, Movement::ManualRefund, refund, &parts, lost)
    }

    /// Returns the entry of `amount` that the gateway took for a dispute. A negative amount was
    /// returned to us.
    #[must_use]
    pub fn disputed(time: DateTime<Utc>, provider: &str, dispute: Uuid, amount: Pence) -> Self {
        let movement = if amount < Pence::ZERO {
            Movement::DisputeReturned
        } else {
            Movement::Disputed
        };
        let parts = [(Account::Disputes, amount)];
        Self::with_balance(time, movement, dispute, &parts, Account::gateway(provider))
    }

    /// Returns the entry of the disputed `amount` that is lost. A negative amount reverses an
    /// earlier loss.
    #[must_use]
    pub fn write_off(time: DateTime<Utc>, dispute: Uuid, amount: Pence) -> Self {
        let parts = [(Account::WrittenOff, amount)];
        Self::with_balance(
            time,
            Movement::WrittenOff,
            dispute,
            &parts,
            Account::Disputes,
        )
    }

    /// Returns the entry of a payout of the payment, refund or dispute `cause_id`: `gross`, less
    /// the gateway's `fee`. The gateway deducted a negative `gross` from the payout.
    #[must_use]
    pub fn settle(
        time: DateTime<Utc>,
        provider: &str,
        cause_id: Uuid,
        gross: Pence,
        fee: Pence,
    ) -> Self {
        let parts = [(Account::Bank, gross - fee), (Account::ProviderFees, fee)];
        let gateway = Account::gateway(provider);
        Self::with_balance(time, Movement::Settled, cause_id, &parts, gateway)
    }

    /// Returns the entry of a `fee` that the gateway deducted from a payout. `cause_id` is the
    /// payout line.
    #[must_use]
    pub fn provider_fee(time: DateTime<Utc>, cause_id: Uuid, fee: Pence) -> Self {
        let parts = [(Account::ProviderFees, fee)];
        Self::with_balance(time, Movement::ProviderFee, cause_id, &parts, Account::Bank)
    }

    /// Returns the entry of `gross`, less the gateway's `fee`, that a payout contains without a
    /// match in the shop. A person accepted `gross` as the shop's gain, or as a loss if negative.
    /// `cause_id` is the payout line.
    #[must_use]
    pub fn accept_unmatched(time: DateTime<Utc>, cause_id: Uuid, gross: Pence, fee: Pence) -> Self {
        let parts = [(Account::Bank, gross - fee), (Account::ProviderFees, fee)];
        Self::with_balance(
            time,
            Movement::Accepted,
            cause_id,
            &parts,
            Account::WrittenOff,
        )
    }

    /// Returns the postings. No posting is zero.
    #[must_use]
    pub fn postings(&self) -> &[Posting] {
        &self.postings
    }

    /// Returns the sum of the postings on one account, in pence.
    #[must_use]
    pub fn amount_on(&self, account: &Account) -> Pence {
        let own = self.postings.iter().filter(|own| own.account == *account);
        own.map(|own| own.amount).sum()
    }

    /// Returns the entry of `parts`. The account `rest` gets the posting that makes the sum zero.
    fn with_balance(
        time: DateTime<Utc>,
        movement: Movement,
        cause_id: Uuid,
        parts: &[(Account, Pence)],
        rest: Account,
    ) -> Self {
        let sum: Pence = parts.iter().map(|(_, amount)| *amount).sum();
        let all = parts.iter().cloned().chain([(rest, -sum)]);
        Self {
            at: time,
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
