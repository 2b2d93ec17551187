//! Log lines about accounts. They identify the account by its id, never by a name or an address.

use uuid::Uuid;

use crate::app::AppError;

/// Logs a log-in.
pub(super) fn logged_in(user: Uuid) {
    tracing::info!(%user, "logged in");
}

/// Logs a refused log-in. `user` is the user with the typed name, if any.
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

/// Logs a log-out.
pub(super) fn logged_out(user: Uuid) {
    tracing::info!(%user, "logged out");
}

/// Logs that a password was set `by` the old one or a letter, and that all sessions ended.
pub(super) fn password_set(user: Uuid, by: &'static str) {
    tracing::info!(%user, by, "the password was set, and every session ended");
}

/// Logs that a change was refused because the old password is wrong.
pub(super) fn wrong_password(user: Uuid) {
    tracing::warn!(%user, "a password change was refused: the current password is wrong");
}

/// Logs a request for another mail address.
pub(super) fn log_address_request(user: Uuid) {
    tracing::info!(%user, "a change of the mail address was requested");
}

/// Logs the confirmation of another mail address.
pub(super) fn log_address_change(user: Uuid) {
    tracing::info!(%user, "the mail address was changed");
}

/// Logs that all sessions except the current one were ended.
pub(super) fn log_other_logouts(user: Uuid) {
    tracing::info!(%user, "every other session was ended");
}
