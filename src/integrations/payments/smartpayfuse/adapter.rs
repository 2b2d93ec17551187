//! Implements the shop's gateway interface with Smartpay Fuse.

use chrono::TimeDelta;
use uuid::Uuid;

use super::answer::{AnswerError, PageAnswer};
use super::charge::{charge_report, declined, found_decline};
use super::client::{FuseRefundOrder, NAME, SmartpayFuseClient};
use super::error::FuseError;
use super::form::{PageForm, PageKeys};
use super::mapping::{
    TRANSACTION, captured, map_answer, new_refund_report, refund_report, refund_row, refused,
    report,
};
use crate::clock::Clock;
use crate::domain::money::Pence;
use crate::domain::payment::{
    DeclineClass, Instrument, Keys, Mode, PageKind, PageMethod, Payment, PaymentPage,
    PaymentStatus, References,
};
use crate::integrations::payments::{
    Callback, CallbackAnswer, CallbackEvent, CallbackOutcome, Capabilities, ChargeRequest,
    CreateSession, Gateway, GatewayError, GatewayFuture, GatewayRefundStatus, GatewayStatus,
    PaymentRef, PaymentReport, PaymentSession, RefundReport, RefundRequest,
};

/// How long a new transaction may be missing in a search. Fuse names no time; a day is safe.
const INDEX_TIME: TimeDelta = TimeDelta::days(1);
/// Age in days of the oldest charge or refund that a search finds. Fuse keeps a year. After a restore of an older
/// store, our row may be newer than Fuse's transaction.
const HISTORY_DAYS: i64 = 360;
/// How long after its creation a form may still be paid. Fuse documents no time. Users commonly report
/// 15 minutes.
const PAGE_TIME: TimeDelta = TimeDelta::hours(2);

#[derive(Debug)]
pub struct SmartpayFuseGateway {
    client: SmartpayFuseClient,
    page_keys: PageKeys,
    page: PageAddress,
    mode: Mode,
    clock: Clock,
}

/// Where the page is, and how it is shown.
#[derive(Clone, Debug)]
struct PageAddress {
    kind: PageKind,
    url: String,
}

impl SmartpayFuseGateway {
    /// Builds the gateway. `page_origin` is the address of the payment page, without a path.
    #[must_use]
    pub fn new(
        client: SmartpayFuseClient,
        page_keys: PageKeys,
        (page_origin, is_framed): (&str, bool),
        mode: Mode,
        clock: Clock,
    ) -> Self {
        let (kind, path) = if is_framed {
            (PageKind::Iframe, "/embedded/pay")
        } else {
            (PageKind::Redirect, "/pay")
        };
        Self {
            client,
            page_keys,
            page: PageAddress {
                kind,
                url: format!("{page_origin}{path}"),
            },
            mode,
            clock,
        }
    }

    /// Returns the age of a moment in whole days.
    fn days_since(&self, moment: chrono::DateTime<chrono::Utc>) -> i64 {
        (self.clock.now() - moment).num_days()
    }

    /// Returns whether `moment` is less than 24 hours after the payment. It is unknown whether Fuse refunds
    /// a payment before it has sent the day's batch.
    fn is_early(&self, payment: &Payment, moment: chrono::DateTime<chrono::Utc>) -> bool {
        let paid_at = payment.paid_at;
        paid_at.is_some_and(|paid| moment - paid < INDEX_TIME)
    }

    /// Returns the report of an attempt, or `None` if no row of Fuse's decides.
    async fn find(&self, attempt: &Payment) -> Result<Option<PaymentReport>, GatewayError> {
        let is_charge = attempt.instrument().is_some();
        let days = if is_charge {
            HISTORY_DAYS
        } else {
            self.days_since(attempt.created)
        };
        let mut rows = self.client.search(attempt.id, days).await?;
        if is_charge {
            // The shop repeats a charge whose fields Fuse refused.
            rows.retain(|row| !row.is_invalid());
        }
        let paid = captured(&rows, &attempt.references);
        let details = match paid {
            Some(row) => self.client.transaction(&row.id).await?,
            None => None,
        };
        let report = report(&rows, paid, details.as_ref())?;
        let is_declined = |report: &PaymentReport| {
            matches!(report.status, GatewayStatus::Failed { .. }) && is_charge
        };
        Ok(match report {
            Some(report) if is_declined(&report) => Some(found_decline(&rows)),
            report => report,
        })
    }

    /// Returns Fuse's id of a payment, or `None` if Fuse lists no captured payment.
    async fn transaction_of(&self, payment: &Payment) -> Result<Option<String>, GatewayError> {
        if let Some(id) = payment.references.get(TRANSACTION) {
            return Ok(Some(id.clone()));
        }
        let days = self.days_since(payment.created);
        let rows = self.client.search(payment.id, days).await?;
        Ok(captured(&rows, &payment.references).map(|row| row.id.clone()))
    }

    /// Returns the report of a refund that was requested. Returns `None` if Fuse lists no refund, or the
    /// shop must request the refund again.
    async fn find_requested(
        &self,
        refund: Uuid,
        reference: Option<&str>,
        (days, is_early): (i64, bool),
    ) -> Result<Option<RefundReport>, GatewayError> {
        if let Some(id) = reference {
            let details = self.client.transaction(id).await?;
            return Ok(Some(refund_report(id, details.as_ref())));
        }
        let rows = self.client.search(refund, days).await?;
        Ok(match refund_row(&rows) {
            Some((row, "SOK")) => {
                let details = self.client.transaction(&row.id).await?;
                Some(refund_report(&row.id, details.as_ref()))
            }
            // If Fuse declined a call within 24 hours of the payment, the shop repeats the call once, 24
            // hours later.
            Some((_, flag)) if flag.starts_with('D') && is_early => None,
            Some((_, flag)) if flag.starts_with('D') => {
                Some(refused(format!("Smartpay Fuse says {flag}")).into())
            }
            // A time-out or a system error: the refund may have been made.
            Some(_) => Some(GatewayRefundStatus::Unconfirmed.into()),
            None => None,
        })
    }
}

impl Gateway for SmartpayFuseGateway {
    fn name(&self) -> &'static str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            closes_pages: false,
            can_query_status: true,
            stores_cards: true,
            repeats_charges: false,
            // A form can be used only once, so each display of the page needs a new form.
            page_reuse: TimeDelta::zero(),
            // Many of Cybersource's accounts refuse a form without `bill_to_address_city`.
            needs_town: true,
            min_amount: Pence(1),
            // An amount has at most 15 characters.
            max_amount: Pence(99_999_999_999_999),
            signs_returns: true,
            may_reverse: true,
            untested_settings: if self.page_keys.previous.is_some() {
                &[
                    "profile_id",
                    "access_key",
                    "secret_key",
                    "page_url",
                    "previous_access_key",
                    "previous_secret_key",
                ]
            } else {
                &["profile_id", "access_key", "secret_key", "page_url"]
            },
        }
    }

    fn mode(&self) -> Mode {
        self.mode
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
            let form = PageForm {
                attempt: order.attempt,
                payer: order.payer,
                receipt_url: order.return_url,
                cancel_url: order.back_url,
                post_url: order.callback_url,
            };
            let fields = form.fields(&self.page_keys, self.clock.now());
            let fields = fields.ok_or_else(|| {
                GatewayError::Refused("server.public_url is too long or has a comma".to_owned())
            })?;
            Ok(PaymentSession {
                page: PaymentPage {
                    kind: self.page.kind,
                    url: self.page.url.clone(),
                    method: PageMethod::Post,
                    fields,
                },
                references: References::new(),
                keys: Keys::default(),
            })
        })
    }

    fn status<'a>(&'a self, attempt: &'a Payment) -> GatewayFuture<'a, PaymentReport> {
        Box::pin(async move {
            self.check_mode(attempt)?;
            if let Some(report) = self.find(attempt).await? {
                return Ok(report);
            }
            let is_old = self.clock.now() - attempt.created >= PAGE_TIME + INDEX_TIME;
            Ok(match attempt.status {
                // An earlier signed message said that a person must decide.
                PaymentStatus::Processing => GatewayStatus::Processing,
                _ if is_old => GatewayStatus::NotFound,
                _ => GatewayStatus::Open,
            }
            .into())
        })
    }

    fn close<'a>(&'a self, _: &'a Payment) -> GatewayFuture<'a, PaymentReport> {
        Box::pin(async { Err(GatewayError::Unable("close a page")) })
    }

    fn charge<'a>(&'a self, charge: ChargeRequest<'a>) -> GatewayFuture<'a, PaymentReport> {
        Box::pin(async move {
            self.check_mode(charge.attempt)?;
            // A restored store may lack an earlier call.
            let found = self.find(charge.attempt).await;
            let found = found.map_err(|error| GatewayError::NotSent(error.to_string()))?;
            if let Some(found) = found {
                return Ok(found);
            }
            match self.client.charge_card(&charge).await {
                Ok(made) => charge_report(&made),
                Err(FuseError::Refused(refusal)) if refusal.is_about_card() => {
                    Ok(declined(DeclineClass::Customer, Some(&refusal.reason)))
                }
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
            let Some(calls) = order.requested else {
                // A restored store may lack an earlier call.
                let history = (HISTORY_DAYS, true);
                return self.find_requested(order.refund, None, history).await;
            };
            let days = self.days_since(calls.first);
            let is_early = calls.first == calls.last && self.is_early(order.payment, calls.first);
            let found = self.find_requested(order.refund, order.reference, (days, is_early));
            if let Some(found) = found.await? {
                return Ok(Some(found));
            }
            if self.clock.now() - calls.last < INDEX_TIME {
                let text = "a refund was requested, and Smartpay Fuse doesn't list it yet";
                return Err(GatewayError::Unclear(text.to_owned()));
            }
            // After two calls without a known result, a person must check the refund.
            let is_first = calls.first == calls.last;
            Ok((!is_first).then(|| GatewayRefundStatus::Unconfirmed.into()))
        })
    }

    fn refund<'a>(&'a self, order: RefundRequest<'a>) -> GatewayFuture<'a, RefundReport> {
        Box::pin(async move {
            self.check_mode(order.payment)?;
            let Some(transaction) = self.transaction_of(order.payment).await? else {
                return Ok(refused("there is no such payment at Smartpay Fuse".to_owned()).into());
            };
            let request = FuseRefundOrder {
                refund: order.refund,
                transaction,
                amount: order.amount,
                currency: order.payment.currency,
            };
            let is_early =
                order.requested.is_none() && self.is_early(order.payment, self.clock.now());
            match self.client.refund(&request).await {
                Ok(refund) => Ok(new_refund_report(&refund)),
                Err(error @ (FuseError::Refused(_) | FuseError::Missing(_))) if is_early => {
                    Err(GatewayError::Unclear(error.to_string()))
                }
                Err(error @ (FuseError::Refused(_) | FuseError::Missing(_))) => {
                    Ok(refused(error.to_string()).into())
                }
                Err(error) => Err(error.into()),
            }
        })
    }

    fn payment_ref(&self, callback: &Callback<'_>) -> Result<PaymentRef, GatewayError> {
        let answer = PageAnswer::read(callback.body).map_err(forged)?;
        let name = "req_reference_number";
        let reference = answer.get(name).ok_or(AnswerError::NotSigned(name));
        let id = reference.map_err(forged)?.parse();
        Ok(id.map_or(PaymentRef::Unknown, PaymentRef::Attempt))
    }

    fn read_callback(
        &self,
        callback: &Callback<'_>,
        attempt: Option<&Payment>,
    ) -> Result<CallbackEvent, GatewayError> {
        let answer = PageAnswer::read(callback.body).map_err(forged)?;
        answer.verify(&self.page_keys).map_err(forged)?;
        let Some(attempt) = attempt else {
            return Ok(CallbackEvent::Ignored);
        };
        self.check_mode(attempt)?;
        Ok(map_answer(&answer, attempt))
    }

    fn answer(&self, outcome: &CallbackOutcome) -> CallbackAnswer {
        let status = match outcome {
            CallbackOutcome::Recorded | CallbackOutcome::NotOurs => 200,
            CallbackOutcome::Forged => 400,
            CallbackOutcome::NotYet => 503,
        };
        CallbackAnswer {
            status,
            content_type: "text/plain; charset=utf-8",
            body: String::new(),
        }
    }
}

fn forged(why: AnswerError) -> GatewayError {
    GatewayError::Forged(why.to_string())
}
