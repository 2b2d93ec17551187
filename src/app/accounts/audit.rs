//! Log lines about accounts. A line contains the user's id if the user is known, but never a name
//! or an address.

use uuid::Uuid;

use crate::app::AppError;

pub(super) fn logged_in(user: Uuid) {
    tracing::info!(%user, "logged in");
}

/// Logs a log-in that was refused or throttled. Ignores other errors. `user` is the user with the
/// typed name, if any.
pub(super) fn log_refused_login(user: Option<Uuid>, why: &AppError) {
    let user = user.map(tracing::field::display);
    match why {
        AppError::TooMany { retry_after } => {
            tracing::warn!(user, retry_after, "a log-in was throttled");
        }
        AppError::Refused { .. } => {
            tracing::warn!(
                user,
                "a log-in was refused: its name or password is not right"
            );
        }
        _ => {}
    }
}

pub(super) fn logged_out(user: Uuid) {
    tracing::info!(%user, "logged out");
}

/// Logs that a password was set. `by` states the user's proof: the old password or a mailed link.
pub(super) fn password_set(user: Uuid, by: &'static str) {
    tracing::info!(%user, by, "the password was set, and every session ended");
}

pub(super) fn wrong_password(user: Uuid) {
    tracing::warn!(%user, "a password change was refused: the current password is wrong");
}

pub(super) fn log_address_request(user: Uuid) {
    tracing::info!(%user, "a change of the mail address was requested");
}

pub(super) fn log_address_change(user: Uuid) {
    tracing::info!(%user, "the mail address was changed");
}

pub(super) fn log_other_logouts(user: Uuid) {
    tracing::info!(%user, "every other session was ended");
}
