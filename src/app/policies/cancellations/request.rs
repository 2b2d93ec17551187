//! What a customer asks for who cancels, and whether it can be done.

use chrono::NaiveDate;

use crate::app::AppError;
use crate::app::policies::{PolicyContext, refuse};
use crate::domain::policy::cancellation;
use crate::domain::time::dates::{add_days, in_words};

/// Longest note, characters.
const LONGEST_NOTE: usize = 1000;

/// What the customer asks for.
#[derive(Clone, Debug)]
pub struct CancellationRequest {
    /// Id of the reason.
    pub reason: u32,
    /// A note in the customer's words.
    pub note: Option<String>,
    /// First day without cover: today, when the cover ends at once, or a later day of the term.
    pub effective: NaiveDate,
}

/// Checks what is asked for on `today`.
///
/// # Errors
/// [`AppError::Invalid`] for a day that isn't of the term and an unknown reason, a conflict when the
/// policy has ended, or is to end on a later day already and another is asked for.
pub(super) fn check(
    context: &PolicyContext,
    request: &CancellationRequest,
    today: NaiveDate,
) -> Result<(), AppError> {
    refuse(context.permitted_actions(today).cancel)?;
    if cancellation::reason(request.reason).is_none() {
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
            in_words(policy.expiry)
        )
    } else if day < policy.inception {
        format!(
            "Your cover begins on {}. Choose today, or a day from then on.",
            in_words(policy.inception)
        )
    } else if let Some(end) = policy.coming_end {
        return Err(AppError::conflict(
            "already_pending",
            format!(
                "Your cover is to end with {} already. Withdraw that cancellation first to choose \
                 another day.",
                in_words(add_days(end.on, -1))
            ),
        ));
    } else {
        return Ok(());
    };
    Err(AppError::field("effective_date", text))
}
