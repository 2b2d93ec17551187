//! A visitor's quote: made, read, changed, accepted.

mod acceptance;
mod campaigns;
mod create;
mod form_check;
mod ownership;
mod price;
mod save;
