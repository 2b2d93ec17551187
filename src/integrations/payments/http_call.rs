//! The common part of the providers' HTTP clients: retries, bounded answers and texts for the log.

use std::future::Future;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::header::{DATE, HeaderMap};
use uuid::Uuid;

use super::call_limiter::CallLimiter;

/// Largest accepted answer, in bytes.
const LARGEST_ANSWER: usize = 4 << 20;
/// Longest wait between two tries.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// The largest difference of clocks that counts as none.
const MAX_CLOCK_ERROR: TimeDelta = TimeDelta::minutes(5);

/// How often a call is tried, and how long.
#[derive(Clone, Copy, Debug)]
pub struct RetryPolicy {
    /// Maximum number of tries.
    pub tries: u32,
    /// Longest time for one try.
    pub call: Duration,
    /// Longest wait before the second try. Each further wait is twice as long, up to five seconds.
    pub wait: Duration,
    /// Time after which no try begins.
    pub all: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            tries: 3,
            call: Duration::from_secs(10),
            wait: Duration::from_millis(500),
            all: Duration::from_secs(12),
        }
    }
}

/// The error of a call to a provider.
pub(super) trait CallError: std::fmt::Display {
    /// Returns the error of a call that did not reach the provider. So the provider did nothing.
    fn unreachable(why: String) -> Self;

    /// Returns the error of a call whose execution is unknown.
    fn unknown(why: String) -> Self;

    fn is_unknown(&self) -> bool;

    /// Returns whether the provider certainly did nothing for this request.
    fn is_certain(&self) -> bool;

    /// Returns whether another try may succeed.
    fn is_transient(&self) -> bool;
}

/// Runs `once` until a try succeeds, an error makes a retry useless, or `policy` allows no further try.
/// The advice in an error of `once` overrides [`CallError::is_transient`]. The advice must be
/// `Some(false)` if a repeated call could take effect twice. Each try has a place of `limiter`. A try
/// that `limiter` refuses is the last.
pub(super) async fn with_retries<T, E, F>(
    policy: RetryPolicy,
    limiter: &CallLimiter,
    once: impl Fn() -> F + Send,
) -> Result<T, E>
where
    E: CallError,
    F: Future<Output = Result<T, (E, Option<bool>)>> + Send,
{
    let began = Instant::now();
    let mut wait = policy.wait;
    // The provider may have executed an earlier try without an answer. If the provider certainly did
    // nothing for a later try, the earlier try is still unclear.
    let mut is_executed_perhaps = false;
    for left in (0..policy.tries).rev() {
        let tried = match limiter.start_call(policy.call).await {
            Ok(call) => {
                let tried = once().await;
                call.end();
                tried
            }
            Err(why) => Err((E::unreachable(why.to_owned()), Some(false))),
        };
        let (error, advice) = match tried {
            Ok(answer) => return Ok(answer),
            Err(failed) => failed,
        };
        is_executed_perhaps |= error.is_unknown();
        let again = advice.unwrap_or(error.is_transient());
        if left == 0 || !again || began.elapsed() + wait > policy.all {
            return Err(if is_executed_perhaps && error.is_certain() {
                E::unknown(error.to_string())
            } else {
                error
            });
        }
        // Waits at least half of `wait`. The rest is random, so that callers don't retry together.
        let part = wait / 2 * (Uuid::new_v4().as_fields().0 % 1000) / 1000;
        tokio::time::sleep(wait / 2 + part).await;
        wait = (wait * 2).min(MAX_WAIT);
    }
    Err(E::unknown("the call was never sent".to_owned()))
}

/// Reads the body of an answer, up to [`LARGEST_ANSWER`]. Tells `limiter` of a complete answer or a
/// time-out.
pub(super) async fn read_body<E: CallError>(
    answer: &mut reqwest::Response,
    limiter: &CallLimiter,
) -> Result<Vec<u8>, E> {
    let mut body = Vec::new();
    while let Some(part) = answer
        .chunk()
        .await
        .map_err(|error| transport_error(&error, limiter))?
    {
        if body.len() + part.len() > LARGEST_ANSWER {
            return Err(E::unknown("its answer is too large".to_owned()));
        }
        body.extend_from_slice(&part);
    }
    limiter.record_answer();
    Ok(body)
}

/// Returns how wrong our clock is by the time of an answer: `10 minutes ahead`. Returns `None` up to
/// [`MAX_CLOCK_ERROR`], and without a time.
pub(super) fn clock_error(headers: &HeaderMap, now: DateTime<Utc>) -> Option<String> {
    let date = headers.get(DATE)?.to_str().ok()?;
    let ahead = now.signed_duration_since(DateTime::parse_from_rfc2822(date).ok()?);
    let direction = if ahead > TimeDelta::zero() {
        "ahead"
    } else {
        "behind"
    };
    let minutes = (ahead.abs() + TimeDelta::seconds(30)).num_minutes();
    (ahead.abs() > MAX_CLOCK_ERROR).then(|| format!("{minutes} minutes {direction}"))
}

/// Returns a word of a provider for the log, with at most 80 characters. Only characters of codes and
/// parameter names stay.
pub(super) fn sanitise(word: &str) -> String {
    let allowed = |c: &char| c.is_ascii_alphanumeric() || "_[].-".contains(*c);
    word.chars().filter(allowed).take(80).collect()
}

/// Maps a call without an answer to an error. Tells `limiter` of a time-out.
pub(super) fn transport_error<E: CallError>(error: &reqwest::Error, limiter: &CallLimiter) -> E {
    use std::error::Error;
    if error.is_timeout() {
        limiter.record_timeout();
    }
    // The text of `error` itself contains the address, and is left out.
    let mut why = Vec::new();
    let mut cause = error.source();
    while let Some(inner) = cause {
        why.push(inner.to_string());
        cause = inner.source();
    }
    let text = match why.pop() {
        _ if error.is_timeout() => "it took too long".to_owned(),
        Some(last) => last,
        None => "the connection broke".to_owned(),
    };
    if error.is_connect() {
        E::unreachable(text)
    } else {
        E::unknown(text)
    }
}
