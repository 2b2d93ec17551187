//! What the double has: sessions, payments, charges, refunds, disputes, payouts, events.

use serde_json::{Map, Value, json};

use super::cards::Card;
use super::params::{Refusal, invalid, missing};

/// Things of one kind by id, oldest first. They are kept as Stripe shows them.
#[derive(Default)]
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

/// Stripe's memory.
#[derive(Default)]
pub struct Books {
    pub live: bool,
    pub sessions: Shelf,
    pub intents: Shelf,
    pub charges: Shelf,
    pub refunds: Shelf,
    pub disputes: Shelf,
    pub movements: Shelf,
    pub payouts: Shelf,
    pub events: Shelf,
    /// The payout that each movement of the balance is in.
    pub paid_out: Map<String, Value>,
    made: u64,
}

impl Books {
    /// A new id, such as `pi_00000000000007`.
    pub fn id(&mut self, prefix: &str) -> String {
        self.made += 1;
        format!("{prefix}_{:014}", self.made)
    }

    /// Makes an event about an object as it stands now.
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

    fn movement(&mut self, kind: &str, source: &str, amount: i64, fee: i64, now: i64) -> Value {
        let movement = json!({
            "id": self.id("txn"),
            "object": "balance_transaction",
            "amount": amount,
            "available_on": now + 7 * 86_400,
            "balance_type": "payments",
            "created": now,
            "currency": "gbp",
            "description": null,
            "exchange_rate": null,
            "fee": fee,
            "fee_details": if fee == 0 { json!([]) } else {
                json!([{ "amount": fee, "application": null, "currency": "gbp",
                         "description": "Stripe processing fees", "type": "stripe_fee" }])
            },
            "net": amount - fee,
            "reporting_category": if kind == "adjustment" { "dispute" } else { kind },
            "source": source,
            "status": "pending",
            "type": kind,
        });
        self.movements.put(&movement);
        movement
    }

    /// The payment of a session: made when the customer first tries, as at Stripe.
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

    /// The customer enters a card on the page of a session.
    pub fn pay(&mut self, session: &str, card: Card, now: i64) -> Result<Outcome, Refusal> {
        self.grow_old(now);
        let known = self.sessions.get("checkout.session", session)?;
        if known["status"] != "open" {
            return Ok(Outcome::TooLate);
        }
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

    fn charge(&mut self, intent: &str, card: Card, now: i64) -> String {
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
            } },
            "refunded": false,
            "status": "succeeded",
        });
        self.charges.put(&charge);
        self.tell("charge.succeeded", &charge, now);
        id
    }

    /// Closes a session that is open.
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

    /// Closes the sessions whose time is over.
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

    /// Refunds a part of a payment.
    pub fn refund(
        &mut self,
        intent: &str,
        amount: Option<i64>,
        about: (Value, Value),
        now: i64,
    ) -> Result<Value, Refusal> {
        let intent = self.intents.get("payment_intent", intent)?.clone();
        let Some(charge) = intent["latest_charge"].as_str() else {
            return Err(invalid(
                "",
                "",
                "This PaymentIntent does not have a successful charge.",
            ));
        };
        let charge = self.charges.get("charge", charge)?.clone();
        let left = charge["amount"].as_i64().unwrap() - charge["amount_refunded"].as_i64().unwrap();
        if charge["disputed"] == true {
            return Err(invalid(
                "charge_disputed",
                "",
                "The charge has been charged back.",
            ));
        }
        if left == 0 {
            let text = "Charge has already been refunded.";
            return Err(invalid("charge_already_refunded", "", text));
        }
        let amount = amount.unwrap_or(left);
        if amount <= 0 || amount > left {
            let text = "Refund amount is greater than unrefunded amount on charge";
            return Err(invalid("", "amount", text));
        }
        let id = self.id("re");
        let movement = self.movement("refund", &id, -amount, 0, now);
        let card = Card::ending(charge["payment_method_details"]["card"]["last4"].as_str());
        let refund = json!({
            "id": id,
            "object": "refund",
            "amount": amount,
            "balance_transaction": movement["id"],
            "charge": charge["id"],
            "created": now,
            "currency": "gbp",
            "metadata": about.0,
            "payment_intent": intent["id"],
            "reason": about.1,
            "status": if card.refunds_slowly() { "pending" } else { "succeeded" },
        });
        self.refunds.put(&refund);
        let all = charge["amount_refunded"].as_i64().unwrap() + amount;
        let changes = json!({ "amount_refunded": all, "refunded": all == charge["amount"] });
        let charge = self.charges.change(charge["id"].as_str().unwrap(), changes);
        self.tell("refund.created", &refund, now);
        self.tell("charge.refunded", &charge, now);
        Ok(refund)
    }

    /// What takes its time ends: slow refunds succeed, others fail, and some payments are disputed.
    pub fn later(&mut self, now: i64) {
        let charges = self.charges.all().to_vec();
        for charge in charges {
            let card = Card::ending(charge["payment_method_details"]["card"]["last4"].as_str());
            if card.is_disputed() && charge["disputed"] == false {
                self.dispute(charge["payment_intent"].as_str().unwrap(), now)
                    .unwrap();
            }
            let of = |one: &&Value| one["charge"] == charge["id"];
            let refunds: Vec<Value> = self.refunds.all().iter().filter(of).cloned().collect();
            for refund in refunds {
                let id = refund["id"].as_str().unwrap();
                if refund["status"] == "pending" {
                    let done = self.refunds.change(id, json!({ "status": "succeeded" }));
                    self.tell("refund.updated", &done, now);
                } else if card.refund_fails() && refund["status"] == "succeeded" {
                    self.fail_refund(id, now).unwrap();
                }
            }
        }
    }

    /// A refund fails after it succeeded: the money is ours again.
    pub fn fail_refund(&mut self, id: &str, now: i64) -> Result<Value, Refusal> {
        let refund = self.refunds.get("refund", id)?.clone();
        let amount = refund["amount"].as_i64().unwrap();
        let back = self.movement("refund_failure", id, amount, 0, now);
        let failed = self.refunds.change(
            id,
            json!({
                "status": "failed", "failure_reason": "lost_or_stolen_card",
                "failure_balance_transaction": back["id"],
            }),
        );
        let charge = self
            .charges
            .get("charge", refund["charge"].as_str().unwrap())?
            .clone();
        let left = charge["amount_refunded"].as_i64().unwrap() - amount;
        let changes = json!({ "amount_refunded": left, "refunded": false });
        self.charges.change(charge["id"].as_str().unwrap(), changes);
        self.tell("refund.failed", &failed, now);
        Ok(failed)
    }

    /// A customer's bank disputes a payment, and the money is withdrawn.
    pub fn dispute(&mut self, intent: &str, now: i64) -> Result<Value, Refusal> {
        let intent = self.intents.get("payment_intent", intent)?.clone();
        let charge = intent["latest_charge"].as_str().unwrap_or_default();
        let charge = self.charges.get("charge", charge)?.clone();
        let id = self.id("du");
        let mut dispute = json!({
            "id": id,
            "object": "dispute",
            "amount": charge["amount"],
            "balance_transactions": [],
            "charge": charge["id"],
            "created": now,
            "currency": "gbp",
            "evidence_details": {
                "due_by": now + 9 * 86_400, "has_evidence": false, "past_due": false,
                "submission_count": 0,
            },
            "is_charge_refundable": false,
            "livemode": self.live,
            "metadata": {},
            "payment_intent": intent["id"],
            "reason": "fraudulent",
            "status": "needs_response",
        });
        self.charges
            .change(charge["id"].as_str().unwrap(), json!({ "disputed": true }));
        self.disputes.put(&dispute);
        self.tell("charge.dispute.created", &dispute, now);
        let amount = charge["amount"].as_i64().unwrap();
        let movement = self.movement("adjustment", &id, -amount, 2000, now);
        dispute = self
            .disputes
            .change(&id, json!({ "balance_transactions": [movement] }));
        self.tell("charge.dispute.funds_withdrawn", &dispute, now);
        Ok(dispute)
    }

    /// A dispute ends, for us or against us.
    pub fn close_dispute(&mut self, id: &str, won: bool, now: i64) -> Result<Value, Refusal> {
        let mut dispute = self.disputes.get("dispute", id)?.clone();
        if won {
            let amount = dispute["amount"].as_i64().unwrap();
            let back = self.movement("adjustment", id, amount, 0, now);
            let mut moved = dispute["balance_transactions"].as_array().unwrap().clone();
            moved.push(back);
            dispute = self
                .disputes
                .change(id, json!({ "balance_transactions": moved }));
            self.tell("charge.dispute.funds_reinstated", &dispute, now);
        }
        let status = if won { "won" } else { "lost" };
        dispute = self.disputes.change(id, json!({ "status": status }));
        self.tell("charge.dispute.closed", &dispute, now);
        Ok(dispute)
    }

    /// Pays out all that is on the balance.
    pub fn pay_out(&mut self, now: i64) -> Value {
        let id = self.id("po");
        let waiting = |one: &&Value| !self.paid_out.contains_key(one["id"].as_str().unwrap());
        let waiting: Vec<Value> = self
            .movements
            .all()
            .iter()
            .filter(waiting)
            .cloned()
            .collect();
        let net: i64 = waiting.iter().map(|one| one["net"].as_i64().unwrap()).sum();
        for one in &waiting {
            self.movements.change(
                one["id"].as_str().unwrap(),
                json!({ "status": "available" }),
            );
            self.paid_out
                .insert(one["id"].as_str().unwrap().to_owned(), json!(id));
        }
        let own = self.movement("payout", &id, -net, 0, now);
        self.paid_out
            .insert(own["id"].as_str().unwrap().to_owned(), json!(id));
        let payout = json!({
            "id": id,
            "object": "payout",
            "amount": net,
            "arrival_date": now + 2 * 86_400,
            "automatic": true,
            "balance_transaction": own["id"],
            "created": now,
            "currency": "gbp",
            "livemode": self.live,
            "metadata": {},
            "method": "standard",
            "reconciliation_status": "completed",
            "status": "paid",
            "type": "bank_account",
        });
        self.payouts.put(&payout);
        self.tell("payout.created", &payout, now);
        self.tell("payout.paid", &payout, now);
        payout
    }
}

/// What becomes of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Paid,
    Declined,
    TooLate,
}

pub fn id_of(one: &Value) -> String {
    one["id"].as_str().unwrap_or_default().to_owned()
}

/// A session without what the double keeps with it for itself.
pub fn shown_session(session: &Value) -> Value {
    let mut shown = session.clone();
    shown
        .as_object_mut()
        .unwrap()
        .retain(|name, _| !name.starts_with('_'));
    shown
}
