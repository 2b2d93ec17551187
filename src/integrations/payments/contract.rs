//! What every gateway does for the shop.

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;

use crate::domain::money::Pence;
use crate::domain::payment::{Mode, Payment};
use crate::integrations::payments::answers::{
    GatewayError, PaymentReport, PaymentSession, RefundReport,
};
use crate::integrations::payments::callback::{
    Callback, CallbackAnswer, CallbackEvent, CallbackOutcome, PaymentRef,
};
use crate::integrations::payments::capabilities::Capabilities;

/// An answer that comes later.
pub type GatewayFuture<'a, T> = BoxFuture<'a, Result<T, GatewayError>>;

/// An attempt that is to get a page.
#[derive(Clone, Copy, Debug)]
pub struct CreateSession<'a> {
    /// The attempt, which is stored already.
    pub attempt: &'a Payment,
    /// What the customer pays for, in a few words.
    pub description: &'a str,
    /// The customer's mail address, where it is known.
    pub email: Option<&'a str>,
    /// The shop's page that waits for the outcome. The gateway sends the customer there after paying.
    pub return_url: &'a str,
    /// The shop's page where paying begins. The gateway sends the customer there who doesn't pay.
    pub back_url: &'a str,
    /// Where the gateway's messages are taken.
    pub callback_url: &'a str,
}

/// A card of an earlier payment that is to be charged without its holder.
#[derive(Clone, Copy, Debug)]
pub struct ChargeRequest<'a> {
    /// The attempt, which is stored already.
    pub attempt: &'a Payment,
    /// The payment that stored the card.
    pub card: &'a Payment,
    /// What is paid for, in a few words.
    pub description: &'a str,
    /// The shop's page that shows the attempt.
    pub return_url: &'a str,
}

/// Money of a payment that is to go back to its card.
#[derive(Clone, Copy, Debug)]
pub struct RefundRequest<'a> {
    /// The payment.
    pub payment: &'a Payment,
    /// Our id of the refund.
    pub refund: uuid::Uuid,
    /// How much, pence.
    pub amount: Pence,
    /// When the refund was written down, which is before it was first asked for.
    pub since: DateTime<Utc>,
}

/// A payment gateway. Every call may come again after a kill, or at the same time twice: each is made
/// under our id of the attempt or the refund, and done once for it. An adapter whose provider forgets such
/// ids looks up what there is before it repeats.
pub trait Gateway: Send + Sync {
    /// Its name in paths, in the configuration and in stored rows.
    fn name(&self) -> &'static str;

    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// Whether it moves real money.
    fn mode(&self) -> Mode;

    /// Tries the keys, without changing anything.
    ///
    /// The answer is an error when the gateway refuses them or can't be reached.
    fn check_keys(&self) -> GatewayFuture<'_, ()>;

    /// Makes the page of an attempt; called again for the same attempt, it answers the same page.
    fn create_session<'a>(&'a self, order: CreateSession<'a>) -> GatewayFuture<'a, PaymentSession>;

    /// Says what became of an attempt.
    fn status<'a>(&'a self, attempt: &'a Payment) -> GatewayFuture<'a, PaymentReport>;

    /// Closes the page of an attempt for good, unless it was paid, and says what became of the attempt.
    fn close<'a>(&'a self, attempt: &'a Payment) -> GatewayFuture<'a, PaymentReport>;

    /// Charges a stored card. Called again for the same attempt, it answers what became of the first
    /// charge.
    fn charge_stored<'a>(&'a self, charge: ChargeRequest<'a>) -> GatewayFuture<'a, PaymentReport>;

    /// Looks a refund up by our id; none where the gateway certainly has none. It is called before each
    /// [`Gateway::refund`].
    fn find_refund<'a>(
        &'a self,
        order: RefundRequest<'a>,
    ) -> GatewayFuture<'a, Option<RefundReport>>;

    /// Gives money back. Called again for the same refund, it gives it once.
    fn refund<'a>(&'a self, order: RefundRequest<'a>) -> GatewayFuture<'a, RefundReport>;

    /// The first step of reading a message: which attempt it says that it is about. Nothing is believed
    /// for that.
    ///
    /// # Errors
    /// [`GatewayError::Forged`] for what can't be a message of this gateway.
    fn payment_ref(&self, callback: &Callback<'_>) -> Result<PaymentRef, GatewayError>;

    /// The second step: verifies the message, with the keys of the attempt that it is about where it has
    /// its own, and says what it tells. `attempt` is none where the shop has no such attempt: the message
    /// is verified all the same.
    ///
    /// # Errors
    /// [`GatewayError::Forged`] when it isn't the gateway's, or is too old; [`GatewayError::OtherMode`].
    fn read_callback(
        &self,
        callback: &Callback<'_>,
        attempt: Option<&Payment>,
    ) -> Result<CallbackEvent, GatewayError>;

    /// The answer to a message, which the gateway understands.
    fn answer(&self, outcome: &CallbackOutcome) -> CallbackAnswer;
}
