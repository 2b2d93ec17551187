//! Looks up the delivery points of a postcode at OS Places (dataset DPA), in pages of a hundred.

use serde_json::Value;

use super::fault::{self, LookupFault};
use super::service::{call, text};
use crate::config::LookupKey;
use crate::domain::quote::lookup::Address;
use crate::domain::uk::postcode;

/// Addresses per page.
const PAGE: usize = 100;
/// Maximum number of pages to read.
const PAGES: usize = 5;
/// Maximum number of characters of a line.
const LINE: usize = 80;

#[derive(Debug)]
pub(super) struct OsPlaces {
    pub(super) http: reqwest::Client,
    pub(super) settings: LookupKey,
}

impl OsPlaces {
    pub(super) async fn find(&self, code: &str) -> Result<Vec<Address>, LookupFault> {
        let failed = |why: &str| fault::failed("os_places", why);
        let (url, bare) = (&self.settings.url, code.replace(' ', ""));
        let mut all = Vec::new();
        for page in 0..PAGES {
            let offset = page * PAGE;
            let path = "search/places/v1/postcode";
            let query = format!(
                "postcode={bare}&dataset=DPA&maxresults={PAGE}&offset={offset}&output_srs=WGS84"
            );
            let request = self
                .http
                .get(format!("{url}/{path}?{query}"))
                .header("key", self.settings.key.expose());
            let (status, answer) = call(request).await.map_err(|why| failed(&why))?;
            match status {
                200 => {}
                400 | 404 => return Err(LookupFault::Unknown(Vec::new())),
                other => return Err(failed(&format!("it answers {other}"))),
            }
            if answer.get("header").is_none() {
                return Err(failed("it answers no list"));
            }
            // An answer without results may have no list.
            let found = answer.get("results").and_then(Value::as_array);
            let found = found.map_or(&[][..], Vec::as_slice);
            let read = found.iter().enumerate();
            all.extend(
                read.filter_map(|(index, one)| address(one.get("DPA")?, offset + index, code)),
            );
            if found.len() != PAGE {
                break;
            }
        }
        if all.is_empty() {
            return Err(LookupFault::Unknown(Vec::new()));
        }
        Ok(all)
    }
}

/// Returns a delivery point as postal address lines, or `None` if its postcode differs. Also
/// returns `None` if the delivery point has no line or no town.
fn address(one: &Value, index: usize, code: &str) -> Option<Address> {
    let found_postcode = postcode::check(one.get("POSTCODE")?.as_str()?)?;
    (found_postcode == code).then_some(())?;
    let part = |name: &str| text(one, name, LINE);
    let joined = |names: &[&str], by: &str| {
        let parts: Vec<_> = names.iter().filter_map(|name| part(name)).collect();
        (!parts.is_empty()).then(|| parts.join(by))
    };
    let street = joined(
        &[
            "BUILDING_NUMBER",
            "DEPENDENT_THOROUGHFARE_NAME",
            "THOROUGHFARE_NAME",
        ],
        " ",
    );
    let lines = [
        part("ORGANISATION_NAME"),
        joined(&["SUB_BUILDING_NAME", "BUILDING_NAME"], ", "),
        street,
        joined(&["DOUBLE_DEPENDENT_LOCALITY", "DEPENDENT_LOCALITY"], ", "),
    ];
    let mut lines = lines.into_iter().flatten();
    let (line1, line2) = (lines.next()?, lines.next());
    let rest: Vec<_> = lines.collect();
    let degrees = |name: &str| one.get(name).and_then(Value::as_f64);
    let found = Address {
        id: (index + 1).to_string(),
        label: String::new(),
        line1,
        line2,
        line3: (!rest.is_empty()).then(|| rest.join(", ")),
        town: part("POST_TOWN")?,
        postcode: found_postcode,
        latitude: degrees("LAT"),
        longitude: degrees("LNG"),
        sample: false,
    };
    Some(found.labelled())
}
