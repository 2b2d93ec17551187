//! Implements the shop's gateway interface with Stripe.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

use super::charge::ChargeIntent;
use super::client::{NAME, StripeClient};
use super::error::StripeError;
use super::event::{StripeEvent, WebhookEvent};
use super::intent::IntentStatus;
use super::refund::StripeRefundOrder;
use super::session::{self, CheckoutSession, SessionStatus};
use super::signature;
use crate::clock::Clock;
use crate::domain::money::Pence;
use crate::domain::payment::{Instrument, Keys, Mode, PageKind, PageMethod, Payment, PaymentPage};
use crate::integrations::payments::stripe::mapping::{
    INTENT, SESSION, charge_report, is_for_dispute, is_for_later, map_event, missing_card,
    references, refund_report, refused_charge, refused_status, report,
};
use crate::integrations::payments::{
    Callback, CallbackAnswer, CallbackEvent, CallbackOutcome, Capabilities, ChargeRequest,
    CreateSession, Gateway, GatewayError, GatewayFuture, GatewayRefundStatus, GatewayStatus,
    ListedMovement, PaymentRef, PaymentReport, PaymentSession, RefundReport, RefundRequest,
};
use crate::secret::Secret;

/// Smallest card payment at Stripe, in pence.
const LEAST: Pence = Pence(30);
/// Largest card payment at Stripe, in pence: eight digits.
const MAX_AMOUNT: Pence = Pence(99_999_999);

#[derive(Debug)]
pub struct StripeGateway {
    client: StripeClient,
    webhook_secrets: Vec<Secret>,
    clock: Clock,
}

impl StripeGateway {
    /// Builds the gateway. Stripe signs each callback with one of `webhook_secrets`.
    #[must_use]
    pub const fn new(client: StripeClient, webhook_secrets: Vec<Secret>, clock: Clock) -> Self {
        Self {
            client,
            webhook_secrets,
            clock,
        }
    }

    /// Returns the session of an attempt, or `None` if Stripe has none.
    async fn session_of(&self, attempt: &Payment) -> Result<Option<CheckoutSession>, GatewayError> {
        self.check_mode(attempt)?;
        if let Some(id) = attempt.references.get(SESSION) {
            // The session existed. If Stripe has no such session now, the key belongs to another account.
            return Ok(Some(self.client.session(id).await?));
        }
        Ok(self.client.find(attempt.id, attempt.created).await?)
    }

    /// Adds the card that Stripe keeps to a report of a paid attempt. A failure delays no sale: the shop
    /// asks again.
    async fn with_card(&self, attempt: &Payment, report: PaymentReport) -> PaymentReport {
        let is_paid = matches!(report.status, GatewayStatus::Paid { .. });
        let intent = report.references.get(INTENT);
        let Some(intent) = intent.filter(|_| is_paid && attempt.consent.is_some()) else {
            return report;
        };
        match self.client.stored_card(intent).await {
            Ok(card) => PaymentReport {
                card: card.map(Box::new),
                ..report
            },
            Err(error) => {
                tracing::warn!(payment = %attempt.id, %error, "the stored card could not be read");
                report
            }
        }
    }

    /// Maps a charge to a report. Cancels a charge that the bank declined, so that it stays unpaid.
    async fn end_charge(&self, charge: &ChargeIntent) -> Result<PaymentReport, GatewayError> {
        let intent = &charge.intent;
        if matches!(
            intent.status,
            IntentStatus::RequiresPaymentMethod | IntentStatus::RequiresAction
        ) {
            self.client.cancel_charge(&intent.id).await?;
        }
        charge_report(charge)
    }

    /// Builds the order for a refund. Returns `None` if the attempt has no payment at Stripe.
    async fn order(
        &self,
        order: RefundRequest<'_>,
    ) -> Result<Option<StripeRefundOrder>, GatewayError> {
        self.check_mode(order.payment)?;
        let intent = match order.payment.references.get(INTENT) {
            Some(reference) => Some(reference.clone()),
            None => {
                let session = self.session_of(order.payment).await?;
                session.and_then(|session| session.intent_id().map(str::to_owned))
            }
        };
        Ok(intent.map(|intent| StripeRefundOrder {
            refund: order.refund,
            payment: order.payment.id,
            intent,
            amount: order.amount,
        }))
    }
}

impl Gateway for StripeGateway {
    fn name(&self) -> &'static str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            closes_pages: true,
            can_query_status: true,
            stores_cards: true,
            repeats_charges: true,
            // A session usually ends 23 hours after the attempt began. The last hour is too short
            // for a page that is shown again.
            page_reuse: TimeDelta::hours(22),
            signs_returns: false,
            may_reverse: false,
            untested_settings: &["webhook_secrets"],
            needs_town: false,
            min_amount: LEAST,
            max_amount: MAX_AMOUNT,
        }
    }

    fn mode(&self) -> Mode {
        if self.client.is_test() {
            Mode::Test
        } else {
            Mode::Live
        }
    }

    fn check_keys(&self) -> GatewayFuture<'_, Option<String>> {
        Box::pin(async {
            self.client.try_key().await?;
            Ok(None)
        })
    }

    fn create_session<'a>(&'a self, order: CreateSession<'a>) -> GatewayFuture<'a, PaymentSession> {
        Box::pin(async move {
            self.check_mode(order.attempt)?;
            let request = session::CheckoutRequest {
                payment: order.attempt.id,
                started: order.attempt.created,
                amount: order.attempt.amount,
                description: order.description.to_owned(),
                email: order.payer.email.clone(),
                keeps_card: order.attempt.consent.is_some(),
                success_url: order.return_url.to_owned(),
                cancel_url: order.back_url.to_owned(),
            };
            let session = self.client.begin(&request, self.clock.now()).await?;
            let url = session.url.clone();
            let url = url.ok_or_else(|| {
                GatewayError::Unclear("the session can't be paid any more".to_owned())
            })?;
            Ok(PaymentSession {
                page: PaymentPage {
                    kind: PageKind::Redirect,
                    url,
                    method: PageMethod::Get,
                    fields: indexmap::IndexMap::new(),
                },
                references: references(&session),
                keys: Keys::default(),
            })
        })
    }

    fn status<'a>(&'a self, attempt: &'a Payment) -> GatewayFuture<'a, PaymentReport> {
        Box::pin(async move {
            if attempt.instrument().is_some() {
                self.check_mode(attempt)?;
                let found = self.client.find_charge(attempt).await?;
                return match found {
                    Some(found) => self.end_charge(&found).await,
                    None => Ok(GatewayStatus::NotFound.into()),
                };
            }
            let Some(session) = self.session_of(attempt).await? else {
                return Ok(GatewayStatus::NotFound.into());
            };
            Ok(self.with_card(attempt, report(&session)?).await)
        })
    }

    fn close<'a>(&'a self, attempt: &'a Payment) -> GatewayFuture<'a, PaymentReport> {
        Box::pin(async move {
            let Some(session) = self.session_of(attempt).await? else {
                return Ok(GatewayStatus::NotFound.into());
            };
            if session.status != SessionStatus::Open {
                return report(&session);
            }
            report(&self.client.expire(&session.id).await?)
        })
    }

    fn charge<'a>(&'a self, charge: ChargeRequest<'a>) -> GatewayFuture<'a, PaymentReport> {
        Box::pin(async move {
            let ChargeRequest { attempt, .. } = charge;
            self.check_mode(attempt)?;
            // Stripe may have forgotten the key of an earlier call.
            if let Some(found) = self.client.find_charge(attempt).await? {
                return self.end_charge(&found).await;
            }
            let client = &self.client;
            let made = client.charge_card(attempt, charge.instrument, charge.description);
            match made.await {
                Ok(made) => self.end_charge(&made).await,
                Err(StripeError::Refused(refusal)) => {
                    // The declined payment has more detail than the error.
                    match client.find_charge(attempt).await? {
                        Some(found) => self.end_charge(&found).await,
                        None => refused_charge(refusal),
                    }
                }
                Err(StripeError::Missing(_)) => Ok(missing_card(None)),
                Err(error) => Err(error.into()),
            }
        })
    }

    fn detach<'a>(&'a self, card: &'a Instrument) -> GatewayFuture<'a, ()> {
        Box::pin(async move {
            if card.mode != self.mode() {
                return Err(GatewayError::OtherMode);
            }
            Ok(self.client.remove_card(&card.card).await?)
        })
    }

    fn find_refund<'a>(
        &'a self,
        order: RefundRequest<'a>,
    ) -> GatewayFuture<'a, Option<RefundReport>> {
        Box::pin(async move {
            let Some(order) = self.order(order).await? else {
                return Ok(None);
            };
            let found = self.client.find_refund(&order.intent, order.refund).await?;
            Ok(found.map(|found| refund_report(&found)))
        })
    }

    fn refund<'a>(&'a self, order: RefundRequest<'a>) -> GatewayFuture<'a, RefundReport> {
        Box::pin(async move {
            let Some(order) = self.order(order).await? else {
                return Ok(refused_status("there is no such payment at Stripe".to_owned()).into());
            };
            match self.client.refund(&order).await {
                Ok(refund) => Ok(refund_report(&refund)),
                Err(error) if is_for_dispute(&error) => Ok(GatewayRefundStatus::Disputed.into()),
                // The refund can be made after the next sales have added money to the balance.
                Err(error) if is_for_later(&error) => Err(GatewayError::Unclear(error.to_string())),
                Err(error @ StripeError::Refused(_)) => {
                    Ok(refused_status(error.to_string()).into())
                }
                Err(error) => Err(error.into()),
            }
        })
    }

    fn list_since(&self, since: DateTime<Utc>) -> GatewayFuture<'_, Vec<ListedMovement>> {
        Box::pin(async move { Ok(self.client.list_since(since).await?) })
    }

    fn payment_ref(&self, callback: &Callback<'_>) -> Result<PaymentRef, GatewayError> {
        let event = StripeEvent::read(callback.body);
        let StripeEvent { news, .. } =
            event.map_err(|error| GatewayError::Forged(error.to_string()))?;
        let (attempt, reference) = match &news {
            WebhookEvent::Session(session) | WebhookEvent::SessionFailed(session) => {
                (session.payment(), Some(&session.id))
            }
            WebhookEvent::Intent(intent) | WebhookEvent::IntentDeclined(intent) => {
                (intent.payment(), Some(&intent.id))
            }
            WebhookEvent::Refund(refund) => (refund.payment(), refund.payment_intent.as_ref()),
            WebhookEvent::Dispute { dispute, .. } => (None, dispute.payment_intent.as_ref()),
            WebhookEvent::Unread(subject) => (subject.payment, subject.reference.as_ref()),
            WebhookEvent::Card(method) => return Ok(PaymentRef::Card(method.id.clone())),
            WebhookEvent::Nothing => (None, None),
        };
        Ok(match (attempt, reference) {
            (Some(id), _) => PaymentRef::Attempt(id),
            (None, Some(reference)) => PaymentRef::Reference(reference.clone()),
            (None, None) => PaymentRef::Unknown,
        })
    }

    fn read_callback(
        &self,
        callback: &Callback<'_>,
        attempt: Option<&Payment>,
    ) -> Result<CallbackEvent, GatewayError> {
        let header = callback.header(&signature::HEADER.to_ascii_lowercase());
        let now = self.clock.now();
        signature::check(callback.body, header, &self.webhook_secrets, now)
            .map_err(|why| GatewayError::Forged(why.to_string()))?;
        let event = StripeEvent::read(callback.body)
            .map_err(|error| GatewayError::Unclear(error.to_string()))?;
        if event.livemode != (self.mode() == Mode::Live) {
            return Err(GatewayError::OtherMode);
        }
        let Some(attempt) = attempt else {
            return Ok(CallbackEvent::Ignored);
        };
        self.check_mode(attempt)?;
        map_event(event, attempt)
    }

    fn answer(&self, outcome: &CallbackOutcome) -> CallbackAnswer {
        // Stripe reads only the status. Its Dashboard shows the body to people.
        let failure = |code: &str, message: &str| {
            json!({ "message": message, "code": code, "error": message }).to_string()
        };
        let (status, body) = match outcome {
            CallbackOutcome::Recorded | CallbackOutcome::NotOurs => {
                (200, json!({ "data": {} }).to_string())
            }
            CallbackOutcome::Forged => (
                400,
                failure(
                    "malformed",
                    "The signature, its time or the mode is not valid.",
                ),
            ),
            CallbackOutcome::NotYet => (503, failure("unavailable", "Please send it again.")),
        };
        CallbackAnswer {
            status,
            content_type: "application/json; charset=utf-8",
            body,
        }
    }
}

impl From<StripeError> for GatewayError {
    fn from(error: StripeError) -> Self {
        match error {
            StripeError::Key(_) | StripeError::Refused(_) => Self::Refused(error.to_string()),
            StripeError::Unreachable(_) | StripeError::Busy(_) => Self::NotSent(error.to_string()),
            StripeError::Unknown(_) | StripeError::KeySpent(_) | StripeError::Missing(_) => {
                Self::Unclear(error.to_string())
            }
        }
    }
}
