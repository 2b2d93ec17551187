//! Maps Stripe's sessions, payments, refunds and disputes to the shop's types.

use crate::domain::money::Pence;
use crate::domain::payment::dispute::{DisputeEvent, DisputeMove};
use crate::domain::payment::{Currency, Failure, FailureClass, Payment, References};
use crate::integrations::payments::stripe::dispute::{
    BalanceTransaction, DisputeNews, StripeDispute,
};
use crate::integrations::payments::stripe::error::StripeError;
use crate::integrations::payments::stripe::event::{StripeEvent, WebhookEvent};
use crate::integrations::payments::stripe::intent::{Intent, IntentStatus};
use crate::integrations::payments::stripe::refund::{StripeRefund, StripeRefundStatus};
use crate::integrations::payments::stripe::session::{CheckoutSession, SessionStatus, Settled};
use crate::integrations::payments::{
    self, CallbackEvent, GatewayError, GatewayRefundStatus, GatewayStatus, PaymentReport,
    RefundByHand, RefundReport,
};

/// Names of an attempt's references: `cs_...` and `pi_...`.
pub(super) const SESSION: &str = "session";
pub(super) const INTENT: &str = "intent";

/// Maps a webhook event to a callback's content.
///
/// # Errors
/// Returns [`GatewayError::Unclear`] for a payment without an amount.
pub(super) fn map_event(
    event: StripeEvent,
    attempt: &Payment,
) -> Result<CallbackEvent, GatewayError> {
    let StripeEvent {
        news,
        created,
        id,
        kind,
        ..
    } = event;
    // Stripe creates an event when the payment happens, so the event's time is the time of the payment.
    let now = |report| PaymentReport {
        paid_at: created,
        ..report
    };
    // The shop ignores another session of the attempt unless that session was paid.
    let is_other = |session: &CheckoutSession| {
        let own = attempt.references.get(SESSION);
        own.is_some_and(|own| *own != session.id) && session.payment_status != Settled::Paid
    };
    Ok(match news {
        WebhookEvent::Session(session) | WebhookEvent::SessionFailed(session)
            if is_other(&session) =>
        {
            CallbackEvent::Ignored
        }
        WebhookEvent::Session(session) => CallbackEvent::Attempt(now(report(&session)?)),
        WebhookEvent::SessionFailed(session) => CallbackEvent::Attempt(PaymentReport {
            references: references(&session),
            ..declined(true).into()
        }),
        WebhookEvent::Intent(intent) => match report_from_intent(&intent)? {
            Some(report) => CallbackEvent::Attempt(now(report)),
            None => CallbackEvent::Ignored,
        },
        // The customer may try another card on the same page.
        WebhookEvent::IntentDeclined(intent) => CallbackEvent::Attempt(PaymentReport {
            references: References::from([(INTENT.to_owned(), intent.id)]),
            ..declined(false).into()
        }),
        WebhookEvent::Refund(refund) => match refund.our_refund() {
            Some(ours) => CallbackEvent::Refund {
                refund: ours,
                report: refund_report(&refund),
            },
            None if Currency::parse(&refund.currency).is_some() => {
                CallbackEvent::RefundByHand(RefundByHand {
                    reference: refund.id.clone(),
                    amount: Pence(refund.amount),
                    status: refund_report(&refund).status,
                })
            }
            // A refund by hand in another currency can't be counted in pence. A person must check the refund.
            None => CallbackEvent::Unread {
                reference: refund.id,
                kind,
            },
        },
        WebhookEvent::Dispute(news, dispute) => {
            CallbackEvent::Dispute(dispute_news(news, &dispute))
        }
        WebhookEvent::Unread(_) => CallbackEvent::Unread {
            reference: id,
            kind,
        },
        WebhookEvent::Nothing => CallbackEvent::Ignored,
    })
}

/// Maps a payment intent to a report of its attempt. Returns `None` for statuses of which the
/// session has more detail.
fn report_from_intent(intent: &Intent) -> Result<Option<PaymentReport>, GatewayError> {
    let status = match intent.status {
        IntentStatus::Succeeded => paid(Some(intent.amount_received), &intent.currency)?,
        IntentStatus::Processing => GatewayStatus::Processing,
        _ => return Ok(None),
    };
    Ok(Some(PaymentReport {
        references: References::from([(INTENT.to_owned(), intent.id.clone())]),
        ..status.into()
    }))
}

/// Maps a session to a report of its attempt.
///
/// # Errors
/// Returns [`GatewayError::Unclear`] for a payment without an amount.
pub(super) fn report(session: &CheckoutSession) -> Result<PaymentReport, GatewayError> {
    let currency = session.currency.as_deref().unwrap_or_default();
    let status = match (session.status, session.payment_status) {
        (_, Settled::Paid) => paid(session.received(), currency)?,
        // The bank processes the payment, whatever the page's status.
        _ if session.is_processing() => GatewayStatus::Processing,
        (SessionStatus::Expired, _) => GatewayStatus::Failed {
            failure: Failure {
                class: FailureClass::Expired,
                is_final: true,
            },
            message: "The payment page was closed before it was paid.".to_owned(),
        },
        (SessionStatus::Complete, _) => declined(true),
        _ => GatewayStatus::Open,
    };
    Ok(PaymentReport {
        references: references(session),
        ..status.into()
    })
}

/// Returns the status of a paid attempt. A missing or zero amount is an error, so that the caller
/// queries again.
fn paid(amount: Option<i64>, currency: &str) -> Result<GatewayStatus, GatewayError> {
    let amount = amount
        .filter(|amount| *amount > 0)
        .ok_or_else(|| GatewayError::Unclear("Stripe doesn't say how much was paid".to_owned()))?;
    Ok(GatewayStatus::Paid {
        amount: Pence(amount),
        currency: Currency::parse(currency),
    })
}

fn declined(is_final: bool) -> GatewayStatus {
    GatewayStatus::Failed {
        failure: Failure {
            class: FailureClass::Declined,
            is_final,
        },
        message: "The card was declined by the bank.".to_owned(),
    }
}

pub(super) fn references(session: &CheckoutSession) -> References {
    let mut references = References::from([(SESSION.to_owned(), session.id.clone())]);
    if let Some(intent) = session.intent_id() {
        references.insert(INTENT.to_owned(), intent.to_owned());
    }
    references
}

pub(super) fn refund_report(refund: &StripeRefund) -> RefundReport {
    let status = match refund.status {
        StripeRefundStatus::Succeeded => GatewayRefundStatus::Done,
        StripeRefundStatus::Pending
        | StripeRefundStatus::RequiresAction
        | StripeRefundStatus::Other => GatewayRefundStatus::Pending,
        StripeRefundStatus::Failed | StripeRefundStatus::Canceled => {
            let why = refund.failure_reason.as_deref().unwrap_or("canceled");
            refused_status(format!("Stripe says {why}"))
        }
    };
    RefundReport {
        status,
        reference: Some(refund.id.clone()),
    }
}

pub(super) fn refused_status(message: String) -> GatewayRefundStatus {
    GatewayRefundStatus::Refused { message }
}

/// Returns whether a refund waits for money on our balance at Stripe.
pub(super) fn is_for_later(error: &StripeError) -> bool {
    matches!(
        error.code(),
        Some("balance_insufficient" | "insufficient_funds")
    )
}

/// Returns whether Stripe refuses a refund because the payment is or was disputed.
pub(super) fn is_for_dispute(error: &StripeError) -> bool {
    error.code() == Some("charge_disputed")
}

/// Maps a dispute with its movements of money. The status words are those of Stripe's API of October 2026.
fn dispute_news(news: DisputeNews, dispute: &StripeDispute) -> payments::DisputeUpdate {
    let event = match dispute.status.as_str() {
        "lost" => DisputeEvent::Lost,
        // Includes an inquiry that closed without a dispute.
        "won" | "warning_closed" => DisputeEvent::Won,
        "prevented" => DisputeEvent::Prevented,
        "warning_needs_response" | "warning_under_review" => DisputeEvent::Inquired,
        "needs_response" | "under_review" => DisputeEvent::Opened,
        // A dispute with an unknown status counts as open, so it stays in the list of cases for a person.
        word => {
            let dispute = &dispute.id;
            tracing::error!(
                dispute,
                word,
                "Stripe's word for this dispute's state isn't known"
            );
            DisputeEvent::Opened
        }
    };
    let tells_of_money = matches!(
        news,
        DisputeNews::FundsWithdrawn | DisputeNews::FundsReinstated
    );
    if tells_of_money && dispute.movements().is_empty() {
        tracing::error!(
            dispute = dispute.id,
            "Stripe tells of a dispute's money and names no movement of it: nothing is booked"
        );
    }
    let is_ours = |one: &&BalanceTransaction| {
        let is_ours = Currency::parse(&one.currency).is_some();
        if !is_ours {
            let (dispute, movement) = (&dispute.id, &one.id);
            tracing::error!(
                dispute,
                movement,
                "a dispute's money is in another currency"
            );
        }
        is_ours
    };
    let moves = dispute.movements().iter().filter(is_ours);
    payments::DisputeUpdate {
        reference: dispute.id.clone(),
        event,
        moves: moves
            .map(|one| DisputeMove {
                reference: one.id.clone(),
                amount: Pence(-one.amount),
            })
            .collect(),
        amount: dispute.amount(),
        currency: Currency::parse(&dispute.currency),
        reason: dispute.reason.clone(),
        answer_by: dispute.due_by(),
    }
}
