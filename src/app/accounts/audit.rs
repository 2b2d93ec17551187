//! Lines of the log about accounts. Whose account it is is said by its id, never by a name or an address.

use uuid::Uuid;

use crate::app::AppError;

/// Somebody logged in.
pub(super) fn logged_in(user: Uuid) {
    tracing::info!(%user, "logged in");
}

/// A log-in was not let in; `user` is whose name was typed, where there is one.
pub(super) fn log_refused_login(user: Option<Uuid>, why: &AppError) {
    let user = user.map(tracing::field::display);
    match why {
        AppError::TooMany { retry_after } => {
            tracing::warn!(user, retry_after, "a log-in was told to wait");
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

/// Somebody logged out.
pub(super) fn logged_out(user: Uuid) {
    tracing::info!(%user, "logged out");
}

/// The password was changed, or a first one was set, `by` the old one or a letter; every log-in ended.
pub(super) fn password_set(user: Uuid, by: &'static str) {
    tracing::info!(%user, by, "the password was set, and every log-in ended");
}

/// The old password that was typed to change something is not right.
pub(super) fn wrong_password(user: Uuid) {
    tracing::warn!(%user, "a change was refused: the present password is not right");
}

/// Another mail address was asked for.
pub(super) fn log_address_request(user: Uuid) {
    tracing::info!(%user, "another mail address was asked for");
}

/// Another mail address was confirmed.
pub(super) fn log_address_change(user: Uuid) {
    tracing::info!(%user, "the mail address was changed");
}

/// Every log-in was ended but the one that asked for it.
pub(super) fn log_other_logouts(user: Uuid) {
    tracing::info!(%user, "every other log-in was ended");
}
