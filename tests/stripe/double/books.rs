//! The double's objects: sessions, payments, charges, refunds, disputes, payouts, events.

use serde_json::{Map, Value, json};

use super::cards::Card;
use super::params::{Refusal, invalid, missing};

/// Objects of one kind by id, oldest first, in the form that Stripe returns.
#[derive(Clone, Default)]
pub struct Shelf(Vec<Value>);

impl Shelf {
    pub fn get(&self, what: &str, id: &str) -> Result<&Value, Refusal> {
        self.0
            .iter()
            .find(|one| one["id"] == id)
            .ok_or_else(|| missing(what, id))
    }

    pub fn change(&mut self, id: &str, changes: Value) -> Value {
        let one = self.0.iter_mut().find(|one| one["id"] == id).unwrap();
        merge(one, changes);
        one.clone()
    }

    pub fn put(&mut self, one: &Value) {
        self.0.push(one.clone());
    }

    pub fn all(&self) -> &[Value] {
        &self.0
    }
}

fn merge(one: &mut Value, changes: Value) {
    for (name, value) in changes.as_object().unwrap() {
        one[name] = value.clone();
    }
}

/// Stripe's stored state.
#[derive(Clone, Default)]
pub struct Books {
    pub live: bool,
    pub sessions: Shelf,
    pub intents: Shelf,
    pub customers: Shelf,
    pub methods: Shelf,
    /// The decline code and the advice for charges of stored cards.
    pub declines_charges: Option<(&'static str, Option<&'static str>)>,
    /// Whether each charge of a stored card is refused as an invalid request.
    pub refuses_charges: bool,
    pub charges: Shelf,
    pub refunds: Shelf,
    pub disputes: Shelf,
    pub movements: Shelf,
    pub payouts: Shelf,
    pub events: Shelf,
    /// The payout of each movement of the balance.
    pub paid_out: Map<String, Value>,
    pub(super) made: u64,
}

impl Books {
    /// Returns a new id, such as `pi_00000000000007`.
    pub fn id(&mut self, prefix: &str) -> String {
        self.made += 1;
        format!("{prefix}_{:014}", self.made)
    }

    /// Makes an event about an object in its current state.
    pub fn tell(&mut self, kind: &str, object: &Value, now: i64) {
        let id = self.id("evt");
        self.events.put(&json!({
            "id": id,
            "object": "event",
            "api_version": super::VERSION,
            "created": now,
            "data": { "object": object },
            "livemode": self.live,
            "pending_webhooks": 1,
            "request": { "id": null, "idempotency_key": null },
            "type": kind,
        }));
    }

    /// Returns the payment of a session. It is made at the customer's first try, as at Stripe.
    pub fn intent_of(&mut self, session: &str, now: i64) -> Result<String, Refusal> {
        let session = self.sessions.get("checkout.session", session)?.clone();
        if let Some(id) = session["payment_intent"].as_str() {
            return Ok(id.to_owned());
        }
        let id = self.id("pi");
        let data = &session["_intent_data"];
        let given = |name: &str| data.get(name).cloned();
        self.intents.put(&json!({
            "id": id,
            "object": "payment_intent",
            "amount": session["amount_total"],
            "amount_capturable": 0,
            "amount_received": 0,
            "canceled_at": null,
            "cancellation_reason": null,
            "capture_method": "automatic_async",
            "confirmation_method": "automatic",
            "created": now,
            "currency": "gbp",
            "customer": null,
            "description": given("description"),
            "last_payment_error": null,
            "latest_charge": null,
            "livemode": self.live,
            "metadata": given("metadata").unwrap_or_else(|| json!({})),
            "next_action": null,
            "payment_method": null,
            "payment_method_types": ["card"],
            "receipt_email": null,
            "status": "requires_payment_method",
        }));
        let shown = session["id"].as_str().unwrap();
        self.sessions.change(shown, json!({ "payment_intent": id }));
        Ok(id)
    }

    /// Returns the account's money in pence: payments less refunds.
    pub fn kept(&self) -> i64 {
        let pence = |one: &Value, name: &str| one[name].as_i64().unwrap_or(0);
        let paid = self.charges.all().iter();
        paid.map(|one| pence(one, "amount") - pence(one, "amount_refunded"))
            .sum()
    }

    /// Enters a card on the page of a session.
    pub fn pay(&mut self, session: &str, card: Card, now: i64) -> Result<Outcome, Refusal> {
        self.grow_old(now);
        let known = self.sessions.get("checkout.session", session)?;
        if known["status"] != "open" {
            return Ok(Outcome::TooLate);
        }
        let known_keeps_card = known["_customer_creation"] == "always"
            && known["_intent_data"]["setup_future_usage"] == "off_session";
        let intent = self.intent_of(session, now)?;
        if let Some(code) = card.declined() {
            let error = json!({
                "type": "card_error", "code": "card_declined", "decline_code": code,
                "message": "Your card was declined.",
            });
            let changes =
                json!({ "status": "requires_payment_method", "last_payment_error": error });
            let intent = self.intents.change(&intent, changes);
            self.tell("payment_intent.payment_failed", &intent, now);
            return Ok(Outcome::Declined);
        }
        if known_keeps_card {
            self.keep_card(&intent, card, now);
        }
        let charge = self.charge(&intent, card, now);
        let shown = self.intents.get("payment_intent", &intent)?;
        let changes = json!({
            "status": "succeeded", "amount_received": shown["amount"], "latest_charge": charge,
            "last_payment_error": null,
        });
        let paid = self.intents.change(&intent, changes);
        self.tell("payment_intent.succeeded", &paid, now);
        let changes = json!({ "status": "complete", "payment_status": "paid", "url": null });
        let session = self.sessions.change(session, changes);
        self.tell("checkout.session.completed", &shown_session(&session), now);
        Ok(Outcome::Paid)
    }

    pub(super) fn charge(&mut self, intent: &str, card: Card, now: i64) -> String {
        let intent = self.intents.get("payment_intent", intent).unwrap().clone();
        let id = self.id("ch");
        let amount = intent["amount"].as_i64().unwrap();
        // 1.5 % and 20 pence, as for a British card.
        let fee = (amount * 15 + 500) / 1000 + 20;
        let movement = self.movement("charge", &id, amount, fee, now);
        let charge = json!({
            "id": id,
            "object": "charge",
            "amount": amount,
            "amount_captured": amount,
            "amount_refunded": 0,
            "balance_transaction": movement["id"],
            "captured": true,
            "created": now,
            "currency": "gbp",
            "description": intent["description"],
            "disputed": false,
            "livemode": self.live,
            "metadata": intent["metadata"],
            "paid": true,
            "payment_intent": intent["id"],
            "payment_method_details": { "type": "card", "card": {
                "brand": "visa", "last4": card.last_four(), "exp_month": 12, "exp_year": 2034,
                "network_transaction_id": "105827430913",
            } },
            "refunded": false,
            "status": "succeeded",
        });
        self.charges.put(&charge);
        self.tell("charge.succeeded", &charge, now);
        id
    }

    /// Closes an open session.
    pub fn expire(&mut self, session: &str, now: i64) -> Result<Value, Refusal> {
        self.grow_old(now);
        let known = self.sessions.get("checkout.session", session)?.clone();
        if known["status"] != "open" {
            let text = "Only Checkout Sessions with a status in [\"open\"] can be expired.";
            return Err(invalid("", "", text));
        }
        let expired = self
            .sessions
            .change(session, json!({ "status": "expired", "url": null }));
        if let Some(intent) = known["payment_intent"].as_str() {
            let changes = json!({ "status": "canceled", "canceled_at": now });
            let intent = self.intents.change(intent, changes);
            self.tell("payment_intent.canceled", &intent, now);
        }
        self.tell("checkout.session.expired", &shown_session(&expired), now);
        Ok(expired)
    }

    /// Closes the expired sessions.
    pub fn grow_old(&mut self, now: i64) {
        let over = |one: &&Value| {
            one["status"] == "open" && one["expires_at"].as_i64().is_some_and(|at| at <= now)
        };
        let over: Vec<String> = self.sessions.all().iter().filter(over).map(id_of).collect();
        for id in over {
            let expired = self
                .sessions
                .change(&id, json!({ "status": "expired", "url": null }));
            self.tell("checkout.session.expired", &shown_session(&expired), now);
        }
    }
}

/// The outcome of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Paid,
    Declined,
    TooLate,
}

pub fn id_of(one: &Value) -> String {
    one["id"].as_str().unwrap_or_default().to_owned()
}

/// Returns a session without the double's private fields.
pub fn shown_session(session: &Value) -> Value {
    let mut shown = session.clone();
    shown
        .as_object_mut()
        .unwrap()
        .retain(|name, _| !name.starts_with('_'));
    shown
}
