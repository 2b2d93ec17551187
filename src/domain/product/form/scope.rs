//! The part of a form to check.

/// The part of a form to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All visible fields. A field that is asked when the customer accepts the quote is optional.
    Complete,
    /// Given answers only. No answer is required, and visible fields get no default.
    Draft,
    /// Fields that the price depends on. Missing answers get the price's defaults (specification, part 5).
    Rate,
    /// The fields of one step, without the fields that the step skips.
    Step(u32),
    /// Only the fields asked when the customer accepts the quote.
    Accept,
    /// All visible fields, in a change of a policy. Locked answers stay unchanged and unchecked,
    /// because limits that move with the day would refuse them on a later day.
    Change,
}
