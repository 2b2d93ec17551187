//! `layby resume`: an operator confirms that the clock is right, so that the shop continues.

use chrono::{DateTime, Utc};

use crate::app::AppError;
use crate::store::Store;

/// Confirms that the clock is right, although the store's newest write contradicts the clock. Does nothing if
/// there is no contradiction. Returns the line for the operator.
///
/// # Errors
/// If the store fails.
pub async fn confirm_clock(store: &Store, now: DateTime<Utc>) -> Result<String, AppError> {
    let Some(wrong) = store.wrong_clock() else {
        return Ok("the clock agrees with the store: there is nothing to resume".to_string());
    };
    store.confirm_clock(now).await?;
    let (now, newest) = (wrong.now, wrong.newest);
    tracing::warn!(%now, %newest, "the clock was confirmed");
    Ok(format!(
        "the clock is confirmed: it is {now}, {newest} was the newest write"
    ))
}
