//! A customer's request to cancel, and its checks.

use chrono::NaiveDate;

use crate::app::AppError;
use crate::app::policies::{PolicyContext, refuse};
use crate::domain::policy::cancellation::REASONS;
use crate::domain::time::dates::{add_days, format_long};

/// Maximum length of a note, in characters.
const LONGEST_NOTE: usize = 1000;

#[derive(Clone, Debug)]
pub struct CancellationRequest {
    /// Id of the reason.
    pub reason: u32,
    /// A note in the customer's words.
    pub note: Option<String>,
    /// First day without cover: a later day of the term, or today to end the policy at once.
    pub effective: NaiveDate,
}

/// Checks a request made on `today`.
///
/// # Errors
/// [`AppError::Invalid`] for a day outside the term, an unknown reason or a long note. A conflict
/// if the policy has ended. Also a conflict if a later day is requested and another cancellation is
/// pending.
pub(super) fn check(
    context: &PolicyContext,
    request: &CancellationRequest,
    today: NaiveDate,
) -> Result<(), AppError> {
    refuse(context.permitted_actions(today).cancel)?;
    let mut reasons = REASONS.iter();
    if !reasons.any(|(id, _)| *id == request.reason) {
        return Err(AppError::field(
            "reason_id",
            "Choose a reason from the list.",
        ));
    }
    check_day(context, request.effective, today)?;
    let long = |note: &String| note.chars().count() > LONGEST_NOTE;
    if request.note.as_ref().is_some_and(long) {
        return Err(AppError::field(
            "note",
            "Please keep this to 1,000 characters.",
        ));
    }
    Ok(())
}

fn check_day(context: &PolicyContext, day: NaiveDate, today: NaiveDate) -> Result<(), AppError> {
    let policy = &context.policy;
    let text = if day == today {
        return Ok(());
    } else if day < today {
        "A policy can't end in the past. Choose today or a later day.".to_owned()
    } else if policy.expiry < day {
        format!(
            "Your policy ends with {} anyway. Choose a day up to then.",
            format_long(policy.expiry)
        )
    } else if day < policy.inception {
        format!(
            "Your cover begins on {}. Choose today, or a day from then on.",
            format_long(policy.inception)
        )
    } else if let Some(end) = policy.scheduled_end {
        return Err(AppError::conflict(
            "already_pending",
            format!(
                "Your cover is to end with {} already. Withdraw that cancellation first to choose \
                 another day.",
                format_long(add_days(end.on, -1))
            ),
        ));
    } else {
        return Ok(());
    };
    Err(AppError::field("effective_date", text))
}
