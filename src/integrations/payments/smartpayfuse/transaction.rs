//! Transactions as Fuse's REST API returns them: payments, their tries, and refunds. Each member may be
//! missing, so that one incomplete transaction does not make a list unreadable.

use chrono::{DateTime, Utc};
use serde::Deserialize;

use crate::domain::money::Pence;

/// A transaction: a row of a search, or the details of one transaction.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FuseTransaction {
    #[serde(default)]
    pub id: String,
    /// RFC 3339. A search says `submitTimeUtc`, the details `submitTimeUTC`.
    #[serde(alias = "submitTimeUTC")]
    submit_time_utc: Option<String>,
    client_reference_information: Option<ClientReference>,
    application_information: Option<ApplicationInformation>,
    order_information: Option<OrderInformation>,
    pub(super) payment_information: Option<PaymentInformation>,
    pub(super) processor_information: Option<ProcessorInformation>,
}

/// In the details only.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct PaymentInformation {
    pub(super) customer: Option<TokenCustomer>,
    pub(super) card: Option<TransactionCard>,
}

/// The token of a card that Fuse keeps.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TokenCustomer {
    pub(super) customer_id: Option<String>,
    pub(super) id: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct TransactionCard {
    pub(super) suffix: Option<String>,
    pub(super) expiration_month: Option<String>,
    pub(super) expiration_year: Option<String>,
    pub(super) r#type: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProcessorInformation {
    /// The card scheme's id of the payment.
    pub(super) network_transaction_id: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct ClientReference {
    code: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct ApplicationInformation {
    /// In the details only.
    status: Option<String>,
    applications: Option<Vec<Application>>,
}

/// A step of a transaction: an authorisation, a capture, a refund.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Application {
    name: Option<String>,
    /// `SOK`, or the reason of a failure.
    r_flag: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OrderInformation {
    amount_details: Option<FuseAmount>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FuseAmount {
    pub total_amount: Option<String>,
    pub currency: Option<String>,
}

impl FuseTransaction {
    /// Returns our code: the id of the attempt or the refund.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.client_reference_information.as_ref()?.code.as_deref()
    }

    /// Returns the status. Only the details of a transaction have a status.
    #[must_use]
    pub fn status(&self) -> Option<&str> {
        self.application_information.as_ref()?.status.as_deref()
    }

    /// Returns the flag of a step, such as `SOK` of `ics_bill`.
    #[must_use]
    pub fn flag(&self, name: &str) -> Option<&str> {
        let applications = self.application_information.as_ref()?;
        let mut applications = applications.applications.iter().flatten();
        let step = applications.find(|step| step.name.as_deref() == Some(name))?;
        step.r_flag.as_deref()
    }

    /// Returns whether Fuse refused the fields of a payment, and asked no bank.
    #[must_use]
    pub fn is_invalid(&self) -> bool {
        matches!(
            self.flag("ics_auth"),
            Some("DINVALIDDATA" | "DMISSINGFIELD")
        )
    }

    #[must_use]
    pub fn amount(&self) -> Option<&FuseAmount> {
        self.order_information.as_ref()?.amount_details.as_ref()
    }

    #[must_use]
    pub fn submitted(&self) -> Option<DateTime<Utc>> {
        let time = DateTime::parse_from_rfc3339(self.submit_time_utc.as_deref()?);
        time.ok().map(|time| time.to_utc())
    }
}

/// Returns an amount as Fuse writes it: `49.99`.
pub(super) fn decimal(amount: Pence) -> String {
    let sign = if amount.0 < 0 { "-" } else { "" };
    let pence = amount.0.unsigned_abs();
    format!("{sign}{}.{:02}", pence / 100, pence % 100)
}

/// Returns the amount of a text such as `49.99`, `49.9` or `49`. Returns `None` for zero, for more than
/// two decimals and for any other text.
pub(super) fn parse_decimal(text: &str) -> Option<Pence> {
    let (pounds, pence) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |part: &str| {
        !part.is_empty() && part.len() <= 12 && part.bytes().all(|b| b.is_ascii_digit())
    };
    if !is_number(pounds) || !is_number(pence) || pence.len() > 2 {
        return None;
    }
    let pounds: i64 = pounds.parse().ok()?;
    let pence: i64 = format!("{pence:0<2}").parse().ok()?;
    let amount = Pence(pounds * 100 + pence);
    (amount > Pence::ZERO).then_some(amount)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_read_as_it_is_written() {
        for pence in [1, 30, 4999, 100_000, 123_456_789] {
            assert_eq!(parse_decimal(&decimal(Pence(pence))), Some(Pence(pence)));
        }
        assert_eq!(parse_decimal("49"), Some(Pence(4900)));
        assert_eq!(parse_decimal("49.9"), Some(Pence(4990)));
        for other in [
            "", ".", "1.", ".5", "0.00", "-1.00", "+1", "1.001", "1,000.00", "1e3", "\u{663}",
        ] {
            assert_eq!(parse_decimal(other), None, "{other}");
        }
        assert_eq!(parse_decimal("9999999999999999999.00"), None);
    }
}
