//! The page and limit of a list.

use crate::app::quotes::list::LARGEST_PAGE;
use crate::domain::product::form::errors::FieldErrors;

/// Returns the number of the page, from 1, and the number of rows on a page. Without a limit, a page has
/// `usual` rows. Adds an error named `page` or `limit` for an invalid value.
pub(in crate::api) fn page_of(
    (page, limit): (Option<i64>, Option<i64>),
    usual: usize,
    errors: &mut FieldErrors,
) -> (usize, usize) {
    let page = whole(page, 1, 0..=i64::MAX, "page", errors).max(1);
    let largest = i64::try_from(LARGEST_PAGE).unwrap_or(i64::MAX);
    let limit = whole(limit, usual, 1..=largest, "limit", errors);
    (page, limit)
}

fn whole(
    value: Option<i64>,
    usual: usize,
    allowed: std::ops::RangeInclusive<i64>,
    name: &str,
    errors: &mut FieldErrors,
) -> usize {
    let Some(value) = value else { return usual };
    if !allowed.contains(&value) {
        let (least, max) = (allowed.start(), allowed.end());
        errors.add(
            name,
            if *max == i64::MAX {
                format!("Use a whole number of {least} or more.")
            } else {
                format!("Use a whole number from {least} to {max}.")
            },
        );
    }
    usize::try_from(value).unwrap_or(usual)
}
