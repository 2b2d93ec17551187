//! The card that a gateway keeps, for later charges without the cardholder.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Consent, Keys, Mode, Purpose};
use crate::domain::deterministic_id::id_from_parts;

/// A card that a gateway keeps with the holder's consent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instrument {
    /// See [`Instrument::id_of`].
    pub id: Uuid,
    /// The payment that kept the card.
    pub payment: Uuid,
    /// The gateway's name in the configuration.
    pub gateway: String,
    pub mode: Mode,
    pub card: CardOnFile,
    pub consent: Consent,
    /// When a user removed the card. The gateway's tokens are deleted after it has removed the card too.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "chrono::serde::ts_microseconds_option"
    )]
    pub removed: Option<DateTime<Utc>>,
    /// Whether a charge was declined for good, so that the card must not be charged again.
    #[serde(default)]
    pub is_unusable: bool,
}

impl Instrument {
    /// Returns the id of the card that a payment keeps. Each payment keeps at most one card.
    #[must_use]
    pub fn id_of(payment: Uuid) -> Uuid {
        id_from_parts(&[b"instrument", payment.as_bytes()])
    }
}

/// A gateway's data of a card that it keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardOnFile {
    /// The gateway's tokens of the card, by the gateway's own names. They are secret.
    pub tokens: Keys,
    /// The card scheme's reference of the first payment. Later charges refer to it.
    pub scheme_reference: Option<String>,
    pub brand: Option<String>,
    /// The last four digits of the card's number.
    pub last_four: Option<String>,
    pub expiry: Option<CardExpiry>,
}

/// The last month in which a card is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardExpiry {
    pub month: u32,
    pub year: i32,
}

/// Returns the id of the attempt to charge a card. The id is the same after a crash, in another
/// process, and on a restored store. `policy` is the policy that is renewed or paid for. `number`
/// counts the charges of this purpose, and `tries` the tries of each charge, both from 1.
#[must_use]
pub fn charge_id(policy: Uuid, purpose: Purpose, number: u32, tries: u32) -> Uuid {
    let purpose = match purpose {
        Purpose::Sale => "sale".to_owned(),
        Purpose::Renewal => "renewal".to_owned(),
        Purpose::Change(id) => format!("change {id}"),
        // `number` is the instalment's.
        Purpose::Instalments(_) => "instalment".to_owned(),
    };
    let (number, tries) = (number.to_be_bytes(), tries.to_be_bytes());
    let policy = policy.as_bytes();
    id_from_parts(&[b"charge", policy, purpose.as_bytes(), &number, &tries])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_try_of_each_charge_has_its_own_id() {
        let policy = Uuid::from_u128(1);
        let id = charge_id(policy, Purpose::Renewal, 1, 1);
        assert_eq!(id, charge_id(policy, Purpose::Renewal, 1, 1));
        let others = [
            charge_id(Uuid::from_u128(2), Purpose::Renewal, 1, 1),
            charge_id(policy, Purpose::Sale, 1, 1),
            charge_id(policy, Purpose::Change(policy), 1, 1),
            charge_id(policy, Purpose::Renewal, 2, 1),
            charge_id(policy, Purpose::Renewal, 1, 2),
        ];
        assert!(!others.contains(&id));
    }
}
