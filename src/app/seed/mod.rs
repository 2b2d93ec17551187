//! Demonstration data: people, quotes in every status, live and ended policies, renewals, monthly plans.
//! The answers come from the form of each product on sale, so seeding needs no code for a new product.

mod answers;
mod fill;
mod make;
mod outcome;
mod people;
mod plan;
mod rng;
mod write;

pub use fill::{Logins, Plan, count_seeded, fill, holds_only_demonstration_data, is_empty};
