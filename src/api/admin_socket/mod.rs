//! What commands such as `layby check` ask of a running shop: over a socket in the data folder
//! that only the folder's owner may open. A command that finds nobody there opens the store itself.
//!
//! A question is one line of JSON, an [`Order`]; the answer is lines of JSON, each a [`Line`], of
//! which the last says how it ended:
//!
//! ```text
//! "check"
//! {"progress":"100000 rows were read"}
//! {"says":"120345 rows are in order"}
//! "done"
//! ```
//!
//! What is done alike to the store of a stopped shop is a [`Command`](crate::app::commands::Command).

pub(crate) mod client;
pub(crate) mod command;
pub(crate) mod server;

pub use client::ask;
pub use command::{AskError, Line, Order};
pub use server::{Socket, listen, serve};
