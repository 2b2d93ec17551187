//! Explains why a quote's price differs from the price that its partner showed.

use crate::config::{Config, Partner};
use crate::domain::money::price::{Basis, Per, in_words};
use crate::domain::quote::Quote;

/// Returns the partner of a quote, if the settings still have the partner.
#[must_use]
pub fn partner<'a>(config: &'a Config, quote: &Quote) -> Option<&'a Partner> {
    let by_partner = quote.partner.as_ref()?;
    let mut partners = config.partners.iter();
    partners.find(|partner| partner.identifier == by_partner.partner)
}

/// Returns a notice if the price of a partner's quote differs from the price that the partner showed.
/// `shown_for` is the period and basis of the shown price. `now_for` is the basis of the quote's price.
/// Returns `None` if price, period and basis are equal, or if the partner showed no price.
pub(in crate::app) fn price_notice(
    quote: &Quote,
    partner: &Partner,
    shown_for: (Per, Basis),
    now_for: Basis,
) -> Option<String> {
    let shown_price = quote.partner.as_ref()?.shown_price?;
    let (per, basis) = shown_for;
    let then = format!(
        "{} showed you {}.",
        partner.name,
        in_words(shown_price, per, basis)
    );
    let Some(price) = quote.current.price.as_ref() else {
        return Some(format!(
            "{then} We can't offer that price for these answers."
        ));
    };
    if price.total == shown_price && (price.per, now_for) == shown_for {
        return None;
    }
    let why = match (basis, now_for) {
        (Basis::Day, Basis::Term) => "because you have told us the days",
        _ if quote.current.number > 1 => "because your answers or the day have changed",
        _ => "because it was worked out anew",
    };
    let now = price.format_total(now_for);
    Some(format!("{then} The price is now {now}, {why}."))
}
