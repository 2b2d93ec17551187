//! Charges of stored cards by the REST API.

use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};

use super::card::{CUSTOMER, MASTERCARD};
use super::client::{FuseCall, SmartpayFuseClient, checked_id};
use super::error::FuseError;
use super::mapping::{failed, reference};
use super::transaction::{FuseTransaction, decimal, parse_decimal};
use crate::domain::payment::{CardOnFile, Currency, Decline, DeclineClass, FailureClass, Purpose};
use crate::integrations::payments::http_call::sanitise;
use crate::integrations::payments::{ChargeRequest, GatewayError, GatewayStatus, PaymentReport};

/// Longest token, in characters.
const MAX_TOKEN: usize = 36;
const DECLINED: &str = "The card was declined by the bank.";

/// The answer to a charge.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FuseCharge {
    id: String,
    pub status: String,
    #[serde(default)]
    error_information: Option<ErrorInformation>,
    #[serde(default)]
    processor_information: Option<ChargeProcessor>,
    #[serde(default)]
    order_information: Option<ChargedOrder>,
}

#[derive(Clone, Debug, Deserialize)]
struct ErrorInformation {
    reason: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChargeProcessor {
    #[serde(default)]
    merchant_advice: Option<MerchantAdvice>,
}

#[derive(Clone, Debug, Deserialize)]
struct MerchantAdvice {
    code: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChargedOrder {
    amount_details: Option<ChargedAmount>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChargedAmount {
    authorized_amount: Option<String>,
    currency: Option<String>,
}

impl SmartpayFuseClient {
    /// Charges a stored card. Repeats the call only if Fuse was not reached. Fuse does not recognise a second
    /// call for an attempt, so the caller searches first.
    ///
    /// # Errors
    /// [`FuseError::Refused`] if Fuse refuses the call. Other errors if the answer isn't clear.
    pub async fn charge_card(&self, charge: &ChargeRequest<'_>) -> Result<FuseCharge, FuseError> {
        self.write("/pts/v2/payments", &charge_body(charge)).await
    }

    /// Removes a stored card. A card that Fuse does not have counts as removed.
    ///
    /// # Errors
    /// If Fuse's answer isn't clear.
    pub async fn remove_card(&self, card: &CardOnFile) -> Result<(), FuseError> {
        let customer = card.tokens.0.get(CUSTOMER).map_or("", String::as_str);
        let call = FuseCall {
            method: Method::DELETE,
            path: &format!("/tms/v2/customers/{}", checked_id(customer, MAX_TOKEN)?),
            body: None,
            is_read: true,
        };
        match self.call::<Value>(&call).await {
            Ok(_) | Err(FuseError::Missing(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

fn charge_body(charge: &ChargeRequest<'_>) -> Value {
    let ChargeRequest { attempt, .. } = charge;
    let card = &charge.instrument.card;
    let is_mastercard = card.brand.as_deref() == Some(MASTERCARD);
    // The reasons are Cybersource's: 1 another try, 7 recurring, 8 recurring with another amount at
    // Mastercard, 9 instalment, 10 unscheduled. The price of a renewal changes each year.
    let (indicator, reason) = match attempt.purpose {
        Purpose::Renewal if is_mastercard => ("recurring", "8"),
        Purpose::Renewal => ("recurring", "7"),
        Purpose::Instalments(_) => ("install", "9"),
        Purpose::Sale | Purpose::Change(_) => ("internet", "10"),
    };
    let reason = if charge.is_resubmission { "1" } else { reason };
    let by_merchant = match &card.scheme_reference {
        Some(first) => json!({ "reason": reason, "previousTransactionId": first }),
        None => json!({ "reason": reason }),
    };
    json!({
        "clientReferenceInformation": { "code": attempt.id },
        "processingInformation": {
            "capture": true,
            "commerceIndicator": indicator,
            "authorizationOptions": { "initiator": {
                "type": "merchant",
                "storedCredentialUsed": true,
                "merchantInitiatedTransaction": by_merchant,
            } },
        },
        "paymentInformation": { "customer": { "id": card.tokens.0.get(CUSTOMER) } },
        "orderInformation": { "amountDetails": {
            "totalAmount": decimal(attempt.amount),
            "currency": attempt.currency.code(),
        } },
    })
}

impl FuseCharge {
    fn reason(&self) -> Option<&str> {
        self.error_information.as_ref()?.reason.as_deref()
    }
}

/// Maps the answer to a charge to a report of its attempt.
///
/// # Errors
/// [`GatewayError::Unclear`] for a payment without an amount.
pub(super) fn charge_report(charge: &FuseCharge) -> Result<PaymentReport, GatewayError> {
    let order = charge.order_information.as_ref();
    let amount = order.and_then(|order| order.amount_details.as_ref());
    let taken = amount.and_then(|amount| parse_decimal(amount.authorized_amount.as_deref()?));
    let status = match (charge.status.as_str(), taken) {
        ("AUTHORIZED", Some(taken)) => GatewayStatus::Paid {
            amount: taken,
            currency: amount.and_then(|amount| Currency::parse(amount.currency.as_deref()?)),
        },
        ("AUTHORIZED", None) => {
            let why = "Smartpay Fuse doesn't say how much was paid";
            return Err(GatewayError::Unclear(why.to_owned()));
        }
        ("DECLINED", _) => {
            let code = charge.reason();
            let processor = charge.processor_information.as_ref();
            let advice = processor.and_then(|info| info.merchant_advice.as_ref()?.code.as_deref());
            return Ok(declined(decline_class(advice, code), code));
        }
        // The bank has not declined the card: Fuse refused the charge by its own rules.
        ("AUTHORIZED_RISK_DECLINED" | "INVALID_REQUEST", _) => {
            return Ok(declined(DeclineClass::Unknown, charge.reason()));
        }
        ("PENDING_AUTHENTICATION", _) => {
            return Ok(declined(DeclineClass::Customer, Some(&charge.status)));
        }
        // A person must decide about a review, a part of the amount and an unknown status.
        (status, _) => {
            let status = sanitise(status);
            tracing::error!(%status, "Smartpay Fuse has not decided a charge: please look at it there");
            GatewayStatus::Processing
        }
    };
    let is_paid = matches!(status, GatewayStatus::Paid { .. });
    let id = Some(&charge.id).filter(|id| is_paid && !id.is_empty());
    Ok(PaymentReport {
        references: id.map(|id| reference(id)).unwrap_or_default(),
        ..status.into()
    })
}

/// Returns the report of a declined charge.
pub(super) fn declined(class: DeclineClass, code: Option<&str>) -> PaymentReport {
    let code = code.map(sanitise);
    PaymentReport {
        decline: Some(Decline { class, code }),
        ..failed(FailureClass::Declined, DECLINED).into()
    }
}

/// Returns the report of a declined charge that a search found. Its rows have no advice.
pub(super) fn found_decline(rows: &[FuseTransaction]) -> PaymentReport {
    let flag = rows.iter().find_map(|row| row.flag("ics_auth"));
    let class = match flag {
        // Fuse refused a charge that the bank had authorised.
        Some("DAVSNO" | "DCV" | "DSCORE") => DeclineClass::Unknown,
        _ => DeclineClass::Never,
    };
    declined(class, flag)
}

/// Returns the class of a decline. The bank's advice outranks the reason. The makers advise no other try
/// without advice, so an unknown reason is final (Barclays' guide to merchant advice codes, 01 to 05).
fn decline_class(advice: Option<&str>, reason: Option<&str>) -> DeclineClass {
    match (advice, reason) {
        (Some("01" | "1"), _) => DeclineClass::Customer,
        (Some("02" | "2"), _) => DeclineClass::Retryable,
        (Some("03" | "3" | "05" | "5"), _) => DeclineClass::Never,
        (_, Some("CONSUMER_AUTHENTICATION_REQUIRED" | "CONSUMER_AUTHENTICATION_FAILED")) => {
            DeclineClass::Customer
        }
        (
            _,
            Some(
                "INSUFFICIENT_FUND"
                | "EXCEEDS_CREDIT_LIMIT"
                | "ISSUER_UNAVAILABLE"
                | "PROCESSOR_UNAVAILABLE",
            ),
        ) => DeclineClass::Retryable,
        _ => DeclineClass::Never,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decline_is_final_without_advice_or_a_known_reason() {
        use DeclineClass::{Customer, Never, Retryable};
        for (advice, reason, class) in [
            (None, Some("STOLEN_LOST_CARD"), Never),
            (None, Some("EXPIRED_CARD"), Never),
            (None, Some("INSUFFICIENT_FUND"), Retryable),
            (None, Some("CONSUMER_AUTHENTICATION_REQUIRED"), Customer),
            (None, Some("A_NEW_REASON"), Never),
            (None, None, Never),
            (Some("02"), Some("A_NEW_REASON"), Retryable),
            (Some("03"), Some("INSUFFICIENT_FUND"), Never),
            (Some("01"), None, Customer),
        ] {
            assert_eq!(
                decline_class(advice, reason),
                class,
                "{advice:?} {reason:?}"
            );
        }
    }

    #[test]
    fn a_charge_is_paid_only_in_known_words() {
        let report = |status: &str, amount: &str| {
            let charge = serde_json::from_value(json!({
                "id": "1", "status": status,
                "orderInformation": { "amountDetails": {
                    "authorizedAmount": amount, "currency": "GBP",
                } },
            }));
            charge_report(&charge.unwrap())
        };
        let paid = report("AUTHORIZED", "49.99").unwrap();
        assert!(matches!(paid.status, GatewayStatus::Paid { amount, .. } if amount.0 == 4999));
        assert!(report("AUTHORIZED", "").is_err());
        for status in [
            "AUTHORIZED_PENDING_REVIEW",
            "PARTIAL_AUTHORIZED",
            "A_NEW_WORD",
        ] {
            let report = report(status, "49.99").unwrap();
            assert_eq!(report.status, GatewayStatus::Processing, "{status}");
        }
        use DeclineClass::{Customer, Never, Unknown};
        for (status, class) in [
            ("DECLINED", Never),
            ("AUTHORIZED_RISK_DECLINED", Unknown),
            ("INVALID_REQUEST", Unknown),
            ("PENDING_AUTHENTICATION", Customer),
        ] {
            let ended = report(status, "").unwrap();
            assert!(
                matches!(ended.status, GatewayStatus::Failed { failure, .. } if failure.is_final)
            );
            assert_eq!(ended.decline.unwrap().class, class, "{status}");
        }
    }
}
