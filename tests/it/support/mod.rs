//! A shop to test: the real router over an in-memory store (or that of `tests/postgres`) with a fixed
//! clock.

mod answers;
pub mod bucket;
mod call;
pub mod database;
pub mod gateways;
mod letter;
pub mod log;
pub mod made_up;
pub mod pdf;
mod prices;
pub mod production;
pub mod proxy;
mod purchase;
pub mod schema;
mod shop;
pub mod stores;

pub use answers::{answers_of, two_gadgets, two_trips, two_vehicles, two_vehicles_with};
pub use call::{Answer, Call};
pub use letter::Letter;
pub use prices::shop_with_prices;
pub use purchase::Made;
pub use shop::Shop;

/// Noon in London, on a Saturday in autumn.
pub const NOW: &str = "2026-11-21T12:00:00.000123Z";
/// Where the tests' pages come from.
pub const ORIGIN: &str = "http://shop.test";
