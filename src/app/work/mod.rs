//! Work that outlives a request: its queues, how a piece of it runs, and the daily round.

mod daily;
pub(in crate::app) mod queue;
mod rubbish;
mod run;

pub use queue::{JobKey, JobQueue};
pub use run::Due;
