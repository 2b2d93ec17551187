//! External services: payment gateways and mail, and how they are called. One gateway and one way
//! of mailing need no network.

pub mod gateway;
pub mod http;
pub mod mail;
