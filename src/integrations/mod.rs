//! External services: payment gateways and mail. Each is a variant of an enumeration, and one
//! variant of each needs no network.

pub mod gateway;
pub mod mail;
