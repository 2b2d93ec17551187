//! Documents that live outside the shop.

use super::ConfigError;
use super::address::is_own_path;
use super::read::{Reader, https_address};
use super::value::Value;

/// A document of the shop's that lives elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalDocument {
    /// What it is called.
    pub title: String,
    /// Its address: https, or a path of this website.
    pub url: String,
}

pub(super) fn external(reader: &Reader) -> Result<Vec<ExternalDocument>, ConfigError> {
    let records = reader.records("site.external_documents")?.into_iter();
    let document = |record: super::value::Record| {
        record.has_nothing_but(&["title", "url"])?;
        let text = |name: &str, wanted: &str, fits: &dyn Fn(&str) -> bool| match record.get(name) {
            Some(Value::Text(text)) if fits(text) => Ok(text.clone()),
            _ => Err(record.invalid(name, wanted)),
        };
        Ok(ExternalDocument {
            title: text("title", "text that is not empty", &|text| {
                !text.trim().is_empty()
            })?,
            url: text(
                "url",
                "an https:// address, or a path of this website",
                &|text| is_own_path(text) || https_address(text).is_some(),
            )?,
        })
    };
    records.map(document).collect()
}
