//! How often something may be done, by a client, by somebody else, or by all together.
//!
//! Two rules: a rate (`rate`, GCRA) for what costs money or work, and a throttle (`throttle`) for
//! what may be a guess. `limit` lists what is limited. `counts` keeps the counts: in memory, or in
//! rows where several shops serve one store.

mod counts;
mod limit;
mod memory;
mod rate;
mod throttle;

pub use counts::forget_counts;
pub(in crate::app) use counts::{
    count_here, count_limits, forget_page, forget_tries, note_page, page_client, require_no_wait,
    take_try_back, too_many,
};
pub use limit::ClientAddress;
pub(in crate::app) use limit::{ALL, Limit};
pub(in crate::app) use memory::Counts;
