//! Maps the provider's transactions and links to the shop's types.

use chrono::{DateTime, TimeDelta, Utc};

use super::link::{GpLink, GpLinkStatus, LINK_LIFETIME};
use super::transaction::{GpStatus, GpTransaction};
use crate::domain::money::Pence;
use crate::domain::payment::{Currency, Failure, FailureClass, Payment, References};
use crate::integrations::payments::{
    GatewayError, GatewayRefundStatus, GatewayStatus, PaymentReport, RefundReport,
};

/// Names of an attempt's references: `LNK_...`, and the `TRN_...` of the payment that succeeded.
pub(super) const LINK: &str = "link";
pub(super) const TRANSACTION: &str = "transaction";
/// Name of the reference to a payment that was reversed before the shop recorded its success.
const REVERSED: &str = "reversed";
/// Time after a link's end in which the link may still be paid.
///
/// Assumption: a customer who is on the page when the link ends can still pay. So the shop gives up an
/// unpaid attempt only [`LINK_LIFETIME`] and this time after the attempt's start.
const PAGE_MARGIN: TimeDelta = TimeDelta::hours(2);

/// Returns whether no page of the attempt can be paid any more.
pub(super) fn is_over(attempt: &Payment, now: DateTime<Utc>) -> bool {
    now - attempt.created >= LINK_LIFETIME + PAGE_MARGIN
}

/// Maps a payment to a report of its attempt. `references` are the attempt's.
///
/// # Errors
/// [`GatewayError::Unclear`] for an unknown or contradictory status, a payment without an amount, and a
/// second payment.
pub(super) fn report(
    transaction: &GpTransaction,
    references: &References,
) -> Result<PaymentReport, GatewayError> {
    let unclear = |why: &str| Err(GatewayError::Unclear(why.to_owned()));
    let is_known = |name: &str| references.get(name) == Some(&transaction.id);
    let status = match transaction.status {
        // This is an old state of a payment that was reversed later.
        _ if transaction.is_captured() && is_known(REVERSED) => taken_back(),
        GpStatus::Captured | GpStatus::Batched | GpStatus::Funded => {
            if is_second_payment(transaction, references) {
                return unclear("the attempt has a second payment, which a person must refund");
            }
            if transaction.is_contradicted() {
                return unclear("a captured payment has a result of another kind");
            }
            let Some(amount) = transaction.pence() else {
                return unclear("Global Payments doesn't say how much was paid");
            };
            GatewayStatus::Paid {
                amount: Pence(amount),
                currency: Currency::parse(transaction.currency.as_deref().unwrap_or_default()),
            }
        }
        // Assumption: a PREAUTHORIZED transaction is not paid. The capture mode AUTO or a person captures the
        // amount later.
        GpStatus::Pending | GpStatus::Authenticated | GpStatus::Preauthorized => {
            GatewayStatus::Processing
        }
        GpStatus::Initiated => GatewayStatus::Open,
        // Assumption: the customer can try another card on the same page, so a decline is not final.
        GpStatus::Declined => failed(
            FailureClass::Declined,
            "The card was declined by the bank.",
            false,
        ),
        GpStatus::Rejected => failed(FailureClass::Declined, "The card was declined.", false),
        GpStatus::Failed => failed(
            FailureClass::Unknown,
            "The payment could not be made. Please try again, or pay in another way.",
            false,
        ),
        GpStatus::Cancelled => failed(
            FailureClass::Abandoned,
            "The payment was cancelled before a card was charged.",
            false,
        ),
        GpStatus::Reversed if is_known(TRANSACTION) => GatewayStatus::Reversed,
        GpStatus::Reversed => taken_back(),
        GpStatus::Other => return unclear("the payment has a status that isn't known"),
    };
    let is_paid = matches!(status, GatewayStatus::Paid { .. });
    // The shop refunds only the successful payment. It also stores the id of a reversed payment. So an old
    // message about the success of that payment sells nothing.
    let name = match transaction.status {
        _ if is_paid => Some(TRANSACTION),
        GpStatus::Reversed if !is_known(TRANSACTION) => Some(REVERSED),
        _ => None,
    };
    let reference = name.map(|name| (name.to_owned(), transaction.id.clone()));
    Ok(PaymentReport {
        status,
        references: reference.into_iter().collect(),
        paid_at: transaction.time().filter(|_| is_paid),
        more_payments: Vec::new(),
        decline: None,
        card: transaction.stored_card().filter(|_| is_paid).map(Box::new),
    })
}

/// Returns whether a transaction took money, and the attempt was paid by another transaction.
pub(super) fn is_second_payment(transaction: &GpTransaction, references: &References) -> bool {
    let first = references.get(TRANSACTION);
    transaction.is_captured() && first.is_some_and(|first| *first != transaction.id)
}

/// Returns the report of the payment that decides the status of an attempt, or `None` without payments.
/// The stored payment decides first. Without a stored payment, the order is: a paid, an unclear, a
/// processed or reversed, and any other payment. The last of equal payments decides.
///
/// # Errors
/// Returns the error of [`report`] if the payment that decides is unclear.
pub(super) fn deciding_report(
    payments: &[GpTransaction],
    references: &References,
) -> Result<Option<PaymentReport>, GatewayError> {
    let stored = references.get(TRANSACTION);
    let rank = |(one, report): &(&GpTransaction, Result<PaymentReport, GatewayError>)| match report
    {
        Ok(report) => match report.status {
            GatewayStatus::Paid { .. } | GatewayStatus::Reversed if stored == Some(&one.id) => 4,
            GatewayStatus::Paid { .. } => 3,
            GatewayStatus::Processing | GatewayStatus::Reversed => 1,
            _ => 0,
        },
        Err(_) => 2,
    };
    let reports = payments.iter().map(|one| (one, report(one, references)));
    let Some((first, decided)) = reports.max_by_key(rank) else {
        return Ok(None);
    };
    let mut decided = decided?;
    let is_more = |one: &&GpTransaction| one.is_captured() && one.id != first.id;
    if stored.is_some() || matches!(decided.status, GatewayStatus::Paid { .. }) {
        let more = payments.iter().filter(is_more);
        decided.more_payments = more.map(|one| one.id.clone()).collect();
    }
    Ok(Some(decided))
}

/// Returns the id of the attempt's successful payment, if the shop knows one.
pub(super) fn paid_transaction(attempt: &Payment) -> Option<&str> {
    attempt.references.get(TRANSACTION).map(String::as_str)
}

/// Maps the state of an attempt whose payments are neither paid, processed nor reversed. `declined` is
/// the report of the last payment.
///
/// # Errors
/// [`GatewayError::Unclear`] if the link may have a payment that no search finds yet.
pub(super) fn unpaid_report(
    link: Option<&GpLink>,
    declined: Option<PaymentReport>,
    is_over: bool,
) -> Result<PaymentReport, GatewayError> {
    if link.is_some_and(GpLink::may_have_money) {
        let why = "the link has a payment that isn't listed yet";
        return Err(GatewayError::Unclear(why.to_owned()));
    }
    let is_ended = is_over && link.is_none_or(|link| link.status != GpLinkStatus::Active);
    let status = match (declined.map(|report| report.status), link) {
        (Some(GatewayStatus::Failed { failure, message }), _) => {
            failed(failure.class, &message, is_ended)
        }
        (_, None) if is_ended => GatewayStatus::NotFound,
        (_, Some(_)) if is_ended => failed(
            FailureClass::Expired,
            "The payment page was closed before it was paid.",
            true,
        ),
        _ => GatewayStatus::Open,
    };
    Ok(PaymentReport {
        references: link.map(link_reference).unwrap_or_default(),
        ..status.into()
    })
}

pub(super) fn link_reference(link: &GpLink) -> References {
    References::from([(LINK.to_owned(), link.id.clone())])
}

/// Returns the failure of a payment for which the shop sold nothing. The customer may still pay with another
/// card.
fn taken_back() -> GatewayStatus {
    failed(
        FailureClass::Unknown,
        "The payment was taken back before it was complete.",
        false,
    )
}

fn failed(class: FailureClass, message: &str, is_final: bool) -> GatewayStatus {
    GatewayStatus::Failed {
        failure: Failure { class, is_final },
        message: message.to_owned(),
    }
}

/// Maps a refund.
///
/// # Errors
/// [`GatewayError::Unclear`] for an unknown status, for an amount other than `amount`, and for a
/// payment.
pub(super) fn refund_report(
    refund: &GpTransaction,
    amount: Pence,
) -> Result<RefundReport, GatewayError> {
    let unclear = |why: &str| Err(GatewayError::Unclear(why.to_owned()));
    if refund.amount.is_some() && refund.pence() != Some(amount.0) {
        return unclear("the refund has another amount");
    }
    if refund.r#type.is_some() && refund.is_sale() {
        return unclear("the refund's answer names a payment");
    }
    let status = match refund.status {
        GpStatus::Captured | GpStatus::Batched | GpStatus::Funded => GatewayRefundStatus::Done,
        GpStatus::Initiated
        | GpStatus::Pending
        | GpStatus::Authenticated
        | GpStatus::Preauthorized => GatewayRefundStatus::Pending,
        GpStatus::Declined
        | GpStatus::Rejected
        | GpStatus::Failed
        | GpStatus::Cancelled
        | GpStatus::Reversed => GatewayRefundStatus::Refused {
            message: "Global Payments or the bank refused the refund".to_owned(),
        },
        GpStatus::Other => return unclear("the refund has a status that isn't known"),
    };
    Ok(RefundReport {
        status,
        reference: Some(refund.id.clone()),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn transaction(status: &str, more: &Value) -> GpTransaction {
        let mut row = json!({
            "id": "TRN_1", "status": status, "type": "SALE", "amount": "4999", "currency": "GBP",
            "payment_method": { "result": "00" }, "action": { "result_code": "SUCCESS" },
        });
        let (members, more) = (row.as_object_mut().unwrap(), more.as_object().unwrap());
        members.extend(more.clone());
        serde_json::from_value(row).unwrap()
    }

    fn status(word: &str, more: &Value) -> Result<GatewayStatus, String> {
        let report = report(&transaction(word, more), &References::new());
        report
            .map(|report| report.status)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn only_captured_money_of_a_known_amount_is_paid() {
        let paid = Ok(GatewayStatus::Paid {
            amount: Pence(4999),
            currency: Some(Currency::Gbp),
        });
        for word in ["CAPTURED", "BATCHED", "FUNDED"] {
            assert_eq!(status(word, &json!({})), paid);
            assert_eq!(
                status(word, &json!({ "payment_method": null, "action": null })),
                paid
            );
        }
        for word in ["PENDING", "AUTHENTICATED", "PREAUTHORIZED"] {
            assert_eq!(status(word, &json!({})), Ok(GatewayStatus::Processing));
        }
        assert_eq!(status("INITIATED", &json!({})), Ok(GatewayStatus::Open));
        // The shop sold nothing for this payment.
        let reversed = status("REVERSED", &json!({})).unwrap();
        assert!(matches!(reversed, GatewayStatus::Failed { failure, .. } if !failure.is_final));
        let unclear = [
            ("CAPTURED", json!({ "payment_method": { "result": "01" } })),
            (
                "CAPTURED",
                json!({ "action": { "result_code": "DECLINED" } }),
            ),
            ("CAPTURED", json!({ "amount": null })),
            ("CAPTURED", json!({ "amount": "0" })),
            ("CAPTURED", json!({ "amount": "+4999" })),
            ("CAPTURED", json!({ "amount": "49.99" })),
            ("SOMETHING_NEW", json!({})),
        ];
        for (word, more) in unclear {
            assert!(status(word, &more).is_err(), "{word} {more}");
        }
        let euro = status("CAPTURED", &json!({ "currency": "EUR" })).unwrap();
        let GatewayStatus::Paid { currency, .. } = euro else {
            panic!("{euro:?}");
        };
        assert_eq!(currency, None);
    }

    #[test]
    fn of_several_cards_the_paid_one_decides() {
        let references = References::from([(TRANSACTION.to_owned(), "TRN_1".to_owned())]);
        let decide = |words: &[&str]| {
            let rows: Vec<_> = words
                .iter()
                .map(|word| transaction(word, &json!({})))
                .collect();
            deciding_report(&rows, &references)
        };
        let status = |words: &[&str]| decide(words).unwrap().unwrap().status;
        let paid = status(&["CAPTURED"]);
        assert_eq!(status(&["DECLINED", "CAPTURED", "DECLINED"]), paid);
        assert_eq!(status(&["REVERSED", "CAPTURED", "PENDING"]), paid);
        assert_eq!(status(&["DECLINED", "PENDING"]), GatewayStatus::Processing);
        assert_eq!(status(&["REVERSED", "DECLINED"]), GatewayStatus::Reversed);
        assert!(decide(&["PENDING", "SOMETHING_NEW"]).is_err());
        assert_eq!(decide(&[]), Ok(None));
    }

    #[test]
    fn nothing_is_final_before_the_last_page_of_the_attempt_has_ended() {
        let link = |status: &str, list: Value| -> GpLink {
            serde_json::from_value(json!({
                "id": "LNK_1", "status": status, "transactions": { "transaction_list": list },
            }))
            .unwrap()
        };
        let idle = || json!([{ "id": "TRN_1", "status": "INITIATED" }]);
        let report = |link: Option<&GpLink>, is_over| {
            unpaid_report(link, None, is_over).map(|report| report.status)
        };
        assert_eq!(report(None, false), Ok(GatewayStatus::Open));
        assert_eq!(report(None, true), Ok(GatewayStatus::NotFound));
        for (word, is_over) in [("ACTIVE", false), ("ACTIVE", true), ("INACTIVE", false)] {
            let open = report(Some(&link(word, idle())), is_over);
            assert_eq!(open, Ok(GatewayStatus::Open), "{word}");
        }
        let reversed = || json!([{ "status": "REVERSED" }]);
        for (word, list) in [
            ("INACTIVE", idle()),
            ("CLOSED", idle()),
            ("EXPIRED", idle()),
            ("PAID", reversed()),
        ] {
            let ended = report(Some(&link(word, list)), true).unwrap();
            assert!(matches!(ended, GatewayStatus::Failed { failure, .. } if failure.is_final));
        }
        for (word, list) in [
            ("PAID", idle()),
            (
                "PAID",
                json!([{ "status": "REVERSED" }, { "status": "CAPTURED" }]),
            ),
            ("SOMETHING_NEW", idle()),
            ("EXPIRED", json!([{ "status": "CAPTURED" }])),
            ("EXPIRED", json!([{ "status": "SOMETHING_NEW" }])),
        ] {
            assert!(report(Some(&link(word, list)), true).is_err(), "{word}");
        }
    }

    #[test]
    fn a_decline_is_final_where_its_page_has_ended() {
        let declined = || {
            Some(super::report(&transaction("DECLINED", &json!({})), &References::new()).unwrap())
        };
        for is_over in [false, true] {
            let report = unpaid_report(None, declined(), is_over).unwrap();
            let GatewayStatus::Failed { failure, .. } = report.status else {
                panic!("{report:?}");
            };
            let expected = Failure {
                class: FailureClass::Declined,
                is_final: is_over,
            };
            assert_eq!(failure, expected);
        }
    }

    #[test]
    fn a_refund_is_done_or_refused_by_its_own_words() {
        let refund = |word: &str, more: &Value| {
            let mut row = transaction(word, more);
            row.r#type = Some("REFUND".to_owned());
            refund_report(&row, Pence(4999)).map(|report| report.status)
        };
        let none = json!({});
        assert_eq!(refund("CAPTURED", &none), Ok(GatewayRefundStatus::Done));
        assert_eq!(refund("PENDING", &none), Ok(GatewayRefundStatus::Pending));
        let refused = refund("DECLINED", &none);
        assert!(matches!(refused, Ok(GatewayRefundStatus::Refused { .. })));
        assert!(refund("SOMETHING_NEW", &none).is_err());
        assert!(refund("CAPTURED", &json!({ "amount": "1" })).is_err());
        let sale = transaction("CAPTURED", &none);
        assert!(refund_report(&sale, Pence(4999)).is_err());
    }
}
