//! Implements the shop's gateway interface with Global Payments.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

use super::charge::{charge_report, missing_card, transaction_report};
use super::client::{GlobalPaymentsClient, NAME};
use super::error::GpError;
use super::link::{GpLink, GpLinkStatus, LinkOrder};
use super::mapping::{
    LINK, TRANSACTION, deciding_report, is_over, link_reference, paid_transaction, refund_report,
    unpaid_report,
};
use super::message::{MessageSubject, unpack};
use super::refund::{GpRefundOrder, KEY_LIFETIME, is_safe_to_call};
use super::signature;
use crate::clock::Clock;
use crate::domain::money::Pence;
use crate::domain::payment::{Instrument, Keys, Mode, PageKind, PageMethod, Payment, PaymentPage};
use crate::integrations::payments::{
    Callback, CallbackAnswer, CallbackEvent, CallbackOutcome, Capabilities, ChargeRequest,
    CreateSession, Gateway, GatewayError, GatewayFuture, GatewayRefundStatus, GatewayStatus,
    ListedMovement, PaymentRef, PaymentReport, PaymentSession, RefundReport, RefundRequest,
};

#[derive(Debug)]
pub struct GlobalPaymentsGateway {
    client: GlobalPaymentsClient,
    clock: Clock,
}

impl GlobalPaymentsGateway {
    #[must_use]
    pub const fn new(client: GlobalPaymentsClient, clock: Clock) -> Self {
        Self { client, clock }
    }

    /// Returns the link of an attempt. `None` if the provider has none.
    async fn link_of(&self, attempt: &Payment) -> Result<Option<GpLink>, GpError> {
        match attempt.references.get(LINK) {
            // The link existed. If the provider has no such link now, the settings name another app.
            Some(id) => self.client.link(id).await.map(Some),
            None => self.client.find_link(attempt.id).await,
        }
    }

    /// Returns the status of an attempt. A payment that is paid, processed or reversed decides. Without
    /// such a payment, the last payment and the link decide, and `is_superseded` first ends an active link.
    async fn report(
        &self,
        attempt: &Payment,
        is_superseded: bool,
    ) -> Result<PaymentReport, GatewayError> {
        self.check_mode(attempt)?;
        let payments = self.client.find_payments(attempt.id).await?;
        let report = deciding_report(&payments, &attempt.references)?;
        let is_decided = |report: &PaymentReport| {
            let status = &report.status;
            matches!(
                status,
                GatewayStatus::Paid { .. } | GatewayStatus::Processing | GatewayStatus::Reversed
            )
        };
        if let Some(report) = report.as_ref().filter(|report| is_decided(report)) {
            return Ok(report.clone());
        }
        let mut link = self.link_of(attempt).await?;
        if let Some(active) = &link
            && is_superseded
            && active.status == GpLinkStatus::Active
        {
            let ended = self.client.end_link(&active.id).await?;
            if ended.status == GpLinkStatus::Active {
                tracing::error!(payment = %attempt.id, "the page at Global Payments stays open");
            }
            link = Some(ended);
        }
        unpaid_report(link.as_ref(), report, is_over(attempt, self.clock.now()))
    }

    /// Returns the report of a stored card's charge, or `None` if the provider has no such charge.
    async fn charge_of(&self, attempt: &Payment) -> Result<Option<PaymentReport>, GatewayError> {
        self.check_mode(attempt)?;
        let found = self.client.find_payments(attempt.id).await?;
        charge_report(&found, attempt)
    }

    /// Adds the card that the provider keeps to a report of a paid attempt. A failure delays no sale: the
    /// shop asks again.
    async fn with_card(&self, attempt: &Payment, report: PaymentReport) -> PaymentReport {
        let transaction = report.references.get(TRANSACTION);
        let Some(transaction) = transaction.filter(|_| attempt.consent.is_some()) else {
            return report;
        };
        match self.client.stored_card(transaction).await {
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

    /// Returns the id of a payment's successful transaction, or `None` if the payment has none.
    async fn transaction_of(&self, payment: &Payment) -> Result<Option<String>, GatewayError> {
        self.check_mode(payment)?;
        if let Some(id) = paid_transaction(payment) {
            return Ok(Some(id.to_owned()));
        }
        let payments = self.client.find_payments(payment.id).await?;
        let report = deciding_report(&payments, &payment.references)?;
        Ok(report.and_then(|report| report.references.get(TRANSACTION).cloned()))
    }

    /// Returns the address of a link's page. The address must have the API's scheme. The content security
    /// policy limits the hosts that a frame may show.
    fn page_url(&self, link: &GpLink) -> Result<String, GatewayError> {
        // A repeated call changes nothing, so neither is an unclear answer.
        let refused = |why: &str| GatewayError::Refused(why.to_owned());
        if link.status != GpLinkStatus::Active {
            return Err(refused("the link can't be paid any more"));
        }
        let url = link.url.as_deref().unwrap_or_default();
        let scheme = self.client.address().split_inclusive("://").next();
        let is_safe = |c: char| c.is_ascii_graphic() && !"\"'<>\\`".contains(c);
        if scheme.is_some_and(|scheme| url.starts_with(scheme)) && url.chars().all(is_safe) {
            Ok(url.to_owned())
        } else {
            Err(refused("the link has no address of a page"))
        }
    }
}

impl Gateway for GlobalPaymentsGateway {
    fn name(&self) -> &'static str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            closes_pages: true,
            can_query_status: true,
            stores_cards: true,
            repeats_charges: true,
            // A link expires after 23 hours. The shop does not show a link again in its last hour.
            page_reuse: TimeDelta::hours(22),
            // The shop ignores the server's post to the return page, because the callback has the same
            // content.
            signs_returns: false,
            may_reverse: true,
            untested_settings: &["country"],
            needs_town: false,
            // The provider publishes no limits. It refuses an amount outside its own.
            min_amount: Pence(1),
            max_amount: Pence(i64::MAX),
        }
    }

    fn mode(&self) -> Mode {
        if self.client.app().is_test {
            Mode::Test
        } else {
            Mode::Live
        }
    }

    fn check_keys(&self) -> GatewayFuture<'_, Option<String>> {
        Box::pin(async { Ok(self.client.try_key().await?) })
    }

    fn create_session<'a>(&'a self, order: CreateSession<'a>) -> GatewayFuture<'a, PaymentSession> {
        Box::pin(async move {
            self.check_mode(order.attempt)?;
            let request = LinkOrder {
                payment: order.attempt.id,
                started: order.attempt.created,
                amount: order.attempt.amount,
                currency: order.attempt.currency,
                description: order.description.to_owned(),
                payer: order.payer.clone(),
                keeps_card: order.attempt.consent.is_some(),
                return_url: order.return_url.to_owned(),
                status_url: order.callback_url.to_owned(),
                cancel_url: order.back_url.to_owned(),
            };
            let link = self.client.begin(&request, self.clock.now()).await?;
            Ok(PaymentSession {
                page: PaymentPage {
                    kind: PageKind::Iframe,
                    url: self.page_url(&link)?,
                    method: PageMethod::Get,
                    fields: indexmap::IndexMap::new(),
                },
                references: link_reference(&link),
                keys: Keys::default(),
            })
        })
    }

    fn status<'a>(&'a self, attempt: &'a Payment) -> GatewayFuture<'a, PaymentReport> {
        Box::pin(async move {
            if attempt.instrument().is_some() {
                let found = self.charge_of(attempt).await?;
                return Ok(found.unwrap_or_else(|| GatewayStatus::NotFound.into()));
            }
            let report = self.report(attempt, false).await?;
            Ok(self.with_card(attempt, report).await)
        })
    }

    fn close<'a>(&'a self, attempt: &'a Payment) -> GatewayFuture<'a, PaymentReport> {
        Box::pin(self.report(attempt, true))
    }

    fn charge<'a>(&'a self, charge: ChargeRequest<'a>) -> GatewayFuture<'a, PaymentReport> {
        Box::pin(async move {
            let ChargeRequest { attempt, .. } = charge;
            if let Some(found) = self.charge_of(attempt).await? {
                return Ok(found);
            }
            // The provider may have forgotten the key of an earlier call.
            if self.clock.now() - attempt.created >= KEY_LIFETIME {
                return Ok(GatewayStatus::NotFound.into());
            }
            match self.client.charge_card(&charge).await {
                Ok(made) => transaction_report(&made, attempt),
                // Assumption: the provider answers so if it has no such card.
                Err(GpError::Missing(code)) => Ok(missing_card(code)),
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
            self.check_mode(order.payment)?;
            if let Some(id) = order.reference {
                let refund = self.client.transaction(id).await?;
                return refund_report(&refund, order.amount).map(Some);
            }
            if is_safe_to_call(order.requested, self.clock.now()) {
                return Ok(None);
            }
            Ok(Some(GatewayRefundStatus::Unconfirmed.into()))
        })
    }

    fn refund<'a>(&'a self, order: RefundRequest<'a>) -> GatewayFuture<'a, RefundReport> {
        Box::pin(async move {
            let refused = |message: String| GatewayRefundStatus::Refused { message }.into();
            let Some(transaction) = self.transaction_of(order.payment).await? else {
                return Ok(refused(
                    "there is no such payment at Global Payments".to_owned(),
                ));
            };
            let request = GpRefundOrder {
                refund: order.refund,
                transaction,
                amount: order.amount,
            };
            match self.client.refund(&request).await {
                Ok(refund) => refund_report(&refund, order.amount),
                // Global Payments may have executed an earlier call. So the refusal of this call does not
                // prove that no refund was made.
                Err(GpError::Refused(_)) if order.requested.is_some() => {
                    Ok(GatewayRefundStatus::Unconfirmed.into())
                }
                Err(error @ GpError::Refused(_)) => Ok(refused(error.to_string())),
                Err(error) => Err(error.into()),
            }
        })
    }

    fn list_since(&self, since: DateTime<Utc>) -> GatewayFuture<'_, Vec<ListedMovement>> {
        Box::pin(async move { Ok(self.client.list_since(since).await?) })
    }

    fn payment_ref(&self, callback: &Callback<'_>) -> Result<PaymentRef, GatewayError> {
        Ok(MessageSubject::read(&unpack(callback)?).payment_ref())
    }

    fn read_callback(
        &self,
        callback: &Callback<'_>,
        attempt: Option<&Payment>,
    ) -> Result<CallbackEvent, GatewayError> {
        let body = unpack(callback)?;
        let header = callback.header(&signature::HEADER.to_ascii_lowercase());
        if !signature::check(&body, header, &self.client.app().key) {
            return Err(GatewayError::Forged("its signature is wrong".to_owned()));
        }
        let Some(attempt) = attempt else {
            return Ok(CallbackEvent::Ignored);
        };
        self.check_mode(attempt)?;
        Ok(MessageSubject::read(&body).event(&body, attempt))
    }

    fn answer(&self, outcome: &CallbackOutcome) -> CallbackAnswer {
        let failure = |code: &str, message: &str| json!({ "message": message, "code": code, "error": message });
        let (status, body) = match outcome {
            CallbackOutcome::Recorded | CallbackOutcome::NotOurs => (200, json!({ "data": {} })),
            CallbackOutcome::Forged => (
                400,
                failure("malformed", "The signature or the mode is not valid."),
            ),
            CallbackOutcome::NotYet => (503, failure("unavailable", "Please send it again.")),
        };
        CallbackAnswer {
            status,
            content_type: "application/json; charset=utf-8",
            body: body.to_string(),
        }
    }
}
