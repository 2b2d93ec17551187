//! External services: payment gateways, look-ups, mail and the place of documents, and how they are called.
//! One gateway, one way of mailing and one place need no network.

pub mod contents;
pub mod gateway;
pub mod http;
pub mod lookup;
pub mod mail;
