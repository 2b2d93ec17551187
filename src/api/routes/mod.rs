//! The operations of the API: one file for each area.

pub(crate) mod accounts;
pub(crate) mod adjustments;
pub(crate) mod aggregator;
pub(crate) mod cancellations;
pub(crate) mod cards;
pub(crate) mod cover;
pub(crate) mod documents;
pub(crate) mod gateway_return;
pub(crate) mod health;
pub(crate) mod lookups;
pub(crate) mod passwords;
pub(crate) mod payments;
pub(crate) mod policies;
pub(crate) mod policy_list;
pub(crate) mod prices;
pub(crate) mod products;
pub(crate) mod quote_view;
pub(crate) mod quotes;
pub(crate) mod renewals;
pub(crate) mod rescue_cards;
pub(crate) mod sandbox_page;
