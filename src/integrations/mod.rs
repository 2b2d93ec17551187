//! The world outside: payment gateways and mail. Each is a variant of an enum, and one of
//! them needs no network.

pub mod gateway;
pub mod mail;
