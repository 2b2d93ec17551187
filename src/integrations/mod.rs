//! External services: payment gateways, look-ups, mail and the blob store. The sample look-ups, and the
//! folders for letters and blobs, need no network.

pub mod blobs;
pub mod http;
pub mod lookup;
pub mod mail;
pub mod payments;
