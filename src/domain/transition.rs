//! The result of an event in every lifecycle: quotes, payments, refunds, disputes, adjustments,
//! scheduled cancellations and renewals.

/// The result of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transition<S> {
    /// The event applied, and this is the new status.
    Applied(S),
    /// The event had applied before; nothing changes.
    AlreadyApplied,
    /// The event can't apply now. The reason is a text for the customer.
    Refused(&'static str),
}
