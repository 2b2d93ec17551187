//! The notice about a quote's price under a newer product version.

use chrono::{DateTime, Duration, Utc};

use crate::app::products::ProductRegistry;
use crate::app::quotes::price::price;
use crate::clock::Clock;
use crate::domain::money::Pence;
use crate::domain::quote::Quote;
use crate::domain::time::dates;

/// Returns a notice with a quote's price and the price under the newest product version. Returns `None` if
/// both versions or both prices are equal, or if the newest version can't price the answers. Also returns
/// `None` for a renewal, and for a quote that can't be bought.
pub(super) fn newer_price_notice(
    clock: &Clock,
    products: &ProductRegistry,
    quote: &Quote,
    now: DateTime<Utc>,
) -> Option<String> {
    if !quote.is_buyable(now) || quote.is_renewal() {
        return None;
    }
    let today = dates::london_date(now);
    let newest = products.find(&quote.product, today).ok()?;
    if newest.hash == quote.current.product_hash {
        return None;
    }
    let current = quote.current.price.as_ref()?.total;
    let tracking = &quote.origin.tracking;
    let answers = &quote.current.answers;
    let newer = price(clock, products, &quote.product, answers, tracking)
        .ok()?
        .total;
    let last_day = dates::london_date(quote.expires? - Duration::seconds(1));
    comparison_text(current, newer, &dates::format_long(last_day))
}

fn comparison_text(current: Pence, newer: Pence, last_day: &str) -> Option<String> {
    if newer == current {
        return None;
    }
    Some(if newer > current {
        format!(
            "Our prices have gone up: the same cover costs {newer} today. Yours stays at {current} until \
             the end of {last_day}, unless you change an answer that decides the price."
        )
    } else {
        format!(
            "Our prices have come down: the same cover costs {newer} today, and yours {current}. A new \
             quote with the same answers gives you today's price."
        )
    })
}
