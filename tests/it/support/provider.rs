//! A provider behind one interface: its double, and the customer at its page. So one story runs with each.

use std::sync::Arc;
use std::sync::atomic::AtomicI64;

use poem::http::StatusCode;
use serde_json::Value;
use uuid::Uuid;

use super::Shop;

/// The card that a customer enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Card {
    Good,
    Declined,
}

/// A double of a provider.
pub trait Provider: Sized {
    /// The gateway's name.
    const NAME: &'static str;
    /// The provider's stored state.
    type Books: Clone + Default;
    /// A message from the provider's server.
    type Message: Clone;

    /// Starts a double. `time` is its clock, in seconds since 1970.
    fn with_clock(time: &Arc<AtomicI64>) -> Self;

    /// Returns the settings of a shop that takes payments through this double.
    fn shop_settings(&self) -> String;

    fn copy_books(&self) -> Self::Books;

    fn replace_books(&self, books: Self::Books);

    /// Enters a card on a page. `page` is the shop's answer that began the payment. Returns whether the page
    /// took the card.
    async fn pay(&self, shop: &Shop, page: &Value, card: Card) -> bool;

    /// Returns the messages since the last call.
    fn take_messages(&self, shop: &Shop) -> Vec<Self::Message>;

    /// Sends a message to the shop, signed now.
    async fn send(&self, shop: &Shop, message: &Self::Message) -> StatusCode;

    /// Returns the shop's money at the provider in pence: payments less refunds and disputes.
    fn balance(&self, shop: &Shop) -> i64;

    /// Ends the provider's day. Some send refunds to the banks then.
    fn end_day(&self) {}

    /// Loses the answer to the next refund. Without `is_made` the provider does not receive the request.
    fn lose_answer(&self, _is_made: bool) {}

    /// Lets the newest refund fail, if the shop can learn of that.
    fn fail_refund(&self) {}

    /// Takes the newest payment back, if the shop can learn of that.
    fn reverse(&self) {}

    /// Lets a customer dispute the newest payment, if the shop can learn of that.
    fn dispute(&self) {}

    /// Decides the open dispute.
    fn decide(&self, _is_won: bool) {}

    /// Returns the report of a dispute that took pence of a payment, if only reports tell of disputes. A
    /// negative amount was returned.
    fn dispute_report(&self, _payment: Uuid, _amount: i64) -> Option<String> {
        None
    }

    /// Refunds a part of the newest payment in the provider's dashboard, if the shop can learn of that.
    fn refund_by_hand(&self) {}

    /// Pays out everything. Returns the statement in the form that `layby reconcile` reads.
    fn pay_out(&self, shop: &Shop) -> String;
}
