//! Commands such as `layby check` to a running shop, over a socket in the data folder. Only root and the
//! user that runs the shop may use the socket. If no shop listens there, the program opens the store
//! itself and executes the command.
//!
//! A command is one line of JSON, an [`AdminCommand`]. The reply is lines of JSON, each an
//! [`AdminReply`]. The last line is `Done` or `Failed`:
//!
//! ```text
//! "check"
//! {"progress":"100000 rows were read"}
//! {"text":"120345 rows are in order"}
//! "done"
//! ```
//!
//! A [`StoreCommand`](crate::app::commands::StoreCommand) also runs on the store of a stopped shop.

pub(crate) mod backup;
pub(crate) mod client;
pub(crate) mod command;
pub(crate) mod server;

pub use backup::{BackupStream, back_up};
pub use client::{ask, is_served};
pub use command::{AdminCommand, AdminReply, AskError, BackupStart};
pub use server::{Socket, listen, serve};
