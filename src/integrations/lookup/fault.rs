//! Why a look-up gave nothing.

/// Why a look-up gave nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LookupFault {
    /// There is no such vehicle, or no such postcode: others to try.
    Unknown(Vec<String>),
    /// There is no look-up, or it gave no answer of use.
    Unavailable,
}

/// Logs why a look-up failed, without what was asked.
pub(super) fn failed(service: &str, why: &str) -> LookupFault {
    tracing::warn!(service, why, "a look-up failed");
    LookupFault::Unavailable
}
