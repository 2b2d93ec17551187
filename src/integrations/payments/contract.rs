//! The interface that every gateway implements.

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;

use crate::domain::money::Pence;
use crate::domain::payment::refund::RefundCalls;
use crate::domain::payment::{Instrument, Mode, Payer, Payment};
use crate::integrations::payments::answers::{
    GatewayError, ListedMovement, PaymentReport, PaymentSession, RefundReport,
};
use crate::integrations::payments::callback::{
    Callback, CallbackAnswer, CallbackEvent, CallbackOutcome, PaymentRef,
};
use crate::integrations::payments::capabilities::Capabilities;

/// A gateway's asynchronous answer.
pub type GatewayFuture<'a, T> = BoxFuture<'a, Result<T, GatewayError>>;

/// A request for the page of an attempt.
#[derive(Clone, Copy, Debug)]
pub struct CreateSession<'a> {
    /// The attempt, which is stored already.
    pub attempt: &'a Payment,
    /// Short description of the purchase.
    pub description: &'a str,
    /// The person who pays, with the known details.
    pub payer: &'a Payer,
    /// The shop's page that waits for the result. The gateway sends the customer there after paying.
    pub return_url: &'a str,
    /// The shop's payment page. The gateway sends a customer who does not pay to this page.
    pub back_url: &'a str,
    /// Address for the gateway's callbacks.
    pub callback_url: &'a str,
}

/// A request to charge a stored card, without the cardholder.
#[derive(Clone, Copy, Debug)]
pub struct ChargeRequest<'a> {
    /// The attempt, which is stored already.
    pub attempt: &'a Payment,
    pub instrument: &'a Instrument,
    /// Short description of the purchase.
    pub description: &'a str,
    /// Whether this card has declined an earlier charge of the same payment.
    pub is_resubmission: bool,
    /// The shop's page for the attempt.
    pub return_url: &'a str,
}

/// A request to refund money of a payment to its card.
#[derive(Clone, Copy, Debug)]
pub struct RefundRequest<'a> {
    pub payment: &'a Payment,
    /// Our id of the refund.
    pub refund: uuid::Uuid,
    /// The amount, in pence.
    pub amount: Pence,
    /// Times of the first and the last earlier call for this refund. `None` before the first call.
    pub requested: Option<RefundCalls>,
    /// The gateway's reference of the refund, if an earlier call returned it.
    pub reference: Option<&'a str>,
}

/// A payment gateway.
///
/// Each call may be repeated after a crash of the shop, or run twice at the same time. A call about an
/// attempt or a refund has our id, and takes effect once for this id. If a provider forgets such ids,
/// its adapter looks up the state before it repeats a call.
pub trait Gateway: Send + Sync {
    /// Returns the name in paths, in the configuration and in stored rows.
    fn name(&self) -> &'static str;

    fn capabilities(&self) -> Capabilities;

    /// Returns whether the gateway moves real money.
    fn mode(&self) -> Mode;

    /// Refuses an attempt of the other mode: a test attempt with live keys, or the reverse.
    ///
    /// # Errors
    /// [`GatewayError::OtherMode`].
    fn check_mode(&self, attempt: &Payment) -> Result<(), GatewayError> {
        if attempt.mode == self.mode() {
            Ok(())
        } else {
            Err(GatewayError::OtherMode)
        }
    }

    /// Checks the keys, without changing anything. Returns how wrong our clock is, if the gateway states its
    /// time: `10 minutes ahead`.
    ///
    /// Returns an error if the gateway refuses the keys or can't be reached.
    fn check_keys(&self) -> GatewayFuture<'_, Option<String>>;

    /// Creates the page of an attempt. If [`Capabilities::page_reuse`] is not zero, a repeated call for the
    /// attempt returns the page of the first call.
    fn create_session<'a>(&'a self, order: CreateSession<'a>) -> GatewayFuture<'a, PaymentSession>;

    /// Returns the status of an attempt. The call charges nothing.
    fn status<'a>(&'a self, attempt: &'a Payment) -> GatewayFuture<'a, PaymentReport>;

    /// Closes the page of an attempt permanently, unless the attempt was paid. Returns the attempt's
    /// status.
    fn close<'a>(&'a self, attempt: &'a Payment) -> GatewayFuture<'a, PaymentReport>;

    /// Charges a stored card. Looks the charge up first and returns the result of an earlier charge, because a
    /// restored store may lack it. If [`Capabilities::repeats_charges`], two calls at once charge once too.
    ///
    /// A refusal other than a decline of the card is [`GatewayError::Refused`]: the card stays usable.
    fn charge<'a>(&'a self, charge: ChargeRequest<'a>) -> GatewayFuture<'a, PaymentReport>;

    /// Removes a stored card, so that nobody can charge it any more. A card that the gateway does not have
    /// counts as removed.
    fn detach<'a>(&'a self, card: &'a Instrument) -> GatewayFuture<'a, ()>;

    /// Looks up a refund by our id. The caller does this before each [`Gateway::refund`]. Returns
    /// `None` if a call for the refund is safe. The gateway then certainly has no such refund, or
    /// repeats a call safely.
    ///
    /// A gateway that can neither find a refund nor repeat a call safely returns
    /// [`crate::integrations::payments::GatewayRefundStatus::Unconfirmed`].
    fn find_refund<'a>(
        &'a self,
        order: RefundRequest<'a>,
    ) -> GatewayFuture<'a, Option<RefundReport>>;

    /// Refunds money. A repeated call for a refund pays once.
    fn refund<'a>(&'a self, order: RefundRequest<'a>) -> GatewayFuture<'a, RefundReport>;

    /// Lists what was paid and refunded since a moment. A restored store may lack it. The default is for a
    /// gateway without such a list.
    fn list_since(&self, _since: DateTime<Utc>) -> GatewayFuture<'_, Vec<ListedMovement>> {
        Box::pin(async { Err(GatewayError::Unable("list what was paid")) })
    }

    /// Returns the attempt that a callback names. This is the first step of reading a callback.
    /// Nothing in the callback is verified yet.
    ///
    /// # Errors
    /// Returns [`GatewayError::Forged`] if the callback can't be from this gateway.
    fn payment_ref(&self, callback: &Callback<'_>) -> Result<PaymentRef, GatewayError>;

    /// Verifies a callback and returns its content. This is the second step of reading a callback.
    /// Uses the keys of `attempt` if the gateway has separate keys for each attempt. `attempt` is
    /// `None` if the shop has no such attempt. The callback is then verified too.
    ///
    /// # Errors
    /// Returns [`GatewayError::Forged`] if the callback isn't the gateway's or is too old. Returns
    /// [`GatewayError::OtherMode`] if the callback or `attempt` is of the other mode.
    fn read_callback(
        &self,
        callback: &Callback<'_>,
        attempt: Option<&Payment>,
    ) -> Result<CallbackEvent, GatewayError>;

    /// Returns the answer to a callback, in the gateway's form.
    fn answer(&self, outcome: &CallbackOutcome) -> CallbackAnswer;
}
