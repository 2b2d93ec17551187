//! Finds addresses by a postcode and a house.

use crate::app::limits::{self, ALL, Limit};
use crate::app::{App, AppError, ClientAddress};
use crate::domain::product::form::errors::FieldErrors;
use crate::domain::quote::lookup::Address;
use crate::domain::uk::postcode;
use crate::integrations::lookup::LookupFault;

/// Maximum length of a house's number or name, in characters.
const LONGEST_HOUSE: usize = 60;
/// Maximum number of addresses in an answer.
const MAX_ADDRESSES: usize = 100;
/// Maximum number of suggested addresses if no address matches the house.
const MOST_SUGGESTED: usize = 10;

/// Returns the addresses of a postcode, or of a house in this postcode: at most [`MAX_ADDRESSES`].
///
/// # Errors
/// [`AppError::Invalid`] for a wrong postcode or a house's name that is too long. [`AppError::NoAddress`]
/// with suggestions if the postcode is unknown or no address matches the house. [`AppError::TooMany`] above
/// the limit of the client or of all clients. [`AppError::LookupUnavailable`] if no service is configured, or
/// if the service gives no useful answer.
pub async fn look_up_addresses(
    app: &App,
    client: &ClientAddress,
    typed: &str,
    house: Option<&str>,
) -> Result<Vec<Address>, AppError> {
    let house = house.map(str::trim).filter(|house| !house.is_empty());
    let mut errors = FieldErrors::default();
    let code = postcode::check(typed);
    if code.is_none() {
        errors.add("postcode", "Enter a UK postcode, such as SW1A 1AA");
    }
    if house.is_some_and(|house| house.chars().count() > LONGEST_HOUSE) {
        errors.add("house", format!("Use {LONGEST_HOUSE} characters or fewer"));
    }
    let code = code.filter(|_| errors.is_empty());
    let code = code.ok_or(AppError::Invalid(errors))?;
    let network = client.network();
    limits::count_limits(
        app,
        &[
            (Limit::AddressLookups, network.as_str()),
            (Limit::TotalAddressLookups, ALL),
        ],
    )
    .await?;
    let found = app.lookups.addresses(&code).await;
    let mut all = found.map_err(|fault| match fault {
        LookupFault::Unknown(suggestions) => AppError::NoAddress { suggestions },
        LookupFault::Unavailable => AppError::LookupUnavailable,
    })?;
    let Some(house) = house else {
        all.truncate(MAX_ADDRESSES);
        return Ok(all);
    };
    let house_words = split_words(house);
    let (mut found, others): (Vec<_>, Vec<_>) = all
        .into_iter()
        .partition(|address| is_of(address, house, &house_words));
    if found.is_empty() {
        let labels = others.into_iter().take(MOST_SUGGESTED);
        let suggestions = labels.map(|address| address.label).collect();
        return Err(AppError::NoAddress { suggestions });
    }
    found.truncate(MAX_ADDRESSES);
    Ok(found)
}

/// Returns whether an address matches the house: the label equals `house`, or the lines contain every typed
/// word.
fn is_of(address: &Address, house: &str, house_words: &[String]) -> bool {
    if address.label == house {
        return true;
    }
    let lines = [
        Some(&address.line1),
        address.line2.as_ref(),
        address.line3.as_ref(),
    ];
    let lines = lines.into_iter().flatten();
    let words: Vec<_> = lines.flat_map(|line| split_words(line)).collect();
    !house_words.is_empty() && house_words.iter().all(|word| words.contains(word))
}

/// Returns the words and numbers of a text, in lower case and without apostrophes.
fn split_words(text: &str) -> Vec<String> {
    let plain = text.replace(['\'', '\u{2019}'], "").to_lowercase();
    let words = plain.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}
