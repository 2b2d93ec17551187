//! External services: payment gateways, look-ups, mail and the place of documents, and how they are called.
//! One gateway, one way of mailing and one place need no network.

pub mod blobs;
pub mod http;
pub mod lookup;
pub mod mail;
pub mod payments;
