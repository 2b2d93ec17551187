//! A provider that keeps cards: its charges without the cardholder.

use layby::domain::payment::{
    CardOnFile, Consent, Instrument, Keys, Payment, PaymentSource, Purpose,
};
use uuid::Uuid;

use super::provider::Provider;

/// Returns an attempt to charge a card for a renewal, and the card. `token` is its name and value.
pub fn charge_of(
    attempt: &Payment,
    (name, token): (&str, &str),
    scheme_reference: &str,
) -> (Payment, Instrument) {
    let card = Instrument {
        id: Uuid::from_u128(9),
        payment: attempt.id,
        gateway: attempt.provider.clone(),
        mode: attempt.mode,
        card: CardOnFile {
            tokens: Keys([(name.to_owned(), token.to_owned())].into()),
            scheme_reference: Some(scheme_reference.to_owned()),
            ..CardOnFile::default()
        },
        removed: None,
        is_unusable: false,
        consent: Consent::for_renewals(28, true, None, attempt.created),
    };
    let mut charge = attempt.clone();
    charge.id = Uuid::from_u128(5);
    charge.purpose = Purpose::Renewal;
    charge.by = PaymentSource::Instrument(card.id);
    (charge, card)
}

/// A double of a provider that keeps cards.
pub trait CardKeeper: Provider {
    /// Codes of declines: the card must not be charged again, may be charged later, and needs its holder.
    const NEVER: &'static str;
    const LATER: &'static str;
    const CUSTOMER: &'static str;
    /// Whether a repeated call charges once. Otherwise a lost call is only asked for.
    const REPEATS: bool = true;

    /// Returns our attempt and the amount in pence of each successful charge.
    fn charges(&self) -> Vec<(String, i64)>;

    /// Declines each later charge with this code of the provider. `None` approves them again.
    fn decline_charges(&self, code: Option<&'static str>);

    /// Refuses the request of each later charge, and not its card.
    fn refuse_charges(&self, is_refused: bool);

    /// Loses the answer to the next charge. Without `is_made` the provider does not receive the charge.
    fn lose_charge(&self, is_made: bool);

    /// Loses the answer to the next removal of a card.
    fn lose_removal(&self);

    /// Returns the number of stored cards.
    fn cards(&self) -> usize;

    /// Removes all stored cards at the provider.
    fn remove_cards(&self);
}
