//! Background jobs: their queues, how a job runs, and the daily round. `check` compares the jobs with the
//! rows that need them, for `layby check`.

pub(in crate::app) mod batches;
pub(in crate::app) mod check;
mod collect;
mod daily;
mod leases;
pub(in crate::app) mod queue;
pub(crate) mod retention;
mod run;
mod subject;

pub(in crate::app) use batches::write_each;
pub use collect::collect;
pub use daily::daily;
pub(in crate::app) use leases::with_lease;
pub use leases::{RENEWED, claim_jobs, renew_leases};
pub use queue::{JobKey, JobQueue};
pub use retention::delete_anonymous_quotes;
pub use run::{Due, delete_old_answers, due_jobs, record_queue_lag, run_job};
