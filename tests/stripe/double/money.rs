//! Movements of money after a payment: refunds, disputes, payouts.

use serde_json::{Value, json};

use super::books::Books;
use super::cards::Card;
use super::params::{Refusal, invalid};

impl Books {
    pub(super) fn movement(
        &mut self,
        kind: &str,
        source: &str,
        amount: i64,
        fee: i64,
        now: i64,
    ) -> Value {
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
            "reporting_category": match kind {
                "adjustment" if amount < 0 => "dispute",
                "adjustment" => "dispute_reversal",
                kind => kind,
            },
            "source": source,
            "status": "pending",
            "type": kind,
        });
        self.movements.put(&movement);
        movement
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

    /// Completes slow events: slow refunds succeed, others fail, and some payments are disputed.
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

    /// Fails a refund after its success. The money returns to the shop.
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

    /// Disputes a payment. The money is withdrawn.
    pub fn dispute(&mut self, intent: &str, now: i64) -> Result<Value, Refusal> {
        let intent = self.intents.get("payment_intent", intent)?.clone();
        let charge = intent["latest_charge"].as_str().unwrap_or_default();
        let charge = self.charges.get("charge", charge)?.clone();
        let id = self.id("du");
        let left = charge["amount"].as_i64().unwrap() - charge["amount_refunded"].as_i64().unwrap();
        let mut dispute = json!({
            "id": id,
            "object": "dispute",
            "amount": left,
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
        let movement = self.movement("adjustment", &id, -left, 2000, now);
        dispute = self
            .disputes
            .change(&id, json!({ "balance_transactions": [movement] }));
        self.tell("charge.dispute.funds_withdrawn", &dispute, now);
        Ok(dispute)
    }

    /// Closes a dispute as won or lost for the shop.
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
            // It may be refunded again.
            let charge = dispute["charge"].as_str().unwrap().to_owned();
            self.charges.change(&charge, json!({ "disputed": false }));
        }
        let status = if won { "won" } else { "lost" };
        dispute = self.disputes.change(id, json!({ "status": status }));
        self.tell("charge.dispute.closed", &dispute, now);
        Ok(dispute)
    }

    /// Pays out the whole balance.
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

    /// Returns the report of a payout in the form of `payout_reconciliation.itemized.5`: a line for each
    /// movement, in pounds.
    pub fn payout_report(&self, payout: &str) -> String {
        let mut report = "automatic_payout_id,balance_transaction_id,currency,gross,fee,net,\
                          reporting_category,source_id,charge_id,payment_intent_id,\
                          payment_metadata[layby_payment],refund_metadata[layby_refund]\n"
            .to_owned();
        for one in self.movements.all() {
            let id = one["id"].as_str().unwrap();
            if self.paid_out.get(id).and_then(Value::as_str) != Some(payout) {
                continue;
            }
            let source = one["source"].as_str().unwrap();
            let refund = self.refunds.get("refund", source).ok();
            let dispute = self.disputes.get("dispute", source).ok();
            let about = refund.or(dispute);
            let charge = about
                .and_then(|one| one["charge"].as_str())
                .unwrap_or(source);
            let charge = self.charges.get("charge", charge).ok();
            let of = |from: Option<&Value>, pointer: &str| {
                let found = from.and_then(|from| from.pointer(pointer)?.as_str());
                found.unwrap_or_default().to_owned()
            };
            let pounds = |name: &str| {
                let pence = one[name].as_i64().unwrap();
                let sign = if pence < 0 { "-" } else { "" };
                format!("{sign}{}.{:02}", pence.abs() / 100, pence.abs() % 100)
            };
            let cells = [
                payout.to_owned(),
                id.to_owned(),
                "gbp".to_owned(),
                pounds("amount"),
                pounds("fee"),
                pounds("net"),
                of(Some(one), "/reporting_category"),
                source.to_owned(),
                of(charge, "/id"),
                of(charge, "/payment_intent"),
                of(charge, "/metadata/layby_payment"),
                of(refund, "/metadata/layby_refund"),
            ];
            report.push_str(&cells.join(","));
            report.push('\n');
        }
        report
    }
}
