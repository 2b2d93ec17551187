//! What every life cycle answers when an event happens: of quotes, payments, refunds, adjustments
//! and renewals.

/// What came of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transition<S> {
    /// It happened, and this is the new status.
    Applied(S),
    /// It had happened already; nothing changes.
    AlreadyApplied,
    /// It can't happen now; the reason is fit for a customer.
    Refused(&'static str),
}
