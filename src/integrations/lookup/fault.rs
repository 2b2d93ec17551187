//! Errors of look-ups.

/// Why a look-up failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LookupFault {
    /// There is no such vehicle or postcode. Contains other postcodes to try.
    Unknown(Vec<String>),
    /// There is no look-up, or its answer is unusable.
    Unavailable,
}

/// Logs why a look-up failed, without its query.
pub(super) fn failed(service: &str, why: &str) -> LookupFault {
    tracing::warn!(service, why, "a look-up failed");
    LookupFault::Unavailable
}
