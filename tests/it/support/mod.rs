//! A shop under test: the real router with a fixed clock. The store is in memory, or the one of
//! `tests/postgres`.

pub mod alerts;
mod answers;
pub mod bucket;
mod call;
pub mod card_keeper;
pub mod database;
pub mod gateways;
pub mod generated;
mod letter;
pub mod log;
pub mod own_process;
pub mod pdf;
mod prices;
pub mod production;
pub mod provider;
pub mod proxy;
mod purchase;
pub mod schema;
mod shop;
pub mod stores;

pub use answers::{answers_of, two_gadgets, two_trips, two_vehicles, two_vehicles_with};
pub use call::{Answer, Call};
pub use letter::Letter;
pub use prices::{shop_with_own_product, shop_with_prices};
pub use purchase::Made;
pub use shop::Shop;

/// Noon in London on a Saturday in autumn.
pub const NOW: &str = "2026-11-21T12:00:00.000123Z";
/// Origin of the tests' pages.
pub const ORIGIN: &str = "http://shop.test";
