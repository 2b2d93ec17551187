//! A limit of actions in any hour. The count of a key is their times, so it suits only small limits.

use chrono::{DateTime, TimeDelta, Utc};

const HOUR: TimeDelta = TimeDelta::hours(1);

/// Returns the times after one more action, oldest first. If the last hour has `max` actions already,
/// fails with the wait.
pub(super) fn add(
    mut times: Vec<i64>,
    max: u32,
    now: DateTime<Utc>,
) -> Result<Vec<i64>, TimeDelta> {
    times.retain(|time| is_recent(*time, now));
    let full = times
        .len()
        .checked_sub(usize::try_from(max).unwrap_or(usize::MAX));
    if let Some(oldest) = full.and_then(|full| times.get(full)) {
        return Err(HOUR - age(*oldest, now));
    }
    times.push(now.timestamp_micros());
    Ok(times)
}

/// Returns whether less than an hour lies between an action and `now`. Only a wrong clock stores an
/// action that is far in the future.
pub(super) fn is_recent(time: i64, now: DateTime<Utc>) -> bool {
    age(time, now).abs() < HOUR
}

fn age(time: i64, now: DateTime<Utc>) -> TimeDelta {
    TimeDelta::microseconds(now.timestamp_micros().saturating_sub(time))
}
