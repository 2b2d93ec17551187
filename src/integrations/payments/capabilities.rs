//! The capabilities of a gateway.

use chrono::TimeDelta;

use crate::domain::money::Pence;

/// The capabilities of a gateway. For a missing one, the caller uses another method or returns an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Closes an open page, so that nobody can pay there.
    pub closes_pages: bool,
    /// Returns an attempt's status on request. Without this the gateway only sends callbacks.
    pub can_query_status: bool,
    /// Finds an attempt by our id alone. So it works even if the answer to
    /// [`crate::integrations::payments::Gateway::create_session`] was lost.
    pub lists_by_our_reference: bool,
    /// Time within which a repeated refund request is executed only once. `None` where a repeat pays twice:
    /// the caller then looks the refund up first.
    pub refund_repeats: Option<TimeDelta>,
    /// Stores a card and charges it later without its holder.
    pub stores_cards: bool,
    /// Reports disputes.
    pub tells_of_disputes: bool,
    /// Smallest payment, in pence.
    pub min_amount: Pence,
    /// Longest time between a payment and its callbacks.
    pub news_within: TimeDelta,
}
