//! The result of an event in every lifecycle: quotes, payments, refunds, disputes, adjustments,
//! scheduled cancellations and renewals.

/// The result of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transition<S> {
    /// The event applied. The value is the new status.
    Applied(S),
    /// The event changes nothing, mostly because it has applied already.
    AlreadyApplied,
    /// The event can't apply. The text is the reason.
    Refused(&'static str),
}
