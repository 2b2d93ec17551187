//! Why the price of a quote is not the one that its partner showed.

use crate::app::App;
use crate::config::Partner;
use crate::domain::quote::Quote;

impl App {
    /// The partner a quote came through, while it is in the settings.
    #[must_use]
    pub fn partner(&self, quote: &Quote) -> Option<&Partner> {
        let by_partner = quote.partner.as_ref()?;
        let mut partners = self.config.partners.iter();
        partners.find(|partner| partner.identifier == by_partner.partner)
    }
}

/// Why the price of a quote that came through a partner is not the one that the partner showed.
pub(in crate::app) fn price_notice(quote: &Quote, partner: &Partner) -> Option<String> {
    let shown = quote.partner.as_ref()?.shown?;
    let name = &partner.name;
    match quote.current.price.as_ref().map(|price| price.total) {
        Some(price) if price == shown => None,
        Some(price) => {
            let why = if quote.current.number > 1 {
                "because your answers or the day have changed"
            } else {
                "because it was worked out anew"
            };
            Some(format!(
                "{name} showed you {shown}. The price is now {price}, {why}."
            ))
        }
        None => Some(format!(
            "{name} showed you {shown}. We can't offer that price for these answers."
        )),
    }
}
