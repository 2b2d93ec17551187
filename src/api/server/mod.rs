//! The server: takes connections and hands their requests to the routes, within limits. A client
//! that opens many connections, or that lets one wait, takes no room from the others.
//!
//! What is limited: how many connections there are, in all and from one address; how long a head
//! may take, how long a connection may be idle, and how long an answer may wait to be read. How long
//! a body may take, and how large it may be, is [`super::bodies`]' matter.

mod accept;
mod connection;
mod limits;
mod table;
mod watched;

pub use accept::serve;
pub use connection::{KeptAnyway, Sender};
pub use limits::{Limits, Patience};
