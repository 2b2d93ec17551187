//! Limits the number of actions by client, by another key, or in total.
//!
//! There are three rules. A rate (`rate`, GCRA) limits what costs money or work. A window (`window`)
//! limits the payment pages of an hour. A throttle (`throttle`) limits repeated tries, such as
//! guesses of a password. `limit` lists the limits. `counts` stores the counts: in memory, or in rows
//! if several nodes share one store or a write counts.

mod counts;
mod limit;
mod memory;
mod rate;
mod throttle;
mod window;

pub use counts::forget_counts;
pub(in crate::app) use counts::{
    count_here, count_limits, count_rows, forgive_attempt, put_page_client, require_no_wait,
    reset_attempts, take_page_client,
};
pub use limit::ClientAddress;
pub(in crate::app) use limit::{ALL, Limit};
pub(in crate::app) use memory::Counts;
