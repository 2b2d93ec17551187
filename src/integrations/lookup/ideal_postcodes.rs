//! Looks up the addresses of a postcode at Ideal Postcodes, in pages of a hundred.

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
pub(super) struct IdealPostcodes {
    pub(super) http: reqwest::Client,
    pub(super) settings: LookupKey,
}

impl IdealPostcodes {
    pub(super) async fn find(&self, code: &str) -> Result<Vec<Address>, LookupFault> {
        let failed = |why: &str| fault::failed("ideal_postcodes", why);
        let (url, key) = (&self.settings.url, self.settings.key.expose());
        let bare = code.replace(' ', "");
        let mut all = Vec::new();
        for page in 0..PAGES {
            let request = self
                .http
                .get(format!("{url}/v1/postcodes/{bare}?page={page}"))
                .header("Authorization", format!("api_key=\"{key}\""));
            let (status, answer) = call(request).await.map_err(|why| failed(&why))?;
            match status {
                200 => {}
                404 if page > 0 => break,
                404 => return Err(LookupFault::Unknown(suggestions(&answer))),
                other => return Err(failed(&format!("it answers {other}"))),
            }
            let Some(found) = answer.get("result").and_then(Value::as_array) else {
                return Err(failed("it answers no list"));
            };
            let first = all.len();
            let read = found.iter().enumerate();
            all.extend(read.filter_map(|(index, one)| address(one, first + index, code)));
            // A service without pages returns all addresses in one answer.
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

fn suggestions(answer: &Value) -> Vec<String> {
    let suggestions = answer.get("suggestions").and_then(Value::as_array);
    let suggestions = suggestions.into_iter().flatten().filter_map(Value::as_str);
    suggestions.filter_map(postcode::check).take(5).collect()
}

/// Returns an address of the queried postcode, or `None` if its postcode differs. Also returns `None` if the
/// first line or the town is missing.
fn address(one: &Value, index: usize, code: &str) -> Option<Address> {
    let found_postcode = postcode::check(one.get("postcode")?.as_str()?)?;
    let degrees = |name: &str| one.get(name).and_then(Value::as_f64);
    (found_postcode == code).then_some(())?;
    let found = Address {
        id: (index + 1).to_string(),
        label: String::new(),
        line1: text(one, "line_1", LINE)?,
        line2: text(one, "line_2", LINE),
        line3: text(one, "line_3", LINE),
        town: text(one, "post_town", LINE)?,
        postcode: found_postcode,
        latitude: degrees("latitude"),
        longitude: degrees("longitude"),
        sample: false,
    };
    Some(found.labelled())
}
