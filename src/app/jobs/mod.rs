//! Background jobs: their queues, how a job runs, and the daily round. `check` compares the jobs with the
//! rows that need them, for `layby check`.

pub(in crate::app) mod batches;
pub(in crate::app) mod check;
mod collect;
mod daily;
mod leases;
pub(in crate::app) mod orders;
pub(in crate::app) mod queue;
pub(crate) mod retention;
mod run;
pub(in crate::app) mod set_aside;
mod subject;

pub(in crate::app) use batches::write_each;
pub use collect::collect;
pub use daily::daily;
pub(in crate::app) use leases::with_lease;
pub use leases::{RENEWED, claim_jobs, renew_leases};
pub(in crate::app) use orders::format_time;
pub use orders::{JobsOrder, execute};
pub use queue::{JobKey, JobQueue};
pub use retention::delete_anonymous_quotes;
pub(in crate::app) use run::queue_status;
pub use run::{Due, QueueStatus, delete_old_answers, due_jobs, record_queues, run_job};
