//! Work that outlives a request: its queues, how a piece of it runs, and the daily round.

mod daily;
mod run;

pub use run::{Due, JobKey, JobQueue};
