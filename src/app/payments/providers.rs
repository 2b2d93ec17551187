//! The gateways of this shop, for the use cases.

use crate::app::payments::Gateways;
use crate::app::payments::sandbox::books::NAME as SANDBOX;
use crate::app::{App, AppError};
use crate::domain::payment::Payment;
use crate::integrations::payments::Gateway;

/// The names of the gateways that new sales use, the preferred one first.
#[must_use]
pub fn offered_gateways(app: &App) -> &[&'static str] {
    app.gateways.offered()
}

/// The name of the gateway that a new sale uses, where the customer doesn't choose.
///
/// # Errors
/// A conflict when the shop has none: nothing can be paid for online.
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

/// Whether the card that pays now can be charged for the renewal too, whichever gateway it pays
/// through. Nobody is asked to agree to what can't be done.
#[must_use]
pub fn keeps_cards(app: &App) -> bool {
    let offered = offered_gateways(app);
    let keeps = |name: &&str| {
        let gateway = app.gateways.find(name);
        gateway.is_some_and(|gateway| gateway.capabilities().stores_cards)
    };
    !offered.is_empty() && offered.iter().all(keeps)
}

/// Whether the sandbox gateway's pages are shown.
#[must_use]
pub fn has_sandbox(app: &App) -> bool {
    app.gateways.find(SANDBOX).is_some()
}

/// The gateway of an attempt, if it has keys in the settings, whether it is offered or not. One that
/// has none is logged, once.
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

/// Whether the card of a payment can be charged again without its holder.
pub(in crate::app) fn can_charge_card_of(gateways: &Gateways, payment: &Payment) -> bool {
    let gateway = gateways.find(&payment.provider);
    gateway.is_some_and(|gateway| gateway.capabilities().stores_cards)
}
