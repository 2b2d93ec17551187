//! Limits where several shops serve one store. Those against guessing are counted in it, so that
//! somebody who goes from one shop to the next has no more tries; of those that keep the load fair
//! each shop has a share. One shop alone counts in memory (`attempt_limits.rs`), which takes no
//! write. Rows hold no name and no address but that of who had a payment page made, for a day.

use std::ops::ControlFlow;

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};

use crate::app::attempt_limits::{LimitKind, key, one_less, one_more, too_many};
use crate::app::pace::{Pace, Paced};
use crate::app::{App, AppError, rows};
use crate::store::tables::{self, LimitCount, Tries};
use crate::store::{Direction, Read, StoreError, WriteTx};

/// How long a count is kept that nobody adds to.
const KEPT: TimeDelta = TimeDelta::hours(1);
/// How long is kept who had a payment page made.
const CLIENT_KEPT: TimeDelta = TimeDelta::hours(24);
/// Counts forgotten in one transaction.
const AT_ONCE: usize = 500;
/// Keys of old counts held in memory at the same time.
const AT_A_TIME: usize = 50_000;

impl App {
    /// Counts one more against this shop's share; see [`crate::app::pace::Paces::take`].
    pub(in crate::app) fn keep_pace(
        &self,
        what: Paced,
        who: &str,
        pace: Option<Pace>,
        now: DateTime<Utc>,
    ) -> Result<(), AppError> {
        let share = pace.map(|pace| pace.share_of(self.store.nodes()));
        self.paces.take(what, who, share, now)
    }

    /// Counts a try before it is made, so that tries at the same moment are all counted.
    pub(in crate::app) async fn count_try(
        &self,
        kind: LimitKind,
        who: &str,
        now: DateTime<Utc>,
    ) -> Result<(), AppError> {
        if self.store.node().is_none() {
            return self.limits.take(kind, who, now);
        }
        let key = hash(&key(kind, who));
        self.store
            .write(move |tx| count(tx, key, kind.free(), now))
            .await
    }

    /// Takes a try back that succeeded, or wasn't made.
    pub(in crate::app) async fn take_try_back(
        &self,
        kind: LimitKind,
        who: &str,
    ) -> Result<(), AppError> {
        if self.store.node().is_none() {
            self.limits.take_back(kind, who);
            return Ok(());
        }
        let key = hash(&key(kind, who));
        self.store
            .write(move |tx| {
                match tries(tx, key)?.map(one_less) {
                    Some(Some(left)) => {
                        rows::limit_counts::put(tx, key, &LimitCount::Tries(left))?;
                    }
                    Some(None) => rows::limit_counts::delete(tx, key),
                    None => {}
                }
                Ok(())
            })
            .await
    }

    /// Begins to count anew.
    pub(in crate::app) async fn forget_tries(
        &self,
        kind: LimitKind,
        who: &str,
    ) -> Result<(), AppError> {
        if self.store.node().is_none() {
            self.limits.forget(kind, who);
            return Ok(());
        }
        let key = hash(&key(kind, who));
        self.store
            .write(move |tx| {
                if tables::LIMIT_COUNTS.has(tx, &key)? {
                    rows::limit_counts::delete(tx, key);
                }
                Ok(())
            })
            .await
    }

    /// Removes what was counted so long ago that it counts no more.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn forget_counts(&self) -> Result<(), AppError> {
        if self.store.node().is_none() {
            return Ok(());
        }
        while self.forget_some_counts().await? {}
        Ok(())
    }

    /// Removes so many old counts as may be held in memory; true when there may be more.
    async fn forget_some_counts(&self) -> Result<bool, AppError> {
        let now = self.clock.now();
        let mut old = Vec::new();
        self.store
            .read(|tx| {
                let forward = Direction::Forward;
                tables::LIMIT_COUNTS.scan_readable(tx, &(), forward, |key, count| {
                    if is_over(&count, now) {
                        old.push(key);
                    }
                    if old.len() < AT_A_TIME {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                })
            })
            .await?;
        for some in old.chunks(AT_ONCE) {
            let some = some.to_vec();
            self.store
                .write(move |tx| {
                    for key in &some {
                        let count = tables::LIMIT_COUNTS.get(tx, key)?;
                        if count.is_some_and(|count| is_over(&count, now)) {
                            rows::limit_counts::delete(tx, *key);
                        }
                    }
                    Ok::<_, AppError>(())
                })
                .await?;
        }
        Ok(old.len() == AT_A_TIME)
    }
}

/// The key of what is counted: neither a name nor an address.
pub(in crate::app) fn hash(name: &str) -> [u8; 32] {
    Sha256::digest(name).into()
}

/// Counts one more, of which so many are free; 0 is any number.
pub(in crate::app) fn count(
    tx: &mut WriteTx<'_>,
    key: [u8; 32],
    free: u32,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    if free == 0 {
        return Ok(());
    }
    let counted = one_more(tries(tx, key)?, free, now).map_err(too_many)?;
    rows::limit_counts::put(tx, key, &LimitCount::Tries(counted))?;
    Ok(())
}

/// Whether the next has to wait; counts none.
pub(in crate::app) fn look(
    tx: &impl Read,
    key: [u8; 32],
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    match tries(tx, key)?.filter(|known| now < known.until) {
        None => Ok(()),
        Some(known) => Err(too_many(known.until - now)),
    }
}

fn tries(tx: &impl Read, key: [u8; 32]) -> Result<Option<Tries>, StoreError> {
    Ok(match tables::LIMIT_COUNTS.get(tx, &key)? {
        Some(LimitCount::Tries(tries)) => Some(tries),
        _ => None,
    })
}

fn is_over(count: &LimitCount, now: DateTime<Utc>) -> bool {
    match count {
        LimitCount::Tries(tries) => tries.last.max(tries.until) < now - KEPT,
        LimitCount::Pages(made) => made
            .last()
            .is_none_or(|last| *last < (now - KEPT).timestamp_millis()),
        LimitCount::Client { at, .. } => *at < now - CLIENT_KEPT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_over_an_hour_after_it_counts_whatever_its_moments_are() {
        let now = DateTime::UNIX_EPOCH;
        let tries = |last: DateTime<Utc>, until| {
            LimitCount::Tries(Tries {
                count: 1,
                last,
                until,
            })
        };
        let hour = now - KEPT;
        assert!(!is_over(&tries(hour, hour), now));
        let before = hour - TimeDelta::milliseconds(1);
        assert!(is_over(&tries(before, before), now));
        assert!(!is_over(&tries(before, hour), now));
        let (last, first) = (DateTime::<Utc>::MAX_UTC, DateTime::<Utc>::MIN_UTC);
        let client = |at| LimitCount::Client {
            network: String::new(),
            at,
        };
        for (at, over) in [(last, false), (first, true)] {
            assert_eq!(is_over(&tries(at, at), now), over);
            assert_eq!(is_over(&client(at), now), over);
        }
    }
}
