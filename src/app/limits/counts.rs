//! Stores the counts: in memory until a restart, or in rows if several nodes share one store. Payment
//! pages and failed payments are always counted in rows, in the write of the attempt. A row's key is a
//! hash, so rows contain no names. The only addresses in rows are the networks of clients with a payment
//! page. These rows are deleted after a day.

use std::ops::ControlFlow;

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::limit::{Limit, LimitRule};
use super::memory::CLIENT_AGE;
use super::rate::MAX_SKEW;
use super::{throttle, window};
use crate::app::limits::Counts;
use crate::app::limits::limit::rule;
use crate::app::{App, AppError};
use crate::clock::Clock;
use crate::config::LimitSettings;
use crate::store::tables::{self, LimitCount};
use crate::store::{Direction, Read, Store, StoreError, WriteTx};

/// The longest period of a rate: every period is an hour or less.
const MAX_PERIOD: TimeDelta = TimeDelta::hours(1);
/// The maximum number of old counts that one transaction deletes.
const BATCH_SIZE: usize = 500;
/// The maximum number of old counts' keys in memory.
const MAX_KEYS: usize = 50_000;

/// Counts one action for each limit and key. A caller must call this function before the action.
///
/// # Errors
/// [`AppError::TooMany`] if a limit is exceeded: this limit then does not count the action. In
/// memory, the limits before it in the list have counted the action. In rows, no limit has counted
/// the action. Also an error if the store fails.
pub(in crate::app) async fn count_limits(
    app: &App,
    limits: &[(Limit, &str)],
) -> Result<(), AppError> {
    if app.store.node().is_none() {
        return limits
            .iter()
            .try_for_each(|(limit, key)| count_here(app, *limit, key, 1));
    }
    let (now, set) = (app.clock.now(), app.config.limits);
    let limits = limits
        .iter()
        .map(|(limit, key)| (*limit, (*key).to_string()));
    let limits: Vec<_> = limits.collect();
    app.store
        .write(move |tx| count_rows(tx, &set, &limits, now))
        .await
}

/// Counts one action for each limit, in rows of the caller's transaction. An unreadable row counts as no
/// row, so that it blocks no payment.
///
/// # Errors
/// [`AppError::TooMany`] if a limit is exceeded: the caller's write must then fail. Also an error if
/// the store fails.
pub(in crate::app) fn count_rows(
    tx: &mut WriteTx<'_>,
    set: &LimitSettings,
    limits: &[(Limit, String)],
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let rule = |(limit, key): &(Limit, String)| {
        let rule = rule(set, *limit)?;
        let key = hash(&name(*limit, key));
        // All rows are requested before the first is used, so that a database needs one round trip.
        Some((rule, key, tables::LIMIT_COUNTS.get_readable(tx, &key)))
    };
    let counts: Vec<_> = limits.iter().filter_map(rule).collect();
    for (rule, key, count) in counts {
        tables::LIMIT_COUNTS.put(tx, &key, &rule.advance(count?, 1, now)?)?;
    }
    Ok(())
}

/// Counts `number` actions against this node's share of a limit: all of them or none. Writes no
/// row.
///
/// # Errors
/// [`AppError::TooMany`] if the share is exceeded.
pub(in crate::app) fn count_here(
    app: &App,
    limit: Limit,
    key: &str,
    number: usize,
) -> Result<(), AppError> {
    let rule = match rule(&app.config.limits, limit) {
        None => return Ok(()),
        Some(LimitRule::Rate(rate)) => LimitRule::Rate(rate.divided_by(app.store.nodes())),
        Some(other) => other,
    };
    let number = i32::try_from(number).unwrap_or(i32::MAX);
    let now = app.clock.now();
    app.counts.change(name(limit, key), |count| {
        rule.advance(count, number, now).map(Some)
    })
}

/// Removes a try from the count of a throttle, because the try succeeded or was not made.
pub(in crate::app) async fn forgive_attempt(
    store: &Store,
    counts: &Counts,
    limit: Limit,
    key: &str,
) -> Result<(), AppError> {
    change(store, counts, name(limit, key), |count| {
        Ok(match count {
            Some(LimitCount::Tries(tries)) => throttle::step_back(tries).map(LimitCount::Tries),
            other => other,
        })
    })
    .await
}

/// Deletes a count, so that the next action is the first.
pub(in crate::app) async fn reset_attempts(
    store: &Store,
    counts: &Counts,
    limit: Limit,
    key: &str,
) -> Result<(), AppError> {
    change(store, counts, name(limit, key), |_| Ok(None)).await
}

/// Returns [`AppError::TooMany`] if the next try of a throttle must wait. Counts nothing.
pub(in crate::app) fn require_no_wait(
    tx: &impl Read,
    limit: Limit,
    key: &str,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    match tables::LIMIT_COUNTS.get_readable(tx, &hash(&name(limit, key)))? {
        Some(LimitCount::Tries(tries)) => {
            throttle::wait(&tries, now).map_or(Ok(()), |wait| Err(too_many(wait)))
        }
        _ => Ok(()),
    }
}

/// Stores the network of the client that requested an attempt's payment page.
pub(in crate::app) fn put_page_client(
    tx: &mut WriteTx<'_>,
    attempt: Uuid,
    network: String,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let client = LimitCount::Client { network, at: now };
    tables::LIMIT_COUNTS.put(tx, &page_key(attempt), &client)
}

/// Deletes and returns the network of the client that requested an attempt's payment page.
pub(in crate::app) fn take_page_client(
    tx: &mut WriteTx<'_>,
    attempt: Uuid,
) -> Result<Option<String>, StoreError> {
    let key = page_key(attempt);
    let Some(LimitCount::Client { network, .. }) = tables::LIMIT_COUNTS.get_readable(tx, &key)?
    else {
        return Ok(None);
    };
    tables::LIMIT_COUNTS.delete(tx, &key)?;
    Ok(Some(network))
}

async fn change(
    store: &Store,
    counts: &Counts,
    name: String,
    change: impl Fn(Option<LimitCount>) -> Result<Option<LimitCount>, AppError> + Send + 'static,
) -> Result<(), AppError> {
    if store.node().is_none() {
        return counts.change(name, change);
    }
    let key = hash(&name);
    store
        .write(move |tx| {
            let stored = tables::LIMIT_COUNTS.get(tx, &key)?;
            let changed = change(stored.clone())?;
            match changed {
                Some(count) if stored.as_ref() != Some(&count) => {
                    tables::LIMIT_COUNTS.put(tx, &key, &count)?;
                }
                None if stored.is_some() => tables::LIMIT_COUNTS.delete(tx, &key)?,
                _ => {}
            }
            Ok(())
        })
        .await
}

/// Deletes the rows of expired counts.
///
/// # Errors
/// If the store fails.
pub async fn forget_counts(store: &Store, clock: &Clock) -> Result<(), AppError> {
    while delete_old_counts(store, clock).await? {}
    Ok(())
}

/// Deletes at most [`MAX_KEYS`] old counts, in batches. Returns whether there may be more.
async fn delete_old_counts(store: &Store, clock: &Clock) -> Result<bool, AppError> {
    let now = clock.now();
    let mut old = Vec::new();
    store
        .read(|tx| {
            let forward = Direction::Forward;
            tables::LIMIT_COUNTS.scan_readable(tx, &(), forward, |key, count| {
                if is_over(&count, now) {
                    old.push(key);
                }
                if old.len() < MAX_KEYS {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            })
        })
        .await?;
    for batch in old.chunks(BATCH_SIZE) {
        let batch = batch.to_vec();
        store
            .write(move |tx| {
                for key in &batch {
                    let count = tables::LIMIT_COUNTS.get(tx, key)?;
                    if count.is_some_and(|count| is_over(&count, now)) {
                        tables::LIMIT_COUNTS.delete(tx, key)?;
                    }
                }
                Ok::<_, AppError>(())
            })
            .await?;
    }
    Ok(old.len() == MAX_KEYS)
}

impl LimitRule {
    /// Returns the count after `number` more actions. A throttle counts one action, whatever
    /// `number` is. Fails if the limit is exceeded.
    fn advance(
        &self,
        count: Option<LimitCount>,
        number: i32,
        now: DateTime<Utc>,
    ) -> Result<LimitCount, AppError> {
        let advanced = match (self, count) {
            (Self::Rate(rate), Some(LimitCount::Rate(arrival))) => {
                rate.add(Some(arrival), number, now).map(LimitCount::Rate)
            }
            (Self::Rate(rate), _) => rate.add(None, number, now).map(LimitCount::Rate),
            (Self::Window(max), Some(LimitCount::Times(times))) => {
                window::add(times, *max, now).map(LimitCount::Times)
            }
            (Self::Window(max), _) => window::add(vec![], *max, now).map(LimitCount::Times),
            (Self::Throttle(free), Some(LimitCount::Tries(tries))) => {
                throttle::add_attempt(Some(tries), *free, now).map(LimitCount::Tries)
            }
            (Self::Throttle(free), _) => {
                throttle::add_attempt(None, *free, now).map(LimitCount::Tries)
            }
        };
        advanced.map_err(too_many)
    }
}

fn name(limit: Limit, key: &str) -> String {
    format!("{limit:?} {key}")
}

fn page_key(attempt: Uuid) -> [u8; 32] {
    hash(&format!("page of {attempt}"))
}

/// Returns the key of a row, which contains neither a name nor an address.
fn hash(name: &str) -> [u8; 32] {
    Sha256::digest(name).into()
}

/// Returns the error that asks the client to retry after `wait`.
fn too_many(wait: TimeDelta) -> AppError {
    AppError::TooMany {
        retry_after: wait.num_seconds().max(0).unsigned_abs() + 1,
    }
}

fn is_over(count: &LimitCount, now: DateTime<Utc>) -> bool {
    match count {
        LimitCount::Rate(arrival) => *arrival < now || *arrival > now + MAX_PERIOD + MAX_SKEW,
        LimitCount::Tries(tries) => throttle::is_over(tries, now),
        LimitCount::Times(times) => !times.iter().any(|time| window::is_recent(*time, now)),
        LimitCount::Client { at, .. } => *at < now - CLIENT_AGE,
    }
}
