//! The capabilities of a gateway.

use chrono::TimeDelta;

use crate::domain::money::Pence;

/// The capabilities of a gateway. If a capability is missing, the caller uses another method or
/// returns an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Whether the gateway can close an open page, so that nobody can pay there.
    pub closes_pages: bool,
    /// Whether the gateway returns an attempt's status on request, and not only in callbacks.
    pub can_query_status: bool,
    /// Whether the gateway keeps a card and can charge it later without the cardholder.
    pub stores_cards: bool,
    /// Whether a repeated call for a charge charges once. Otherwise the shop calls once, and then only asks.
    pub repeats_charges: bool,
    /// Time after an attempt's start in which the shop shows the attempt's open page again. Zero for a page
    /// that opens only once.
    pub page_reuse: TimeDelta,
    /// Whether the gateway signs the form that a browser posts to the return page. A signed form is a
    /// callback.
    pub signs_returns: bool,
    /// Whether a payment may be reversed after it was paid, without a dispute and perhaps without a
    /// callback.
    pub may_reverse: bool,
    /// Names of settings that only a payment can check.
    pub untested_settings: &'static [&'static str],
    /// Whether the gateway refuses a payer without a town.
    pub needs_town: bool,
    /// Smallest payment, in pence.
    pub min_amount: Pence,
    /// Largest payment, in pence.
    pub max_amount: Pence,
}
