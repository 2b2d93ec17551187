//! The gateways of this shop, for the use cases.

use std::sync::Arc;

use crate::app::payments::sandbox::books::NAME as SANDBOX;
use crate::app::{App, AppError};
use crate::domain::payment::Payment;
use crate::integrations::payments::Gateway;

impl App {
    /// The names of the gateways that new sales use, the preferred one first.
    #[must_use]
    pub fn offered_gateways(&self) -> &[&'static str] {
        self.gateways.offered()
    }

    /// The name of the gateway that a new sale uses, where the customer doesn't choose.
    ///
    /// # Errors
    /// A conflict when the shop has none: nothing can be paid for online.
    pub fn preferred_gateway(&self) -> Result<&'static str, AppError> {
        let first = self.offered_gateways().first().copied();
        first.ok_or_else(|| {
            let phone = &self.config.site.phone;
            AppError::conflict(
                "no_gateway",
                format!("We can't take a payment online at the moment. Please call us on {phone}."),
            )
        })
    }

    /// Whether the card that pays now can be charged for the renewal too, whichever gateway it pays
    /// through. Nobody is asked to agree to what can't be done.
    #[must_use]
    pub fn keeps_cards(&self) -> bool {
        let offered = self.offered_gateways();
        let keeps = |name: &&str| {
            let gateway = self.gateways.named(name);
            gateway.is_some_and(|gateway| gateway.abilities().stores_cards)
        };
        !offered.is_empty() && offered.iter().all(keeps)
    }

    /// Services `gateway` in place of the one of its name: a test's may do less than the sandbox.
    pub fn replace_gateway(&mut self, gateway: Arc<dyn Gateway>) {
        self.gateways.replace(gateway);
    }

    /// Whether the sandbox gateway's pages are shown.
    #[must_use]
    pub fn has_sandbox(&self) -> bool {
        self.gateways.named(SANDBOX).is_some()
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
