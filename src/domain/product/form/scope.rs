//! How much of a form is checked.

/// What is being checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Everything that shows, but what is asked when the quote is accepted.
    Complete,
    /// Only the answers that are there; nothing is needed, nothing is filled in.
    Draft,
    /// Only what the price depends on; what is missing gets the price's
    /// defaults (specification, part 5).
    Rate,
    /// The datasets of one step, less what the step leaves out.
    Step(u32),
    /// Only what is asked when the quote is accepted.
    Accept,
    /// Everything that shows, of a policy that is being changed. Locked answers stay as they are
    /// and are not checked again: limits that move with the day would refuse them later.
    Change,
}
