//! Cards that the double keeps, and their charges.

use serde_json::{Value, json};

use super::api::{Refusal, books_time, invalid, text, unknown};
use super::books::Books;

impl Books {
    /// Keeps the card of a payment whose link asks for that. Returns the members of its payment method.
    pub(super) fn keep_card(&mut self, link: &str) -> Value {
        let pointer = "/order/payment_method_configuration/storage_mode";
        let mode = self
            .link(link)
            .ok()
            .map(|link| text(link, pointer).to_owned());
        let mut method = json!({
            "card": { "brand": "VISA", "masked_number_last4": "XXXXXXXXXXXX5262" },
        });
        if mode.is_some_and(|mode| mode == "ON_SUCCESS") {
            let id = self.id("PMT");
            self.methods.push(json!({
                "id": id,
                "status": "ACTIVE",
                "usage_mode": "MULTIPLE",
                "card": {
                    "brand": "VISA", "number_last4": "5262", "expiry_month": "12", "expiry_year": "34",
                },
            }));
            method["id"] = id.into();
            method["card"]["brand_reference"] = "MCC0000000000012".into();
        }
        method
    }

    pub fn method(&self, id: &str) -> Result<Value, Refusal> {
        let found = self.methods.iter().find(|one| one["id"] == id);
        found.cloned().ok_or_else(|| unknown("Payment method"))
    }

    pub fn remove_method(&mut self, id: &str) -> Result<Value, Refusal> {
        self.method(id)?;
        self.methods.retain(|one| one["id"] != id);
        let action = json!({ "type": "PAYMENT_METHOD_DELETE", "result_code": "SUCCESS" });
        Ok(json!({ "id": id, "status": "DELETED", "action": action }))
    }

    /// Charges a stored card. The bank declines with the result of [`Books::declines_charges`].
    pub fn charge_card(&mut self, body: &Value, now: i64) -> Result<Value, Refusal> {
        check_charge(body)?;
        if self.refuses_charges {
            return Err(invalid("40213", "/account_name"));
        }
        self.method(text(body, "/payment_method/id"))?;
        let id = self.id("TRN");
        let (status, result) = match self.declines_charges {
            Some(result) => ("DECLINED", result),
            None => (self.good_status, "00"),
        };
        let code = if status == "DECLINED" {
            status
        } else {
            "SUCCESS"
        };
        self.transactions.push(json!({
            "id": id,
            "status": status,
            "type": "SALE",
            "channel": "CNP",
            "amount": body["amount"],
            "currency": body["currency"],
            "reference": body["reference"],
            "country": "GB",
            "time_created": books_time(now),
            "payment_method": {
                "id": body["payment_method"]["id"],
                "result": result,
                "message": "",
                "entry_mode": "ECOM",
                "card": {
                    "brand": "VISA", "masked_number_last4": "XXXXXXXXXXXX5262",
                    "brand_reference": "MCC0000000000099",
                },
            },
            "action": {
                "type": "AUTHORIZE", "time_created": books_time(now), "result_code": code,
            },
            "_charge": true,
        }));
        self.transaction(&id)
    }

    /// Returns the reference and the amount of each successful charge of a stored card.
    pub fn charges(&self) -> Vec<(String, i64)> {
        let all = self.transactions.iter();
        let paid = all.filter(|one| one["_charge"] == true && one["status"] != "DECLINED");
        paid.map(|one| {
            let amount = text(one, "/amount").parse().unwrap_or(0);
            (text(one, "/reference").to_owned(), amount)
        })
        .collect()
    }
}

/// Refuses what is not a charge by the merchant of a stored card.
fn check_charge(body: &Value) -> Result<(), Refusal> {
    let needed = [
        ("/account_name", super::ACCOUNT),
        ("/type", "SALE"),
        ("/channel", "CNP"),
        ("/capture_mode", "AUTO"),
        ("/currency", "GBP"),
        ("/country", "GB"),
        ("/initiator", "MERCHANT"),
        ("/stored_credential/sequence", "SUBSEQUENT"),
        ("/payment_method/entry_mode", "ECOM"),
        ("/payment_method/card/brand_reference", "MCC0000000000012"),
    ];
    for (pointer, value) in needed {
        if text(body, pointer) != value {
            return Err(invalid("40213", pointer));
        }
    }
    let models = ["RECURRING", "INSTALLMENT", "UNSCHEDULED"];
    if !models.contains(&text(body, "/stored_credential/model")) {
        return Err(invalid("40213", "/stored_credential/model"));
    }
    let amount = text(body, "/amount");
    let is_amount = !amount.starts_with('0') && amount.chars().all(|c| c.is_ascii_digit());
    if amount.is_empty() || !is_amount || text(body, "/reference").is_empty() {
        return Err(invalid("40213", "/amount"));
    }
    Ok(())
}
