//! Maps the database's errors to our own. The database's messages are only in the log, at level debug.

use std::error::Error as _;
use std::io;

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::store::{DatabaseError, StoreError};

/// Maps an error of the database, and logs its message at level debug.
pub(super) fn failed(error: &Error) -> StoreError {
    tracing::debug!(%error, cause = error.source().map(tracing::field::display), "the store's database failed");
    StoreError::Database(reason(error))
}

/// Returns whether the connection is unusable after this error, or a commit's outcome is unknown.
pub(super) fn is_the_end(error: &Error) -> bool {
    let Some(db_error) = error.as_db_error() else {
        return true;
    };
    let ends = [
        SqlState::READ_ONLY_SQL_TRANSACTION,
        SqlState::T_R_STATEMENT_COMPLETION_UNKNOWN,
    ];
    ends.contains(db_error.code())
        || db_error.severity() == "FATAL"
        || db_error.severity() == "PANIC"
}

fn reason(error: &Error) -> DatabaseError {
    use DatabaseError as D;
    if let Some(code) = error.code() {
        return match *code {
            SqlState::INVALID_PASSWORD | SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
                D::Password
            }
            SqlState::INVALID_CATALOG_NAME => D::NoDatabase,
            SqlState::INSUFFICIENT_PRIVILEGE => D::NotAllowed,
            SqlState::READ_ONLY_SQL_TRANSACTION => D::ReadOnly,
            SqlState::LOCK_NOT_AVAILABLE => D::Locked,
            SqlState::DISK_FULL => D::Full,
            SqlState::TOO_MANY_CONNECTIONS => D::TooMany,
            SqlState::ADMIN_SHUTDOWN | SqlState::CRASH_SHUTDOWN | SqlState::CANNOT_CONNECT_NOW => {
                D::Starting
            }
            _ => D::Other(code.code().to_string()),
        };
    }
    let cause = error.source();
    if let Some(why) = cause.and_then(|cause| cause.downcast_ref::<io::Error>()) {
        return network_error(why);
    }
    let text = error.to_string();
    if text.starts_with("authentication error") || text.starts_with("invalid configuration") {
        D::Password
    } else if text.contains("TLS") {
        D::Tls
    } else {
        D::Unreachable("the connection broke".to_string())
    }
}

fn network_error(why: &io::Error) -> DatabaseError {
    match why.kind() {
        // The client reports this error if no host accepts writes.
        io::ErrorKind::PermissionDenied if why.raw_os_error().is_none() => DatabaseError::ReadOnly,
        io::ErrorKind::TimedOut => DatabaseError::Slow,
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => DatabaseError::Tls,
        _ if why.raw_os_error().is_some() => DatabaseError::Unreachable(why.to_string()),
        kind => DatabaseError::Unreachable(kind.to_string()),
    }
}
