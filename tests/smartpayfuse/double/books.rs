//! The double's transactions: payments and refunds, in the form of REST.

use serde_json::{Value, json};

use super::answers::{Pairs, Verdict, value};

/// The part of a form's type that keeps the card.
const KEEPS: &str = "create_payment_token";

/// A payment or a refund.
#[derive(Clone, Debug)]
pub struct Row {
    pub id: String,
    /// The caller's reference.
    pub code: String,
    /// The payment of a refund.
    pub payment: Option<String>,
    /// Steps with their flags.
    pub steps: Vec<(&'static str, &'static str)>,
    pub pence: i64,
    pub currency: String,
    pub status: &'static str,
    /// The token of the stored card that the payment made or charged.
    pub customer: Option<String>,
    pub is_charge: bool,
    pub made: i64,
}

/// Fuse's stored state.
#[derive(Clone, Debug, Default)]
pub struct Books {
    pub rows: Vec<Row>,
    /// Seconds until a search finds a row, and until its details can be read.
    pub search_delay: i64,
    pub details_delay: i64,
    /// The reason by which each refund is refused.
    pub refuses_refunds: Option<&'static str>,
    /// The tokens of stored cards.
    pub customers: Vec<String>,
    /// The reason by which the bank declines each charge of a stored card, with its advice.
    pub declines_charges: Option<(&'static str, Option<&'static str>)>,
    /// Whether each charge of a stored card is refused as an invalid request.
    pub refuses_charges: bool,
    made: u64,
}

impl Books {
    pub fn new_id(&mut self) -> String {
        self.made += 1;
        format!(
            "{:022}",
            7_639_000_000_006_001_000_000_u128 + u128::from(self.made)
        )
    }

    /// Records how a page ended. Returns the id of its transaction.
    pub fn record(&mut self, form: &Pairs, verdict: Verdict, now: i64) -> String {
        let id = self.new_id();
        let (steps, status): (&[_], _) = match verdict {
            Verdict::Accept | Verdict::ErrorAfterPaying(_) => {
                (&[("ics_auth", "SOK"), ("ics_bill", "SOK")], "PENDING")
            }
            Verdict::Decline(102) => (&[("ics_auth", "DINVALIDDATA")], "INVALID_REQUEST"),
            Verdict::Decline(200) => (&[("ics_auth", "DAVSNO")], "DECLINED"),
            Verdict::Decline(230) => (&[("ics_auth", "DCV")], "DECLINED"),
            Verdict::Decline(520) => (&[("ics_auth", "DSCORE")], "DECLINED"),
            Verdict::Decline(_) => (&[("ics_auth", "DCARDREFUSED")], "DECLINED"),
            Verdict::Review | Verdict::Unheard => (
                &[("ics_auth", "SOK"), ("ics_decision", "DREVIEW")],
                "AUTHORIZED",
            ),
            Verdict::Part => (&[("ics_auth", "SPARTIALAPPROVAL")], "AUTHORIZED"),
            Verdict::Error(104) => (&[("ics_auth", "DDUPLICATE")], "DECLINED"),
            Verdict::Error(_) | Verdict::Cancel => return id,
        };
        let is_kept = status == "PENDING" && value(form, "transaction_type").contains(KEEPS);
        let customer = is_kept.then(|| self.keep_card());
        self.rows.push(Row {
            id: id.clone(),
            code: value(form, "reference_number").to_owned(),
            payment: None,
            steps: steps.to_vec(),
            pence: pence(value(form, "amount")),
            currency: value(form, "currency").to_owned(),
            status,
            customer,
            is_charge: false,
            made: now,
        });
        id
    }

    pub fn row(&self, id: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.id == id)
    }

    pub fn change(&mut self, id: &str, change: impl FnOnce(&mut Row)) {
        change(self.rows.iter_mut().find(|row| row.id == id).unwrap());
    }

    /// Returns the payments that took money.
    pub fn payments(&self) -> impl Iterator<Item = &Row> {
        let is_paid = |row: &&Row| row.steps.contains(&("ics_bill", "SOK"));
        self.rows.iter().filter(is_paid)
    }

    pub fn refunds(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.payment.is_some())
    }

    /// Returns what is left of a payment in pence.
    pub fn left(&self, payment: &Row) -> i64 {
        let is_undone = matches!(payment.status, "VOIDED" | "REVERSED");
        let refunds = self.refunds().filter(|refund| {
            refund.payment.as_ref() == Some(&payment.id)
                && matches!(refund.status, "PENDING" | "TRANSMITTED")
        });
        let refunded: i64 = refunds.map(|refund| refund.pence).sum();
        if is_undone {
            0
        } else {
            payment.pence - refunded
        }
    }

    /// Returns the shop's money in pence.
    pub fn kept(&self) -> i64 {
        self.payments().map(|payment| self.left(payment)).sum()
    }

    /// Sends the day's batch.
    pub fn transmit(&mut self) {
        for row in &mut self.rows {
            if row.status == "PENDING" {
                row.status = "TRANSMITTED";
            }
        }
    }
}

impl Row {
    /// Returns the row as a search lists it.
    pub fn summary(&self) -> Value {
        let steps = self.steps.iter();
        let steps = steps.map(|(name, flag)| json!({ "name": name, "rFlag": flag, "rCode": "1" }));
        let steps: Vec<Value> = steps.collect();
        json!({
            "id": self.id,
            "submitTimeUtc": rfc3339(self.made),
            "merchantId": super::MERCHANT,
            "applicationInformation": { "rFlag": "SOK", "applications": steps },
            "clientReferenceInformation": { "code": self.code },
            "orderInformation": { "amountDetails": self.amount() },
            "processorInformation": { "approvalCode": "831000" },
        })
    }

    /// Returns the details.
    pub fn details(&self) -> Value {
        let mut details = self.summary();
        details["applicationInformation"]["status"] = json!(self.status);
        if let Some(customer) = &self.customer {
            details["paymentInformation"] = json!({
                "customer": { "customerId": customer },
                "card": {
                    "suffix": "1111", "type": "001", "expirationMonth": "12", "expirationYear": "2034",
                },
            });
            details["processorInformation"]["networkTransactionId"] = json!(super::SCHEME_ID);
        }
        details["submitTimeUTC"] = details["submitTimeUtc"].take();
        details.as_object_mut().unwrap().remove("submitTimeUtc");
        details
    }

    fn amount(&self) -> Value {
        let total = format!("{}.{:02}", self.pence / 100, self.pence % 100);
        json!({ "totalAmount": total, "currency": self.currency })
    }
}

pub fn rfc3339(time: i64) -> String {
    let time = chrono::DateTime::from_timestamp(time, 0).unwrap();
    time.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Returns the pence of a text such as `49.99`.
pub fn pence(text: &str) -> i64 {
    text.replace('.', "").parse().unwrap_or(0)
}
