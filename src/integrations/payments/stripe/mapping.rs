//! Maps Stripe's sessions, payments, refunds and disputes to the shop's types.

use crate::domain::money::Pence;
use crate::domain::payment::dispute::{DisputeEvent, DisputeMove, DisputeNews};
use crate::domain::payment::{
    Currency, Decline, DeclineClass, Failure, FailureClass, Payment, References,
};
use crate::integrations::payments::stripe::charge::{ChargeIntent, decline_class};
use crate::integrations::payments::stripe::client::NAME;
use crate::integrations::payments::stripe::dispute::{BalanceTransaction, StripeDispute};
use crate::integrations::payments::stripe::error::{StripeError, StripeRefusal};
use crate::integrations::payments::stripe::event::{StripeEvent, WebhookEvent};
use crate::integrations::payments::stripe::intent::{Intent, IntentStatus};
use crate::integrations::payments::stripe::refund::{StripeRefund, StripeRefundStatus};
use crate::integrations::payments::stripe::session::{
    CheckoutSession, SessionStatus, StripePaymentStatus,
};
use crate::integrations::payments::{
    CallbackEvent, GatewayError, GatewayRefundStatus, GatewayStatus, PaymentReport, RefundByHand,
    RefundReport,
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
        own.is_some_and(|own| *own != session.id)
            && session.payment_status != StripePaymentStatus::Paid
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
        WebhookEvent::Card(method) => CallbackEvent::Card(Box::new(method.card())),
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
        WebhookEvent::Dispute {
            dispute,
            moves_money,
        } => {
            let news = dispute_news(&dispute, moves_money, attempt);
            let is_foreign = |one: &&BalanceTransaction| Currency::parse(&one.currency).is_none();
            let foreign = dispute.movements().iter().filter(is_foreign);
            let mut unread: Vec<String> = foreign.map(|one| one.id.clone()).collect();
            if news.event == DisputeEvent::Unknown {
                unread.push(id);
            }
            CallbackEvent::Dispute { news, unread, kind }
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
        (_, StripePaymentStatus::Paid) => paid(session.received(), currency)?,
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

/// Maps the charge of a stored card to a report of its attempt.
///
/// # Errors
/// Returns [`GatewayError::Unclear`] for a payment without an amount, or an unknown status.
pub(super) fn charge_report(charge: &ChargeIntent) -> Result<PaymentReport, GatewayError> {
    let intent = &charge.intent;
    let references = References::from([(INTENT.to_owned(), intent.id.clone())]);
    let (status, decline) = match intent.status {
        IntentStatus::Succeeded => (paid(Some(intent.amount_received), &intent.currency)?, None),
        IntentStatus::Processing => (GatewayStatus::Processing, None),
        IntentStatus::RequiresPaymentMethod
        | IntentStatus::RequiresAction
        | IntentStatus::Canceled => (declined(true), Some(charge.decline())),
        IntentStatus::Other => {
            let why = "Stripe's status of the charge isn't known".to_owned();
            return Err(GatewayError::Unclear(why));
        }
    };
    Ok(PaymentReport {
        references,
        decline,
        ..status.into()
    })
}

/// Returns the report of a charge that Stripe refused before it made a payment.
///
/// # Errors
/// [`GatewayError::Refused`] if Stripe refuses neither the card nor its charge. The shop then calls again.
pub(super) fn refused_charge(refusal: StripeRefusal) -> Result<PaymentReport, GatewayError> {
    let is_about_card = matches!(
        refusal.param.as_deref(),
        Some("payment_method" | "customer")
    );
    match refusal.kind.as_str() {
        "card_error" => {
            let class = decline_class(None, refusal.code.as_deref());
            Ok(declined_charge(class, refusal.code))
        }
        _ if is_about_card => Ok(missing_card(refusal.code)),
        _ => Err(StripeError::Refused(refusal).into()),
    }
}

/// Returns the report of a charge of a card that Stripe does not have any more.
pub(super) fn missing_card(code: Option<String>) -> PaymentReport {
    declined_charge(DeclineClass::Customer, code)
}

fn declined_charge(class: DeclineClass, code: Option<String>) -> PaymentReport {
    PaymentReport {
        decline: Some(Decline { class, code }),
        ..declined(true).into()
    }
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

/// Maps a dispute of `attempt` with its movements of money. The status words are those of Stripe's API of
/// October 2026. In another currency, the whole attempt counts as disputed.
fn dispute_news(dispute: &StripeDispute, moves_money: bool, attempt: &Payment) -> DisputeNews {
    let event = match dispute.status.as_str() {
        "lost" => DisputeEvent::Lost,
        // Includes an inquiry that closed without a dispute.
        "won" | "warning_closed" => DisputeEvent::Won,
        "prevented" => DisputeEvent::Prevented,
        "warning_needs_response" | "warning_under_review" => DisputeEvent::Inquired,
        "needs_response" | "under_review" => DisputeEvent::Opened,
        _ => DisputeEvent::Unknown,
    };
    if moves_money && dispute.movements().is_empty() {
        tracing::error!(
            dispute = dispute.id,
            "Stripe tells of a dispute's money and names no movement of it: nothing is booked"
        );
    }
    let is_ours = |one: &&BalanceTransaction| Currency::parse(&one.currency).is_some();
    let moves = dispute.movements().iter().filter(is_ours);
    let currency = Currency::parse(&dispute.currency);
    if currency.is_none() {
        let (payment, dispute) = (attempt.id, &dispute.id);
        tracing::error!(%payment, dispute, "a dispute has a currency that the shop doesn't take");
    }
    DisputeNews {
        provider: NAME.to_owned(),
        reference: dispute.id.clone(),
        payment: attempt.id,
        amount: currency.map_or(attempt.amount, |_| dispute.amount()),
        reason: Some(dispute.reason.clone()).filter(|reason| !reason.is_empty()),
        reply_by: dispute.due_by(),
        event,
        moves: moves
            .map(|one| DisputeMove {
                reference: one.id.clone(),
                amount: Pence(-one.amount),
            })
            .collect(),
        is_from_report: false,
    }
}
