//! Looks up the shop's gateways and their capabilities.

use uuid::Uuid;

use crate::app::payments::Gateways;
use crate::app::payments::sandbox::books::NAME as SANDBOX;
use crate::app::{App, AppError};
use crate::domain::payment::{Payer, Payment};
use crate::domain::quote::answers::Answers;
use crate::domain::quote::policyholder;
use crate::integrations::payments::Gateway;
use crate::store::{Read, StoreError, tables};

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
    let stores = card_gateways(app).count();
    stores > 0 && stores == offered_gateways(app).len()
}

/// Returns the names of the offered gateways that store cards. Monthly payments need one.
pub fn card_gateways(app: &App) -> impl Iterator<Item = &'static str> {
    let offered = offered_gateways(app).iter().copied();
    offered.filter(|name| {
        let gateway = app.gateways.find(name);
        gateway.is_some_and(|gateway| gateway.capabilities().stores_cards)
    })
}

/// Returns whether the shop offers a gateway that stores cards.
#[must_use]
pub fn offers_card_storage(app: &App) -> bool {
    card_gateways(app).next().is_some()
}

/// Returns whether the shop offers a gateway that refuses a payer without a town.
#[must_use]
pub fn needs_town(app: &App) -> bool {
    let gateways = offered_gateways(app).iter();
    let mut gateways = gateways.filter_map(|name| app.gateways.find(name));
    gateways.any(|gateway| gateway.capabilities().needs_town)
}

/// Returns whether an offered gateway needs the payer's town, and the policyholder's address has a single
/// line.
pub(in crate::app) fn is_town_missing(app: &App, answers: &Answers) -> bool {
    let payer = Payer::new(policyholder::profile(answers), None);
    payer.address_line.is_some() && payer.town.is_none() && needs_town(app)
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
    serviced_gateway(gateways, &attempt.provider)
}

/// Returns the gateway with this name if the shop services the gateway. Logs a missing gateway once.
pub(in crate::app::payments) fn serviced_gateway<'a>(
    gateways: &'a Gateways,
    name: &str,
) -> Option<&'a dyn Gateway> {
    let gateway = gateways.find(name);
    if gateway.is_none() {
        gateways.note_missing(name);
    }
    gateway
}

/// Returns whether the card `instrument` can be charged: it was not removed, the shop services its gateway,
/// and the gateway keeps cards.
pub(in crate::app) fn is_chargeable(
    gateways: &Gateways,
    tx: &impl Read,
    instrument: Uuid,
) -> Result<bool, StoreError> {
    let card = tables::INSTRUMENTS.get(tx, &instrument)?;
    let card = card.filter(|card| card.removed.is_none() && !card.is_unusable);
    let gateway = card.and_then(|card| gateways.find(&card.gateway));
    Ok(gateway.is_some_and(|gateway| gateway.capabilities().stores_cards))
}
