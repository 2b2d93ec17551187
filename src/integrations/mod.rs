//! External services: payment gateways, look-ups and mail, and how they are called. One gateway and one way
//! of mailing need no network.

pub mod gateway;
pub mod http;
pub mod lookup;
pub mod mail;
