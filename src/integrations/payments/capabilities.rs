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
    /// Stores a card and charges it later without its holder.
    pub stores_cards: bool,
    /// How long the page of an open attempt is shown again. Zero for a page that opens only once.
    pub page_reuse: TimeDelta,
    /// Smallest payment, in pence.
    pub min_amount: Pence,
}
