//! Dates in London, and bank holidays.

pub(crate) mod bank_holidays;
pub mod dates;
