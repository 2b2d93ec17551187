//! Work that outlives a request: its queues, how a piece of it runs, and the daily round. `check`
//! compares it with the rows that wait for it, for `layby check`.

pub(in crate::app) mod batches;
pub(in crate::app) mod check;
mod daily;
mod leases;
pub(in crate::app) mod queue;
pub(crate) mod retention;
mod run;
mod subject;

pub use leases::RENEWED;
pub use queue::{JobKey, JobQueue};
pub use run::Due;
