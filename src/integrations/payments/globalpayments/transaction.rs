//! Transactions: payments on the page, and refunds.

use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::client::{GlobalPaymentsClient, in_path};
use super::error::GpError;
use crate::domain::payment::{CardOnFile, Keys};

/// Maximum number of transactions in an answer. An attempt has one transaction for each card that the
/// customer tried.
pub(super) const PAGE_SIZE: usize = 100;
/// Name of a card's token: `PMT_...`.
pub(super) const METHOD: &str = "payment_method";
/// The type of a payment.
const SALE: &str = "SALE";

/// A transaction's status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum GpStatus {
    /// The page was made, and no card was entered.
    Initiated,
    /// The bank decides.
    Pending,
    /// The cardholder was authenticated, and the bank decides.
    Authenticated,
    /// The money is reserved, and not taken.
    Preauthorized,
    /// Paid.
    Captured,
    /// Paid, and in the batch for the bank. Assumption: a later stage of [`Self::Captured`].
    Batched,
    /// Paid, and paid out to us. Assumption: a later stage of [`Self::Captured`].
    Funded,
    Declined,
    Rejected,
    Failed,
    Cancelled,
    /// The payment was taken back.
    Reversed,
    /// An unknown status.
    #[serde(other)]
    Other,
}

/// A transaction. Every field that the provider may omit is optional.
#[derive(Clone, Debug, Deserialize)]
pub struct GpTransaction {
    /// `TRN_...`
    pub id: String,
    pub status: GpStatus,
    /// `SALE`, `REFUND` or another type.
    #[serde(default)]
    pub r#type: Option<String>,
    /// The amount in the smallest unit: pence, as digits.
    #[serde(default)]
    pub amount: Option<String>,
    #[serde(default)]
    pub currency: Option<String>,
    #[serde(default)]
    payment_method: Option<PaymentMethod>,
    #[serde(default)]
    action: Option<TransactionAction>,
}

#[derive(Clone, Debug, Deserialize)]
struct PaymentMethod {
    /// The bank's result: `00` for an approval.
    #[serde(default)]
    result: Option<String>,
    /// The token of a card that the provider keeps: `PMT_...`.
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    card: Option<MethodCard>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct MethodCard {
    brand: Option<String>,
    masked_number_last4: Option<String>,
    /// The card scheme's reference of the payment.
    brand_reference: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct TransactionAction {
    #[serde(default)]
    result_code: Option<String>,
    #[serde(default)]
    time_created: Option<String>,
}

#[derive(Deserialize)]
struct TransactionList {
    #[serde(default)]
    transactions: Vec<Value>,
    total_record_count: Option<usize>,
}

impl GpTransaction {
    /// Returns whether the money was taken from the card.
    pub(super) fn is_captured(&self) -> bool {
        use GpStatus::{Batched, Captured, Funded};
        matches!(self.status, Captured | Batched | Funded)
    }

    /// Returns whether no money moved, and none will.
    pub(super) fn has_failed(&self) -> bool {
        use GpStatus::{Cancelled, Declined, Failed, Rejected, Reversed};
        matches!(
            self.status,
            Declined | Rejected | Failed | Cancelled | Reversed
        )
    }

    /// Returns whether the transaction is a payment. A transaction without a type counts as a payment. A
    /// refund may have the reference of its payment.
    pub(super) fn is_sale(&self) -> bool {
        self.r#type.as_deref().is_none_or(|name| name == SALE)
    }

    /// Returns whether the bank's result or the action's result contradicts a success.
    ///
    /// Assumption: a list may omit both results. The status then decides.
    pub(super) fn is_contradicted(&self) -> bool {
        let code = self.action.as_ref();
        let code = code.and_then(|action| action.result_code.as_deref());
        self.result().is_some_and(|result| result != "00")
            || code.is_some_and(|code| code != "SUCCESS")
    }

    /// Returns the bank's result: `00` for an approval.
    pub(super) fn result(&self) -> Option<&str> {
        self.payment_method.as_ref()?.result.as_deref()
    }

    /// Returns the card that the provider keeps, without its expiry.
    pub(super) fn stored_card(&self) -> Option<CardOnFile> {
        let method = self.payment_method.as_ref()?;
        let token = method.id.clone().filter(|id| !id.is_empty())?;
        let card = method.card.clone().unwrap_or_default();
        let digits = card.masked_number_last4.unwrap_or_default();
        let start = digits.len().saturating_sub(4);
        let last_four = digits.get(start..).unwrap_or_default();
        let is_number = last_four.len() == 4 && last_four.chars().all(|c| c.is_ascii_digit());
        Some(CardOnFile {
            tokens: Keys([(METHOD.to_owned(), token)].into()),
            scheme_reference: card.brand_reference,
            brand: card.brand,
            last_four: is_number.then(|| last_four.to_owned()),
            expiry: None,
        })
    }

    /// Returns the amount in pence. Returns `None` if the amount is missing, zero or not written in digits
    /// only.
    pub(super) fn pence(&self) -> Option<i64> {
        let digits = self.amount.as_deref()?;
        let is_plain = digits.chars().all(|c| c.is_ascii_digit());
        digits.parse().ok().filter(|pence| is_plain && *pence > 0)
    }

    /// Returns the time of the last action, or `None` if the time is missing or unreadable.
    pub(super) fn time(&self) -> Option<chrono::DateTime<chrono::Utc>> {
        self.action.as_ref()?.time_created.as_ref()?.parse().ok()
    }
}

impl GlobalPaymentsClient {
    /// Returns the payments of an attempt. The list is empty before the customer pays.
    ///
    /// # Errors
    /// If the answer isn't clear, the list is incomplete, or one of the transactions can't be read.
    pub async fn find_payments(&self, attempt: Uuid) -> Result<Vec<GpTransaction>, GpError> {
        let path = format!("/transactions?reference={attempt}&page_size={PAGE_SIZE}");
        let list: TransactionList = self.get(&path).await?;
        let total = list.total_record_count.unwrap_or(0);
        if total > list.transactions.len() {
            return Err(GpError::Unknown("it lists only a part".to_owned()));
        }
        let reference = attempt.to_string();
        let is_own = |row: &Value| row.get("reference").is_some_and(|text| *text == *reference);
        let own = list.transactions.into_iter().filter(is_own);
        let own = own.map(|row| {
            serde_json::from_value::<GpTransaction>(row)
                .map_err(|_| GpError::Unknown("a listed payment can't be read".to_owned()))
        });
        let mut own = own.collect::<Result<Vec<_>, _>>()?;
        own.retain(GpTransaction::is_sale);
        Ok(own)
    }

    /// Returns a transaction.
    ///
    /// # Errors
    /// [`GpError::Missing`] if the transaction doesn't exist or `id` is invalid. Other errors if the answer
    /// isn't clear.
    pub async fn transaction(&self, id: &str) -> Result<GpTransaction, GpError> {
        self.get(&format!("/transactions/{}", in_path(id)?)).await
    }
}
