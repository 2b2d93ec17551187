//! The sample texts of `[site]`, which a shop in production mode must replace.

use super::settings::Settings;
use super::source::ConfigError;

/// The settings with sample texts. The opening hours are not in the list: the specification defines the
/// hours.
const SAMPLE_KEYS: [&str; 14] = [
    "site.brand",
    "site.phone",
    "site.assistance_phone",
    "site.email",
    "site.footer",
    "site.complaints",
    "site.postal_address",
    "site.links.about_us",
    "site.links.motor",
    "site.links.contact",
    "site.links.terms",
    "site.links.privacy",
    "site.links.cookies",
    "site.rating_badge.alt",
];

/// Rejects sample texts. The error names the keys of all sample texts.
pub(super) fn refuse_samples(settings: &Settings, has_badge: bool) -> Result<(), ConfigError> {
    let is_shown = |key: &&str| has_badge || *key != "site.rating_badge.alt";
    let samples = SAMPLE_KEYS.into_iter().filter(is_shown);
    let samples: Vec<&str> = samples.filter(|key| settings.is_default(key)).collect();
    if samples.is_empty() {
        Ok(())
    } else {
        Err(ConfigError::Samples(samples.join(", ")))
    }
}
