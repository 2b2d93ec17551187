//! Serving HTTP: connections, bodies, headers, errors, log-ins and caches.

pub(crate) mod auth;
pub(crate) mod bad_request;
pub(crate) mod bodies;
pub(crate) mod cached_json;
pub(crate) mod client;
pub(crate) mod client_shares;
pub(crate) mod daily_cache;
pub(crate) mod error;
pub mod headers;
pub(crate) mod method_filter;
pub(crate) mod paging;
pub(crate) mod path_id;
pub(crate) mod payload;
pub mod server;
pub(crate) mod startup_gate;
