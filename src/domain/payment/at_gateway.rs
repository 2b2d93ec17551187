//! The gateway's side of an attempt: currency, test or live mode, references, secrets and failure.

use std::fmt;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Currency {
    /// Pounds sterling, in pence.
    #[serde(rename = "GBP")]
    Gbp,
}

impl Currency {
    /// Returns the currency of an ISO 4217 code, in upper or lower case. Returns `None` for a currency that
    /// the shop does not accept.
    #[must_use]
    pub fn parse(code: &str) -> Option<Self> {
        code.eq_ignore_ascii_case(Self::Gbp.code())
            .then_some(Self::Gbp)
    }

    /// Returns the ISO 4217 code.
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
    /// No real money moves.
    Test,
    /// Real money moves.
    Live,
}

/// A gateway's references of an attempt, by the gateway's own names: a session, an intent, an
/// order.
pub type References = IndexMap<String, String>;

/// A gateway's secrets of one attempt, by the gateway's own names. They are stored. `Debug` prints
/// only their names, so that no log contains a secret.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Keys(pub IndexMap<String, String>);

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// The failure of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub class: FailureClass,
    /// Whether the gateway will never take money for this attempt. Only after
    /// a final failure may the shop tell the customer that no charge was made.
    pub is_final: bool,
}

/// The reason of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FailureClass {
    /// The bank declined the card, or the customer's authentication failed.
    Declined,
    /// The gateway closed the page after its time limit.
    Expired,
    /// The attempt ended before a card was charged: the customer cancelled, or the shop closed it.
    Abandoned,
    /// The reason is unknown.
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
