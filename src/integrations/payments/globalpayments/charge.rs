//! Stored cards: their data after a sale, and their charges by transactions of the shop.

use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};

use super::client::{GlobalPaymentsClient, GpCall, in_path};
use super::error::GpError;
use super::link::{MAX_TEXT, remove_nulls};
use super::mapping::{deciding_report, report};
use super::transaction::{GpStatus, GpTransaction, METHOD};
use crate::domain::payment::payer::to_ascii;
use crate::domain::payment::{
    CardExpiry, CardOnFile, Decline, DeclineClass, Failure, FailureClass, Payment, Purpose,
};
use crate::integrations::payments::http_call::sanitise;
use crate::integrations::payments::{ChargeRequest, GatewayError, GatewayStatus, PaymentReport};

/// The century of a card's year, which has two digits.
const CENTURY: i32 = 2000;

#[derive(Debug, Deserialize)]
struct StoredMethod {
    #[serde(default)]
    card: Option<StoredCard>,
}

#[derive(Debug, Deserialize)]
struct StoredCard {
    #[serde(default)]
    expiry_month: Option<String>,
    #[serde(default)]
    expiry_year: Option<String>,
}

impl GlobalPaymentsClient {
    /// Returns the card that the provider keeps after a paid transaction, or `None` if it keeps none.
    ///
    /// # Errors
    /// If the answer isn't clear.
    pub async fn stored_card(&self, transaction: &str) -> Result<Option<CardOnFile>, GpError> {
        let Some(mut card) = self.transaction(transaction).await?.stored_card() else {
            return Ok(None);
        };
        let token = card.tokens.0.get(METHOD).map_or("", String::as_str);
        let path = format!("/payment-methods/{}", in_path(token)?);
        let stored: StoredMethod = self.get(&path).await?;
        card.expiry = stored.card.and_then(|card| card.expiry());
        Ok(Some(card))
    }

    /// Removes a stored card. A card that the provider does not have counts as removed.
    ///
    /// # Errors
    /// If the answer isn't clear.
    pub async fn remove_card(&self, card: &CardOnFile) -> Result<(), GpError> {
        let token = card.tokens.0.get(METHOD).map_or("", String::as_str);
        let call = GpCall {
            method: Method::DELETE,
            path: &format!("/payment-methods/{}", in_path(token)?),
            body: None,
            idempotency_key: None,
        };
        match self.call::<Value>(&call).await {
            Ok(_) | Err(GpError::Missing(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Charges a stored card. Within 24 hours, a repeated call charges once, because the idempotency key is
    /// the attempt's id.
    ///
    /// # Errors
    /// If the provider refuses the charge, or its answer isn't clear.
    pub async fn charge_card(&self, charge: &ChargeRequest<'_>) -> Result<GpTransaction, GpError> {
        let body = self.charge_body(charge);
        match self.post("/transactions", &body, charge.attempt.id).await {
            Err(GpError::Duplicate { id: Some(id) }) => {
                // The charge exists, so a failed read must not count as a call that did nothing.
                let made = self.transaction(&id).await;
                made.map_err(|error| GpError::Unknown(error.to_string()))
            }
            answer => answer,
        }
    }

    fn charge_body(&self, charge: &ChargeRequest<'_>) -> Value {
        let ChargeRequest { attempt, .. } = charge;
        let card = &charge.instrument.card;
        let credential = json!({
            "model": match attempt.purpose {
                Purpose::Renewal => "RECURRING",
                Purpose::Instalments(_) => "INSTALLMENT",
                Purpose::Sale | Purpose::Change(_) => "UNSCHEDULED",
            },
            "sequence": "SUBSEQUENT",
            "reason": charge.is_resubmission.then_some("RESUBMISSION"),
        });
        let method = json!({
            "id": card.tokens.0.get(METHOD),
            "entry_mode": "ECOM",
            "card": { "brand_reference": card.scheme_reference },
        });
        let app = self.app();
        let mut body = json!({
            "account_name": app.account,
            "type": "SALE",
            "channel": "CNP",
            "capture_mode": "AUTO",
            "amount": attempt.amount.0.to_string(),
            "currency": attempt.currency.code(),
            "country": app.country,
            "reference": attempt.id,
            "description": to_ascii(charge.description, MAX_TEXT),
            "initiator": "MERCHANT",
            "stored_credential": credential,
            "payment_method": method,
        });
        remove_nulls(&mut body);
        body
    }
}

impl StoredCard {
    fn expiry(&self) -> Option<CardExpiry> {
        let number = |text: &Option<String>| text.as_ref()?.parse::<u32>().ok();
        let month = number(&self.expiry_month).filter(|month| (1..=12).contains(month))?;
        let year = number(&self.expiry_year).filter(|year| *year < 100)?;
        let year = CENTURY + i32::try_from(year).ok()?;
        Some(CardExpiry { month, year })
    }
}

/// Maps the transactions of a charge to a report of its attempt. Returns `None` without transactions.
///
/// # Errors
/// As [`deciding_report`].
pub(super) fn charge_report(
    transactions: &[GpTransaction],
    attempt: &Payment,
) -> Result<Option<PaymentReport>, GatewayError> {
    let decided = deciding_report(transactions, &attempt.references)?;
    let last = transactions.last();
    Ok(decided
        .zip(last)
        .map(|(report, last)| end_charge(report, last)))
}

/// Maps one transaction of a charge to a report of its attempt.
///
/// # Errors
/// As [`report`].
pub(super) fn transaction_report(
    transaction: &GpTransaction,
    attempt: &Payment,
) -> Result<PaymentReport, GatewayError> {
    let charged = report(transaction, &attempt.references)?;
    Ok(end_charge(charged, transaction))
}

/// Makes the failure of a charge final, because nobody enters another card. Adds why the charge was
/// declined.
fn end_charge(charged: PaymentReport, transaction: &GpTransaction) -> PaymentReport {
    let GatewayStatus::Failed { failure, message } = charged.status else {
        return charged;
    };
    let code = transaction.result().map(sanitise);
    let class = match transaction.status {
        GpStatus::Declined | GpStatus::Rejected | GpStatus::Failed => {
            decline_class(code.as_deref())
        }
        _ => DeclineClass::Unknown,
    };
    let failure = Failure {
        is_final: true,
        ..failure
    };
    PaymentReport {
        status: GatewayStatus::Failed { failure, message },
        decline: Some(Decline { class, code }),
        ..charged
    }
}

/// Returns the report of a charge of a card that the provider does not have any more.
pub(super) fn missing_card(code: String) -> PaymentReport {
    let failure = Failure {
        class: FailureClass::Declined,
        is_final: true,
    };
    let message = "The stored card could not be charged.".to_owned();
    PaymentReport {
        decline: Some(Decline {
            class: DeclineClass::Customer,
            code: Some(code),
        }),
        ..GatewayStatus::Failed { failure, message }.into()
    }
}

/// Returns the class of a bank's result. An unknown result may be tried later (the provider's test cards,
/// June 2026).
fn decline_class(code: Option<&str>) -> DeclineClass {
    match code {
        None => DeclineClass::Unknown,
        // The card is lost or stolen.
        Some("103") => DeclineClass::Never,
        // The bank asks for authentication.
        Some("111") => DeclineClass::Customer,
        Some(_) => DeclineClass::Retryable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_of_the_bank_has_a_class() {
        use DeclineClass::{Customer, Never, Retryable, Unknown};
        for (code, class) in [
            (Some("103"), Never),
            (Some("111"), Customer),
            (Some("101"), Retryable),
            (Some("999"), Retryable),
            (None, Unknown),
        ] {
            assert_eq!(decline_class(code), class, "{code:?}");
        }
    }

    #[test]
    fn a_year_of_two_digits_is_of_this_century() {
        let expiry = |month: &str, year: &str| {
            let text = |text: &str| Some(text.to_owned());
            let card = StoredCard {
                expiry_month: text(month),
                expiry_year: text(year),
            };
            card.expiry().map(|expiry| (expiry.month, expiry.year))
        };
        assert_eq!(expiry("05", "34"), Some((5, 2034)));
        for (month, year) in [("13", "34"), ("0", "34"), ("5", "2034"), ("", "")] {
            assert_eq!(expiry(month, year), None, "{month} {year}");
        }
    }
}
