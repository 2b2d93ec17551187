//! Demonstration data: people, quotes in every status, live and ended policies, renewals.
//! Answers are drawn from the product's own form, so a new product file is seeded too.

mod answers;
mod fill;
mod make;
mod outcome;
mod people;
mod rng;
mod write;

pub use fill::{Logins, Plan, count_seeded, fill, holds_only_demonstration_data, is_empty};
