//! Creates attempts that the gateway doesn't know yet.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{
    Currency, FollowUp, InstalmentNumbers, Instrument, Keys, Mode, Payment, PaymentFrequency,
    PaymentSource, PaymentStatus, Purpose, References,
};
use crate::domain::money::Pence;
use crate::domain::money::ledger::BANK_TRANSFER;

impl Payment {
    /// Creates an attempt to pay for `quote` at once, on a page of the gateway `provider`. `revision` is that of the
    /// quote, and `amount` is in pence.
    #[must_use]
    pub fn on_page(
        id: Uuid,
        quote: Uuid,
        (revision, amount): (u32, Pence),
        (provider, mode): (&str, Mode),
        purpose: Purpose,
        now: DateTime<Utc>,
    ) -> Self {
        Self {
            id,
            quote,
            revision,
            amount,
            currency: Currency::Gbp,
            provider: provider.to_owned(),
            mode,
            references: References::new(),
            keys: Keys::default(),
            status: PaymentStatus::Started,
            page: None,
            message: None,
            failure: None,
            decline: None,
            requested: None,
            paid_at: None,
            reversed: None,
            unapplied: None,
            unread_messages: Vec::new(),
            unresolved: None,
            consent: None,
            purpose,
            frequency: PaymentFrequency::Annual,
            by: PaymentSource::Page,
            created: now,
            updated: now,
        }
    }

    /// Creates an attempt to charge a stored card.
    #[must_use]
    pub fn by_card(
        id: Uuid,
        quote: Uuid,
        terms: (u32, Pence),
        card: Instrument,
        purpose: Purpose,
        now: DateTime<Utc>,
    ) -> Self {
        let gateway = (card.gateway.as_str(), card.mode);
        Self {
            // A gateway finds the charge by the card's tokens.
            keys: card.card.tokens,
            consent: Some(card.consent),
            by: PaymentSource::Instrument(card.id),
            ..Self::on_page(id, quote, terms, gateway, purpose, now)
        }
    }

    /// Creates a payment of instalments by bank transfer, which a person recorded.
    #[must_use]
    pub fn by_transfer(
        id: Uuid,
        quote: Uuid,
        terms: (u32, Pence),
        numbers: InstalmentNumbers,
        person: &FollowUp,
        now: DateTime<Utc>,
    ) -> Self {
        let purpose = Purpose::Instalments(numbers);
        let texts = [("by", &person.by), ("why", &person.why)];
        let references = texts.map(|(name, text)| (name.to_owned(), text.clone()));
        Self {
            status: PaymentStatus::Paid,
            paid_at: Some(now),
            by: PaymentSource::Transfer,
            references: References::from(references),
            ..Self::on_page(id, quote, terms, (BANK_TRANSFER, Mode::Live), purpose, now)
        }
    }
}
