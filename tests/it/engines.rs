//! The store over each engine: memory, a file, and PostgreSQL. These tests use a table that no shop has.

mod clock;
mod connections;
mod failures;
mod lost;
mod model;
mod nodes;
mod order;
mod refusals;
mod shops;
