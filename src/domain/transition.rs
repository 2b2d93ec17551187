//! What every life cycle of the shop answers when something happens to it.

/// What came of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transition<S> {
    /// The new state.
    Applied(S),
    /// It had happened already; nothing changes.
    AlreadyApplied,
    /// It can't happen now; the reason is fit for a customer.
    Refused(&'static str),
}
