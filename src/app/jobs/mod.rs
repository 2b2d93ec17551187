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

pub(in crate::app) use batches::write_each;
pub use daily::daily;
pub use leases::{RENEWED, renew_leases, take_work};
pub use queue::{JobKey, JobQueue};
pub use retention::delete_anonymous_quotes;
pub use run::{Due, do_work, due_work, forget_answers, note_late_work};
