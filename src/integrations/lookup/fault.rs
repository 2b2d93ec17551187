//! Errors of look-ups.

/// Why a look-up failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LookupFault {
    /// There is no such vehicle or postcode. The list has other postcodes that the customer may mean, and may
    /// be empty.
    Unknown(Vec<String>),
    /// The look-up is off, or gave no usable answer in time.
    Unavailable,
}

/// Logs why a look-up failed, without its query. Returns [`LookupFault::Unavailable`].
pub(super) fn failed(service: &str, why: &str) -> LookupFault {
    tracing::warn!(service, why, "a look-up failed");
    LookupFault::Unavailable
}
