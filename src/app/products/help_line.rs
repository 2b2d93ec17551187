//! The phone number for a customer who needs a product's cover.

use crate::config::SiteSettings;
use crate::documents::data::HelpLine;
use crate::domain::product::Product;

/// Returns the number that `[help]` of the product file selects: the product's own, or the shop's assistance
/// line. By default, returns the office's number.
pub(in crate::app) fn help_line(product: &Product, site: &SiteSettings) -> HelpLine {
    let help = product.info().help.as_ref();
    if let Some(phone) = help.and_then(|help| help.phone.clone()) {
        return HelpLine {
            phone,
            answered: None,
        };
    }
    if help.is_some_and(|help| help.assistance) {
        return HelpLine {
            phone: site.assistance_phone.clone(),
            answered: Some("At any hour".to_owned()),
        };
    }
    HelpLine {
        phone: site.phone.clone(),
        answered: Some(site.hours.clone()),
    }
}
