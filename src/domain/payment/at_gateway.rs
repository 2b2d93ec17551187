//! What an attempt is to its gateway: its currency, whether it moves real money, what the gateway calls
//! it, and how it failed.

use std::fmt;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// What money is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Currency {
    /// Pounds sterling, in pence.
    #[serde(rename = "GBP")]
    Gbp,
}

impl Currency {
    /// The currency with an ISO 4217 code, in whatever case a gateway writes it; none for one that
    /// the shop doesn't take.
    #[must_use]
    pub fn parse(code: &str) -> Option<Self> {
        code.eq_ignore_ascii_case(Self::Gbp.code())
            .then_some(Self::Gbp)
    }

    /// Its ISO 4217 code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Gbp => "GBP",
        }
    }
}

/// Whether a gateway moves real money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// It plays only.
    Test,
    /// It does.
    Live,
}

/// What the gateway calls an attempt, by the gateway's own name for each: a session, an intent, an order.
pub type References = IndexMap<String, String>;

/// Secrets that a gateway gave for one attempt, by its own names for them. They are stored, and are never
/// sent or printed.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Keys(pub IndexMap<String, String>);

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// How an attempt failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Why.
    pub class: FailureClass,
    /// Whether the gateway will never take money for this attempt. Only then may a customer be told that
    /// no charge was made.
    pub is_final: bool,
}

/// Why an attempt failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FailureClass {
    /// The bank said no, or did not believe that it was the customer.
    Declined,
    /// The gateway closed the page after its time.
    Expired,
    /// The customer, or the shop, left the page before a card was entered.
    Abandoned,
    /// Nobody knows.
    Unknown,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_printed_by_their_names_alone() {
        let keys = Keys(IndexMap::from([(
            "SecurityKey".into(),
            "JEUPDN1N7E".into(),
        )]));
        assert_eq!(format!("{keys:?}"), "{\"SecurityKey\"}");
    }

    #[test]
    fn a_currency_is_known_in_either_case_and_others_are_none() {
        assert_eq!(Currency::parse("gbp"), Some(Currency::Gbp));
        assert_eq!(Currency::parse("GBP"), Some(Currency::Gbp));
        for other in ["eur", "", "gb", "gbpx"] {
            assert_eq!(Currency::parse(other), None, "{other}");
        }
    }
}
