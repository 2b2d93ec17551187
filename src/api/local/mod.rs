//! What commands such as `layby check` ask of a running shop: over a socket in the data folder
//! that only the folder's owner may open. A command that finds nobody there opens the store itself.
//!
//! A question is one line of JSON, an [`Order`]; the answer is lines of JSON, each a [`Line`], of
//! which the last says how it ended:
//!
//! ```text
//! {"order":"check"}
//! {"progress":"100000 rows were read"}
//! {"says":"120345 rows are in order"}
//! "done"
//! ```
//!
//! A new order is a member of [`Order`] and an arm of `perform.rs`.

#[cfg(unix)]
mod ask;
#[cfg(unix)]
mod listen;
mod order;
#[cfg(unix)]
mod perform;

#[cfg(unix)]
pub use ask::ask;
#[cfg(unix)]
pub use listen::{Socket, listen, serve};
pub use order::{AskError, Line, Order};
