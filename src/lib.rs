//! layby: a whole insurance shop in one binary.

pub mod api;
pub mod app;
pub mod cli;
pub mod clock;
pub mod config;
pub mod documents;
pub mod domain;
pub mod files;
pub mod integrations;
pub mod json_schema;
pub mod metrics;
pub mod products;
pub mod secret;
pub mod store;
pub mod telemetry;
pub mod tls;
pub mod toml_reader;
pub mod worker;
