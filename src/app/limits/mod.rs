//! Limits the number of actions by client, by another key, or in total.
//!
//! There are two rules. A rate (`rate`, GCRA) limits what costs money or work. A throttle
//! (`throttle`) limits repeated tries, such as guesses of a password. `limit` lists the limits.
//! `counts` stores the counts: in memory, or in rows if several nodes share one store.

mod counts;
mod limit;
mod memory;
mod rate;
mod throttle;

pub use counts::forget_counts;
pub(in crate::app) use counts::{
    count_here, count_limits, forget_page, forgive_attempt, page_client, record_page,
    require_no_wait, reset_attempts, too_many,
};
pub use limit::ClientAddress;
pub(in crate::app) use limit::{ALL, Limit};
pub(in crate::app) use memory::Counts;
