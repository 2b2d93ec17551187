//! Looks up the shop's gateways and their capabilities.

use crate::app::payments::Gateways;
use crate::app::payments::sandbox::books::NAME as SANDBOX;
use crate::app::{App, AppError};
use crate::domain::payment::Payment;
use crate::integrations::payments::Gateway;

/// Returns the names of the gateways that new sales use, the preferred one first.
#[must_use]
pub fn offered_gateways(app: &App) -> &[&'static str] {
    app.gateways.offered()
}

/// Returns the name of the gateway for a new sale if the customer does not choose one.
///
/// # Errors
/// A conflict if the shop offers no gateway: nothing can be paid online.
pub fn preferred_gateway(app: &App) -> Result<&'static str, AppError> {
    let first = offered_gateways(app).first().copied();
    first.ok_or_else(|| {
        let phone = &app.config.site.phone;
        AppError::conflict(
            "no_gateway",
            format!("We can't take a payment online at the moment. Please call us on {phone}."),
        )
    })
}

/// Returns whether the shop offers gateways and each of them stores cards. If not, the shop must
/// not ask a customer to agree to a later charge of the card.
#[must_use]
pub fn can_store_cards(app: &App) -> bool {
    let offered = offered_gateways(app);
    let keeps = |name: &&str| {
        let gateway = app.gateways.find(name);
        gateway.is_some_and(|gateway| gateway.capabilities().stores_cards)
    };
    !offered.is_empty() && offered.iter().all(keeps)
}

/// Returns whether the shop services the sandbox gateway and so must serve the sandbox's pages.
#[must_use]
pub fn has_sandbox(app: &App) -> bool {
    app.gateways.find(SANDBOX).is_some()
}

/// Returns the gateway of an attempt if the shop services the gateway. The shop need not offer the
/// gateway for new sales. Logs a missing gateway once.
pub(in crate::app) fn gateway_of<'a>(
    gateways: &'a Gateways,
    attempt: &Payment,
) -> Option<&'a dyn Gateway> {
    let gateway = gateways.find(&attempt.provider);
    if gateway.is_none() {
        gateways.note_missing(&attempt.provider);
    }
    gateway
}

/// Returns whether the shop services the payment's gateway and the gateway stores cards.
pub(in crate::app) fn can_charge_card_of(gateways: &Gateways, payment: &Payment) -> bool {
    let gateway = gateways.find(&payment.provider);
    gateway.is_some_and(|gateway| gateway.capabilities().stores_cards)
}
