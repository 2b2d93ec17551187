//! What a gateway can do.

use chrono::TimeDelta;

use crate::domain::money::Pence;

/// What a gateway can do. Whoever wants something that it can't has another way, or says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// Close an open page, so that nobody can pay there any more.
    pub closes_pages: bool,
    /// Say what became of an attempt when it is asked. One that can't only calls back.
    pub can_be_asked: bool,
    /// Find an attempt by our reference alone, also where its answer to [`crate::integrations::payments::Gateway::begin`] was
    /// lost.
    pub lists_by_our_reference: bool,
    /// How long the same refund may be sent again and is made once; none where a repeat pays twice, so
    /// that a refund is looked up first.
    pub refund_repeats: Option<TimeDelta>,
    /// Keep a card and charge it later without its holder.
    pub stores_cards: bool,
    /// Tell of payments that the cardholder disputes.
    pub tells_of_disputes: bool,
    /// The least that can be paid there, pence.
    pub least: Pence,
    /// How long after a payment its news may still come.
    pub news_within: TimeDelta,
}
