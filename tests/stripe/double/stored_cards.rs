//! Stored cards of the double, and their charges.

use serde_json::{Value, json};

use super::books::Books;
use super::cards::Card;
use super::params::{Refusal, invalid, refusal};

impl Books {
    /// Attaches the card of an intent to a new customer.
    pub(super) fn keep_card(&mut self, intent: &str, card: Card, now: i64) {
        let (customer, method) = (self.id("cus"), self.id("pm"));
        self.customers.put(&json!({
            "id": customer, "object": "customer", "created": now, "livemode": self.live,
        }));
        self.methods.put(&json!({
            "id": method,
            "object": "payment_method",
            "created": now,
            "customer": customer,
            "livemode": self.live,
            "type": "card",
            "card": {
                "brand": "visa", "last4": card.last_four(), "exp_month": 12, "exp_year": 2034,
            },
        }));
        let changes = json!({ "customer": customer, "payment_method": method });
        self.intents.change(intent, changes);
    }

    pub(super) fn detach_card(&mut self, id: &str) -> Result<Value, Refusal> {
        if self.methods.get("PaymentMethod", id)?["customer"].is_null() {
            let text = "The payment method you provided is not attached to a customer so detachment is \
                        impossible.";
            return Err(invalid("", "", text));
        }
        Ok(self.methods.change(id, json!({ "customer": null })))
    }

    /// Returns the ids of the stored cards.
    pub fn stored_cards(&self) -> Vec<String> {
        let all = self.methods.all().iter();
        let attached = all.filter(|one| !one["customer"].is_null());
        attached
            .map(|one| one["id"].as_str().unwrap_or_default().to_owned())
            .collect()
    }

    /// Charges a stored card.
    pub(super) fn charge_card(
        &mut self,
        (customer, method): (&str, &str),
        amount: i64,
        (metadata, description): (Value, Value),
        now: i64,
    ) -> Result<Value, Refusal> {
        let id = self.id("pi");
        let declined = self.declines_charges.map(|(code, advice)| {
            let is_authentication = code == "authentication_required";
            let kind = if is_authentication {
                code
            } else {
                "card_declined"
            };
            let mut error = refusal(402, "card_error", kind, "", "Your card was declined.");
            error.error["decline_code"] = json!(code);
            if let Some(advice) = advice {
                error.error["advice_code"] = json!(advice);
            }
            error
        });
        let last_four = self.methods.get("payment_method", method)?["card"]["last4"].clone();
        self.intents.put(&json!({
            "id": id,
            "object": "payment_intent",
            "amount": amount,
            "amount_received": 0,
            "created": now,
            "currency": "gbp",
            "customer": customer,
            "description": description,
            "last_payment_error": declined.as_ref().map(|declined| &declined.error),
            "latest_charge": null,
            "livemode": self.live,
            "metadata": metadata,
            "payment_method": method,
            "status": "requires_payment_method",
        }));
        if let Some(declined) = declined {
            return Err(declined);
        }
        let charge = self.charge(&id, Card::ending(last_four.as_str()), now);
        let changes = json!({
            "status": "succeeded", "amount_received": amount, "latest_charge": charge,
        });
        let paid = self.intents.change(&id, changes);
        self.tell("payment_intent.succeeded", &paid, now);
        Ok(paid)
    }

    pub(super) fn cancel_intent(&mut self, id: &str, now: i64) -> Result<Value, Refusal> {
        let intent = self.intents.get("payment_intent", id)?;
        let open = ["requires_payment_method", "requires_action"];
        if !open.contains(&intent["status"].as_str().unwrap_or_default()) {
            let text = "You cannot cancel this PaymentIntent because of its status.";
            return Err(invalid("payment_intent_unexpected_state", "", text));
        }
        let changes = json!({ "status": "canceled", "canceled_at": now });
        let intent = self.intents.change(id, changes);
        self.tell("payment_intent.canceled", &intent, now);
        Ok(intent)
    }
}
