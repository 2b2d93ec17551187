//! A visitor's quote: made, read, changed, accepted.

mod acceptance;
mod campaigns;
mod create;
mod exclusions;
mod form_check;
mod lapsed;
mod midnight;
mod newer_prices;
mod ownership;
mod price;
mod prices;
mod rate_limits;
mod save;
