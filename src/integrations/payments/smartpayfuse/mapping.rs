//! Maps the page's answers, and rows of a search, to the shop's types.

use chrono::{DateTime, NaiveDateTime, Utc};

use super::answer::PageAnswer;
use super::card::answered_card;
use super::client::FuseRefund;
use super::form::transaction_uuid;
use super::transaction::{FuseTransaction, parse_decimal};
use crate::domain::payment::{Currency, Failure, FailureClass, Payment, References, UnreadMessage};
use crate::integrations::payments::{
    CallbackEvent, GatewayError, GatewayRefundStatus, GatewayStatus, PaymentReport, RefundReport,
};

/// Name of an attempt's reference: Fuse's id of the payment.
pub(super) const TRANSACTION: &str = "transaction";
/// The flag of a step that succeeded.
const OK: &str = "SOK";

/// Maps a verified answer to a callback's content.
pub(super) fn map_answer(answer: &PageAnswer, attempt: &Payment) -> CallbackEvent {
    let id = answer.get("transaction_id").unwrap_or_default();
    let decision = answer.get("decision").unwrap_or_default();
    let unread = |kind: String| CallbackEvent::Unread {
        reference: id.to_owned(),
        kind,
    };
    if answer.get("req_transaction_uuid") != Some(&transaction_uuid(attempt)) {
        return unread(format!("{decision} of another form"));
    }
    let code = answer.get("reason_code").unwrap_or_default();
    let first = attempt.references.get(TRANSACTION);
    let status = match (decision, code) {
        // Two uses of one form more than 15 minutes apart are two payments. A person must refund the second
        // payment.
        ("ACCEPT", "100") if first.is_some_and(|first| first != id) => {
            return unread(UnreadMessage::SECOND_PAYMENT.to_owned());
        }
        ("ACCEPT", "100") => {
            let taken = answer.get("auth_amount").or(answer.get("req_amount"));
            let Some(amount) = taken.and_then(parse_decimal) else {
                return unread("ACCEPT without an amount".to_owned());
            };
            let currency = answer.get("req_currency").and_then(Currency::parse);
            GatewayStatus::Paid { amount, currency }
        }
        // The profile's retry limit is 0, so a decline ends the page.
        ("DECLINE", _) => declined(code),
        ("CANCEL", _) => failed(
            FailureClass::Abandoned,
            "The payment was cancelled before a card was charged.",
        ),
        // After a time-out or a second use of the form, the attempt may have been paid. The shop queries the
        // status.
        ("ERROR", _) => GatewayStatus::Open,
        // A person must decide about a REVIEW, an approval of a part of the amount (110) and an unknown
        // decision.
        _ => {
            tracing::error!(
                payment = %attempt.id, decision, code,
                "Smartpay Fuse has not decided this payment: please look at it there"
            );
            GatewayStatus::Processing
        }
    };
    let card = answered_card(answer).filter(|_| matches!(status, GatewayStatus::Paid { .. }));
    // The shop refunds only the successful payment, so it stores only the id of that payment.
    let references = match status {
        GatewayStatus::Paid { .. } if !id.is_empty() => reference(id),
        _ => References::new(),
    };
    CallbackEvent::Attempt(PaymentReport {
        status,
        references,
        paid_at: answer.get("auth_time").and_then(parse_time),
        more_payments: Vec::new(),
        decline: None,
        card: card.map(Box::new),
    })
}

pub(super) fn reference(id: &str) -> References {
    References::from([(TRANSACTION.to_owned(), id.to_owned())])
}

/// Reads a time of an answer: `2026-11-23T120102Z`.
fn parse_time(text: &str) -> Option<DateTime<Utc>> {
    let time = NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H%M%SZ");
    time.ok().map(|time| time.and_utc())
}

/// Returns the failure of a declined payment. `reason` is the code of the page's answer, or the flag of a
/// search's row. A flag is less exact than a code.
fn declined(reason: &str) -> GatewayStatus {
    let message = match reason {
        // Fuse refused our fields, and asked no bank.
        "102" | "DINVALIDDATA" | "DMISSINGFIELD" => {
            tracing::error!("Smartpay Fuse refused the details of a payer");
            return failed(
                FailureClass::Unknown,
                "The payment page refused your details. Please check your name and address.",
            );
        }
        // Fuse or the account is set up wrongly, or the bank or its processor is away.
        "101" | "150" | "207" | "234" | "236" => {
            return failed(
                FailureClass::Unknown,
                "The payment could not be made. Please try again later, or pay in another way.",
            );
        }
        // The bank approved the payment, and Fuse refused it by the account's own rules.
        "200" | "DAVSNO" => "The card was declined: please check the address.",
        "481" | "520" | "DREJECT" | "DSCORE" => {
            "The payment page's checks declined the payment. Please try another card."
        }
        "202" | "DCARDEXPIRED" => "The card has expired.",
        "204" | "210" => "The card was declined: there are not enough funds.",
        "211" | "230" | "231" | "DCV" | "DINVALIDCARD" => {
            "The card was declined: please check its number and security code."
        }
        "475" | "476" | "DAUTHENTICATE" | "DAUTHENTICATIONFAILED" => {
            "The bank could not confirm that it was you."
        }
        "201" | "203" | "205" | "208" | "222" | "DCARDREFUSED" | "DCALL" => {
            "The card was declined by the bank."
        }
        _ => "The card was declined.",
    };
    failed(FailureClass::Declined, message)
}

/// Returns a final failure.
pub(super) fn failed(class: FailureClass, message: &str) -> GatewayStatus {
    GatewayStatus::Failed {
        failure: Failure {
            class,
            is_final: true,
        },
        message: message.to_owned(),
    }
}

/// Returns the rows of captured payments, the oldest first. `rows` are the newest first.
fn all_captured(rows: &[FuseTransaction]) -> impl Iterator<Item = &FuseTransaction> {
    let all = rows.iter().rev();
    all.filter(|row| row.flag("ics_bill") == Some(OK))
}

/// Returns the row of the captured payment that the shop has `stored`, or else of the first one. `rows` are
/// the newest first.
pub(super) fn captured<'a>(
    rows: &'a [FuseTransaction],
    stored: &References,
) -> Option<&'a FuseTransaction> {
    let stored = stored.get(TRANSACTION);
    let is_stored = |row: &&FuseTransaction| stored == Some(&row.id);
    let found = all_captured(rows).find(is_stored);
    found.or_else(|| all_captured(rows).next())
}

/// Maps the rows of an attempt. `paid` is the row of [`captured`], and `details` are its details. Returns
/// `None` if no row decides.
///
/// # Errors
/// [`GatewayError::Unclear`] for a payment without an amount.
pub(super) fn report(
    rows: &[FuseTransaction],
    paid: Option<&FuseTransaction>,
    details: Option<&FuseTransaction>,
) -> Result<Option<PaymentReport>, GatewayError> {
    if let Some(row) = paid {
        let more_payments = all_captured(rows).filter(|other| other.id != row.id);
        let more_payments = more_payments.map(|row| row.id.clone()).collect();
        if is_reversed(rows, details) {
            return Ok(Some(PaymentReport {
                more_payments,
                ..GatewayStatus::Reversed.into()
            }));
        }
        let amount = row.amount();
        let total = amount.and_then(|amount| parse_decimal(amount.total_amount.as_deref()?));
        let total = total.ok_or_else(|| {
            GatewayError::Unclear("Smartpay Fuse doesn't say how much was paid".to_owned())
        })?;
        let currency = amount.and_then(|amount| Currency::parse(amount.currency.as_deref()?));
        return Ok(Some(PaymentReport {
            status: GatewayStatus::Paid {
                amount: total,
                currency,
            },
            references: reference(&row.id),
            paid_at: row.submitted(),
            more_payments,
            decline: None,
            card: details.and_then(FuseTransaction::stored_card).map(Box::new),
        }));
    }
    // A row without an authorisation is an earlier step. A duplicate is a second use of a form.
    let flags = rows.iter().filter_map(|row| row.flag("ics_auth"));
    let mut flags = flags.filter(|flag| *flag != "DDUPLICATE").peekable();
    let Some(&newest) = flags.peek() else {
        return Ok(None);
    };
    let status = if flags.all(|flag| flag.starts_with('D') && flag != "DREVIEW") {
        declined(newest)
    } else {
        // The payment is authorised and not captured, or under review, or the bank timed out.
        GatewayStatus::Processing
    };
    Ok(Some(status.into()))
}

/// Returns whether a captured payment was voided before its batch was sent, or reversed.
fn is_reversed(rows: &[FuseTransaction], details: Option<&FuseTransaction>) -> bool {
    let status = details.and_then(FuseTransaction::status);
    let is_undo = |row: &FuseTransaction| {
        ["ics_void", "ics_auth_reversal"]
            .iter()
            .any(|step| row.flag(step) == Some(OK))
    };
    // If the attempt has several captured payments, a reversal's row does not show which payment was
    // reversed.
    let is_only = all_captured(rows).count() == 1;
    matches!(status, Some("VOIDED" | "REVERSED")) || is_only && rows.iter().any(is_undo)
}

/// Maps the answer to a new refund.
pub(super) fn new_refund_report(refund: &FuseRefund) -> RefundReport {
    RefundReport {
        status: refund_status(&refund.status),
        reference: Some(refund.id.clone()),
    }
}

/// Returns the row of a refund that Fuse accepted, with the flag of its refund step. If Fuse accepted
/// none, returns the newest row. Returns `None` if no row has a refund step.
pub(super) fn refund_row(rows: &[FuseTransaction]) -> Option<(&FuseTransaction, &str)> {
    let flagged = || {
        rows.iter()
            .filter_map(|row| Some((row, row.flag("ics_credit")?)))
    };
    flagged()
        .find(|(_, flag)| *flag == OK)
        .or_else(|| flagged().next())
}

/// Maps a refund that Fuse accepted. `details` are `None` while Fuse does not return them.
pub(super) fn refund_report(id: &str, details: Option<&FuseTransaction>) -> RefundReport {
    let status = details.and_then(FuseTransaction::status);
    RefundReport {
        status: status.map_or(GatewayRefundStatus::Pending, refund_status),
        reference: Some(id.to_owned()),
    }
}

fn refund_status(status: &str) -> GatewayRefundStatus {
    match status {
        "TRANSMITTED" => GatewayRefundStatus::Done,
        "VOIDED" | "CANCELLED" | "FAILED" | "DECLINED" | "INVALID_REQUEST" => {
            refused(format!("Smartpay Fuse says {status}"))
        }
        _ => GatewayRefundStatus::Pending,
    }
}

pub(super) const fn refused(message: String) -> GatewayRefundStatus {
    GatewayRefundStatus::Refused { message }
}
