//! The gateways of this shop, for the use cases.

use crate::app::App;
use crate::domain::payment::Payment;
use crate::integrations::gateway::{Gateway, sandbox};

impl App {
    /// The names of the gateways that new sales use, the preferred one first.
    #[must_use]
    pub fn offered_gateways(&self) -> &[&'static str] {
        self.gateways.offered()
    }

    /// Whether the sandbox gateway's pages are shown.
    #[must_use]
    pub fn has_sandbox(&self) -> bool {
        self.gateways.named(sandbox::NAME).is_some()
    }

    /// The gateway of an attempt, if it has keys in the settings, whether it is offered or not. One that
    /// has none is logged, once.
    pub(in crate::app) fn gateway_of(&self, attempt: &Payment) -> Option<&dyn Gateway> {
        let gateway = self.gateways.named(&attempt.provider);
        if gateway.is_none() {
            self.gateways.note_missing(&attempt.provider);
        }
        gateway
    }

    /// Whether the card of a payment can be charged again without its holder.
    pub(in crate::app) fn can_charge_card_of(&self, payment: &Payment) -> bool {
        let gateway = self.gateways.named(&payment.provider);
        gateway.is_some_and(|gateway| gateway.abilities().stores_cards)
    }
}
