//! The sandbox gateway, as a customer's browser meets it: a card page in a frame.

mod card_page;

pub(super) use card_page::routes;
