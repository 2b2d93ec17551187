//! External services: payment gateways, look-ups, mail and the blob store. One gateway, one mailer and one
//! blob store need no network.

pub mod blobs;
pub mod http;
pub mod lookup;
pub mod mail;
pub mod payments;
