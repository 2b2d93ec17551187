//! Why the price of a quote is not the one that its partner showed.

use crate::app::App;
use crate::config::Partner;
use crate::domain::price::Basis;
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
/// `shown_for` says whether that was for a day, and `now_for` whether the quote's price is.
pub(in crate::app) fn price_notice(
    quote: &Quote,
    partner: &Partner,
    shown_for: Basis,
    now_for: Basis,
) -> Option<String> {
    let shown = quote.partner.as_ref()?.shown?;
    let name = &partner.name;
    let shown_so = match shown_for {
        Basis::Day => format!("{name} showed you a price from {shown} a day."),
        Basis::Term => format!("{name} showed you {shown}."),
    };
    let Some(price) = quote.current.price.as_ref() else {
        return Some(format!(
            "{shown_so} We can't offer that price for these answers."
        ));
    };
    if price.total == shown && shown_for == now_for {
        return None;
    }
    if (shown_for, now_for) == (Basis::Day, Basis::Term) {
        let price = price.in_words(now_for);
        return Some(format!(
            "{shown_so} It is now {price}, because you have told us its days."
        ));
    }
    let why = if quote.current.number > 1 {
        "because your answers or the day have changed"
    } else {
        "because it was worked out anew"
    };
    let now = match now_for {
        Basis::Day => price.in_words(now_for),
        Basis::Term => price.total.to_string(),
    };
    Some(format!("{shown_so} The price is now {now}, {why}."))
}
