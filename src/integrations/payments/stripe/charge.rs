//! Stored cards: their data after a sale, and their charges by off-session payment intents.

use serde::Deserialize;
use serde_json::json;

use super::client::{StripeClient, in_path};
use super::error::StripeError;
use super::intent::{Intent, IntentStatus, OUR_PAYMENT};
use super::session::CURRENCY;
use crate::domain::payment::{
    CardExpiry, CardOnFile, Decline, DeclineClass, Instrument, Keys, Payment, Purpose,
};
use crate::integrations::payments::http_call::sanitise;

/// Names of a card's tokens: `cus_...` and `pm_...`.
pub(super) const CUSTOMER: &str = "customer";
const METHOD: &str = "payment_method";
/// Charges per page of a list. A customer of ours has one card, and few charges.
const PAGE: usize = 100;

/// A payment intent that charges a stored card.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct ChargeIntent {
    #[serde(flatten)]
    pub(super) intent: Intent,
    #[serde(default)]
    last_payment_error: Option<PaymentError>,
}

/// Why a bank declined a charge.
#[derive(Clone, Debug, Deserialize)]
struct PaymentError {
    #[serde(default)]
    code: Option<String>,
    #[serde(default)]
    decline_code: Option<String>,
    #[serde(default)]
    advice_code: Option<String>,
}

#[derive(Debug, Deserialize)]
struct ChargeList {
    data: Vec<ChargeIntent>,
    has_more: bool,
}

/// A paid intent with its card.
#[derive(Debug, Deserialize)]
struct CardIntent {
    #[serde(default)]
    customer: Option<String>,
    #[serde(default)]
    payment_method: Option<CardMethod>,
    #[serde(default)]
    latest_charge: Option<LatestCharge>,
}

/// A payment method that Stripe keeps.
#[derive(Clone, Debug, Deserialize)]
pub struct CardMethod {
    /// `pm_...`
    pub(super) id: String,
    #[serde(default)]
    customer: Option<String>,
    #[serde(default)]
    card: Option<CardFields>,
}

impl CardMethod {
    /// Returns the data of the card, without tokens.
    pub(super) fn card(self) -> CardOnFile {
        let card = self.card.unwrap_or_default();
        let expiry = card.exp_month.zip(card.exp_year);
        CardOnFile {
            brand: card.brand,
            last_four: card.last4,
            expiry: expiry.map(|(month, year)| CardExpiry { month, year }),
            ..CardOnFile::default()
        }
    }
}

#[derive(Clone, Debug, Default, Deserialize)]
struct CardFields {
    brand: Option<String>,
    last4: Option<String>,
    exp_month: Option<u32>,
    exp_year: Option<i32>,
}

#[derive(Debug, Deserialize)]
struct LatestCharge {
    #[serde(default)]
    payment_method_details: Option<MethodDetails>,
}

#[derive(Debug, Deserialize)]
struct MethodDetails {
    #[serde(default)]
    card: Option<SchemeFields>,
}

#[derive(Debug, Deserialize)]
struct SchemeFields {
    #[serde(default)]
    network_transaction_id: Option<String>,
}

impl ChargeIntent {
    /// Returns why the charge was declined.
    pub(super) fn decline(&self) -> Decline {
        let error = self.last_payment_error.as_ref();
        let code = error.and_then(|error| error.decline_code.as_deref().or(error.code.as_deref()));
        let code = code.map(sanitise);
        let advice = error.and_then(|error| error.advice_code.as_deref());
        let class = match self.intent.status {
            IntentStatus::RequiresAction => DeclineClass::Customer,
            _ => decline_class(advice, code.as_deref()),
        };
        Decline { class, code }
    }
}

/// Returns the class of a decline. Stripe's advice outranks the code. An unknown code may be tried
/// later (Stripe's table of decline codes, October 2026).
pub(super) fn decline_class(advice: Option<&str>, code: Option<&str>) -> DeclineClass {
    match (advice, code) {
        (Some("do_not_try_again"), _) => DeclineClass::Never,
        (Some("confirm_card_data"), _) => DeclineClass::Customer,
        (Some("try_again_later"), _) => DeclineClass::Retryable,
        (_, None) => DeclineClass::Unknown,
        (_, Some("authentication_required" | "new_account_information_available")) => {
            DeclineClass::Customer
        }
        (
            _,
            Some(
                "lost_card"
                | "stolen_card"
                | "pickup_card"
                | "fraudulent"
                | "merchant_blacklist"
                | "restricted_card"
                | "invalid_account"
                | "incorrect_number"
                | "invalid_number"
                | "expired_card"
                | "stop_payment_order"
                | "revocation_of_authorization"
                | "revocation_of_all_authorizations"
                | "transaction_not_allowed"
                | "not_permitted"
                | "service_not_allowed"
                | "security_violation"
                | "card_not_supported"
                | "currency_not_supported",
            ),
        ) => DeclineClass::Never,
        _ => DeclineClass::Retryable,
    }
}

impl StripeClient {
    /// Returns the card that Stripe keeps after a paid intent, or `None` if Stripe keeps none.
    ///
    /// # Errors
    /// Fails if Stripe's answer isn't clear.
    pub(super) async fn stored_card(
        &self,
        intent: &str,
    ) -> Result<Option<CardOnFile>, StripeError> {
        let path = format!("/v1/payment_intents/{}", in_path(intent)?);
        let expand = json!({ "expand": ["payment_method", "latest_charge"] });
        let paid: CardIntent = self.get(&path, &expand).await?;
        let (Some(customer), Some(method)) = (paid.customer, paid.payment_method) else {
            return Ok(None);
        };
        let tokens = [
            (CUSTOMER.to_owned(), customer),
            (METHOD.to_owned(), method.id.clone()),
        ];
        let details = paid
            .latest_charge
            .and_then(|one| one.payment_method_details);
        let scheme = details.and_then(|details| details.card);
        Ok(Some(CardOnFile {
            tokens: Keys(tokens.into()),
            scheme_reference: scheme.and_then(|card| card.network_transaction_id),
            ..method.card()
        }))
    }

    /// Searches the customer's payments for the charge of an attempt. Stripe lists a payment at once.
    /// Reads no time of the attempt, so that a restored shop finds an earlier charge too.
    ///
    /// # Errors
    /// Fails if Stripe's answer isn't clear, or the list is too long.
    pub(super) async fn find_charge(
        &self,
        attempt: &Payment,
    ) -> Result<Option<ChargeIntent>, StripeError> {
        let Some(customer) = attempt.keys.0.get(CUSTOMER) else {
            return Ok(None);
        };
        let query = json!({ "customer": customer, "limit": PAGE });
        let list: ChargeList = self.get("/v1/payment_intents", &query).await?;
        let mut own = list.data.into_iter();
        match own.find(|one| one.intent.payment() == Some(attempt.id)) {
            None if list.has_more => Err(StripeError::Unknown(
                "there are too many payments to look through".to_owned(),
            )),
            found => Ok(found),
        }
    }

    /// Charges a stored card once. The idempotency key follows from the attempt's id.
    ///
    /// # Errors
    /// Returns [`StripeError::Refused`] if the bank declines, and other errors if Stripe's answer
    /// isn't clear.
    pub(super) async fn charge_card(
        &self,
        attempt: &Payment,
        card: &Instrument,
        description: &str,
    ) -> Result<ChargeIntent, StripeError> {
        let token = |name: &str| card.card.tokens.0.get(name);
        let usage = match attempt.purpose {
            Purpose::Renewal => "recurring",
            Purpose::Instalments(_) => "installment",
            Purpose::Sale | Purpose::Change(_) => "unscheduled",
        };
        let parameters = json!({
            "amount": attempt.amount.0,
            "currency": CURRENCY,
            "customer": token(CUSTOMER),
            "payment_method": token(METHOD),
            "allowed_payment_method_types": ["card"],
            "payment_method_options": { "card": { "stored_credential_usage": usage } },
            "off_session": true,
            "confirm": true,
            "description": description,
            "metadata": { OUR_PAYMENT: attempt.id },
        });
        let key = format!("layby-charge-{}", attempt.id);
        self.post("/v1/payment_intents", &parameters, &key).await
    }

    /// Removes a stored card from its customer, for good. A removed card counts as removed again.
    ///
    /// # Errors
    /// Fails if Stripe's answer isn't clear, or Stripe refuses.
    pub(super) async fn remove_card(&self, card: &CardOnFile) -> Result<(), StripeError> {
        let method = card.tokens.0.get(METHOD).map_or("", String::as_str);
        let path = format!("/v1/payment_methods/{}", in_path(method)?);
        let key = format!("layby-detach-{method}");
        let removed = self
            .post::<CardMethod>(&format!("{path}/detach"), &json!({}), &key)
            .await;
        match removed {
            Ok(_) | Err(StripeError::Missing(_)) => Ok(()),
            Err(error @ StripeError::Refused(_)) => {
                // Stripe refuses to detach a card twice.
                let stored: CardMethod = self.get(&path, &json!({})).await?;
                stored.customer.map_or(Ok(()), |_| Err(error))
            }
            Err(error) => Err(error),
        }
    }

    /// Cancels a declined charge, so that nothing can pay it later.
    ///
    /// # Errors
    /// Fails if Stripe's answer isn't clear.
    pub(super) async fn cancel_charge(&self, intent: &str) -> Result<(), StripeError> {
        let path = format!("/v1/payment_intents/{}/cancel", in_path(intent)?);
        let key = format!("layby-cancel-{intent}");
        let cancelled: Result<Intent, _> = self.post(&path, &json!({}), &key).await;
        cancelled.map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_outranks_the_code_of_a_decline() {
        use DeclineClass::{Customer, Never, Retryable, Unknown};
        for (advice, code, class) in [
            (None, Some("lost_card"), Never),
            (None, Some("insufficient_funds"), Retryable),
            (None, Some("authentication_required"), Customer),
            (None, Some("a_new_code"), Retryable),
            (None, None, Unknown),
            (Some("do_not_try_again"), Some("insufficient_funds"), Never),
            (Some("try_again_later"), Some("lost_card"), Retryable),
            (Some("confirm_card_data"), Some("generic_decline"), Customer),
        ] {
            assert_eq!(decline_class(advice, code), class, "{advice:?} {code:?}");
        }
    }
}
