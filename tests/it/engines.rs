//! The store over each of its engines: memory, a file, and PostgreSQL. The rows of these tests are
//! of a table that no shop has.

mod clock;
mod failures;
mod lost;
mod model;
mod nodes;
mod order;
mod refusals;
mod shops;
mod ways;
