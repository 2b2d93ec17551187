//! Finds the JSON path of the error in a request's body that is not of the right form.

use serde::de::DeserializeOwned;
use serde_path_to_error::{Path, Segment};

use crate::api::http::error::ApiError;

/// The message without a path: the body is not JSON or not an object, or the path is too long.
const NOT_READ: &str = "The request is not valid JSON of the right form.";

/// The message for an error in `values` or `multi`. The message states the form of both members. The product,
/// and not the API, defines the names in these members.
const ANSWERS: &str = "`values` must be an object, and `multi` an object of lists of objects.";

/// Longest path in a message about a wrong type, bytes. A request may contain names of any length.
const LONGEST_PLACE: usize = 100;

/// Returns the 400 for a body that is not a `T`. Parses the body again with a slower parser that records
/// the path.
pub fn parse_error_reason<T: DeserializeOwned>(raw: &[u8]) -> ApiError {
    let mut json = serde_json::Deserializer::from_slice(raw);
    match serde_path_to_error::deserialize::<_, T>(&mut json) {
        Err(error) if error.inner().is_data() => {
            ApiError::malformed(&format_reason(error.path(), &error.inner().to_string()))
        }
        _ => ApiError::malformed(NOT_READ),
    }
}

fn format_reason(path: &Path, error: &str) -> String {
    let in_answers = |segment: &Segment| matches!(segment, Segment::Map { key } if key == "values" || key == "multi");
    if path.iter().take(2).any(in_answers) {
        return ANSWERS.to_string();
    }
    let place = match path.to_string() {
        root if root == "." => String::new(),
        place => place,
    };
    for (begins, fault) in [
        ("missing field `", "is missing"),
        ("duplicate field `", "is named twice"),
    ] {
        let rest = error.strip_prefix(begins);
        if let Some((member, _)) = rest.and_then(|rest| rest.split_once('`')) {
            let dot = if place.is_empty() { "" } else { "." };
            return format!("`{place}{dot}{member}` {fault}.");
        }
    }
    if place.is_empty() || place.len() > LONGEST_PLACE {
        return NOT_READ.to_string();
    }
    format!("The request is not of the right form: `{place}` has the wrong type.")
}
