//! What an attempt pays for, how often, and by which card.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What an attempt pays for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// The first term of a policy.
    Sale,
    /// The adjustment with this id.
    Change(Uuid),
    /// The next term of a policy.
    Renewal,
    /// Instalments of a policy's plan.
    Instalments(InstalmentNumbers),
}

impl Purpose {
    /// Returns the adjustment that is paid for.
    #[must_use]
    pub const fn change(self) -> Option<Uuid> {
        match self {
            Self::Change(id) => Some(id),
            Self::Sale | Self::Renewal | Self::Instalments(_) => None,
        }
    }

    /// Returns the numbers of the plan's instalments that are paid for. A purchase pays for the first.
    #[must_use]
    pub fn instalments(self) -> Vec<usize> {
        match self {
            Self::Instalments(numbers) => numbers.numbers(),
            Self::Sale | Self::Renewal => vec![0],
            Self::Change(_) => Vec::new(),
        }
    }

    /// Returns whether the attempt buys a policy.
    #[must_use]
    pub const fn buys_policy(self) -> bool {
        matches!(self, Self::Sale | Self::Renewal)
    }

    /// Returns whether two attempts for one policy compete: only one of them can be needed.
    #[must_use]
    pub fn competes_with(self, other: Self) -> bool {
        matches!((self, other), (Self::Instalments(_), Self::Instalments(_))) || self == other
    }

    /// Returns whether a payment for this purpose makes one for `other` useless.
    #[must_use]
    pub fn makes_useless(self, other: Self) -> bool {
        match (self, other) {
            (Self::Instalments(own), Self::Instalments(others)) => own.0 & others.0 != 0,
            _ => self == other,
        }
    }
}

/// The numbers of some instalments of a plan, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstalmentNumbers(u16);

impl InstalmentNumbers {
    /// A plan has no more instalments than this type has bits.
    #[must_use]
    pub fn new(numbers: &[usize]) -> Self {
        let bits = numbers
            .iter()
            .filter(|number| **number < u16::BITS as usize);
        Self(bits.fold(0, |all, number| all | 1 << number))
    }

    #[must_use]
    pub fn numbers(self) -> Vec<usize> {
        let all = 0..u16::BITS as usize;
        all.filter(|number| self.0 & (1 << number) != 0).collect()
    }
}

/// The source of an attempt's money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PaymentSource {
    /// The customer pays on the gateway's page.
    Page,
    /// The shop charges the card with this id; see [`super::Instrument`].
    Instrument(Uuid),
    /// The customer paid by bank transfer, and a person recorded it.
    Transfer,
}

/// How the price of a sale or renewal is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PaymentFrequency {
    /// One payment for the whole term.
    Annual,
    /// Payments a month apart, the first at purchase.
    Monthly { payments: u32 },
}

impl PaymentFrequency {
    /// Returns the word of the API.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Annual => "annual",
            Self::Monthly { .. } => "monthly",
        }
    }
}
