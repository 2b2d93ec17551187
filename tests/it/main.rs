//! The integration tests, in one binary so that it is linked once.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod access;
mod accounts;
mod addresses;
mod aggregator;
mod architecture;
mod assets;
mod bad_input;
mod check;
mod clock_guard;
mod config;
mod cover;
mod coverage;
mod crawlers;
mod disk_space;
mod documents;
mod domain;
mod engines;
mod faults;
mod first_page;
mod front_door;
mod globalpayments;
mod glossary;
mod headers;
mod held;
mod jobs;
mod lists;
mod local_socket;
mod lookups;
mod mail;
mod metrics;
mod money;
mod monthly;
mod names;
mod openapi;
mod payments;
mod policies;
mod process;
mod products;
mod quotes;
mod rescue_card;
mod rows;
mod seed;
mod server;
mod smartpayfuse;
mod startup;
mod statements;
mod stored_cards;
mod stripe;
mod support;
mod unreadable;
