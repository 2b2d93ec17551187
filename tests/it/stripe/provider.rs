//! Stripe's double as a provider of a common story.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use poem::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::double::{self, Books, Double, Fault, Outcome, SECRET, Webhook, signature};
use super::till::{CALLBACK, settings};
use crate::support::Shop;
use crate::support::card_keeper::CardKeeper;
use crate::support::provider::{Card, Provider};

impl Provider for Double {
    const NAME: &'static str = "stripe";
    type Books = Books;
    type Message = Webhook;

    fn with_clock(time: &Arc<AtomicI64>) -> Self {
        let time = time.clone();
        Self::start("127.0.0.1:0", None, move || time.load(Ordering::SeqCst)).unwrap()
    }

    fn shop_settings(&self) -> String {
        settings(self, "[\"stripe\"]")
    }

    fn copy_books(&self) -> Books {
        self.books(|books, _| books.clone())
    }

    fn replace_books(&self, new: Books) {
        self.books(|books, _| *books = new);
    }

    async fn pay(&self, _: &Shop, page: &Value, card: Card) -> bool {
        let session = page["url"].as_str().unwrap().rsplit('/').next().unwrap();
        let card = match card {
            Card::Good => double::Card::VISA,
            Card::Declined => double::Card::DECLINED,
        };
        let outcome = self.books(|books, now| books.pay(session, card, now));
        outcome.unwrap() != Outcome::TooLate
    }

    fn take_messages(&self, _: &Shop) -> Vec<Webhook> {
        self.webhooks()
    }

    async fn send(&self, shop: &Shop, message: &Webhook) -> StatusCode {
        let now = self.books(|_, now| now);
        let signed = signature(&message.body, &[SECRET.to_owned()], now);
        let call = shop.call(Method::POST, CALLBACK);
        let call = call.header("Stripe-Signature", &signed);
        call.body(message.body.clone()).send().await.status
    }

    fn balance(&self, _: &Shop) -> i64 {
        self.books(|books, _| {
            let moves = books.movements.all().iter();
            let moves = moves.filter(|one| one["type"] != "payout");
            moves.map(|one| one["amount"].as_i64().unwrap()).sum()
        })
    }

    fn lose_answer(&self, is_made: bool) {
        let fault = if is_made {
            Fault::Reset
        } else {
            Fault::Nothing
        };
        self.fail("POST /v1/refunds", fault);
    }

    fn fail_refund(&self) {
        self.books(|books, now| {
            let made = books.refunds.all().last();
            let made = made.filter(|one| one["status"] == "succeeded").cloned();
            if let Some(id) = made.as_ref().and_then(|one| one["id"].as_str()) {
                books.fail_refund(id, now).unwrap();
            }
        });
    }

    fn dispute(&self) {
        self.books(|books, now| {
            let pence = |charge: &Value, name: &str| charge[name].as_i64().unwrap();
            let paid = books.charges.all().last();
            let paid = paid.filter(|one| {
                one["disputed"] == false && pence(one, "amount_refunded") < pence(one, "amount")
            });
            let intent = paid.map(|one| one["payment_intent"].as_str().unwrap().to_owned());
            if let Some(intent) = intent {
                books.dispute(&intent, now).unwrap();
            }
        });
    }

    fn refund_by_hand(&self) {
        self.books(|books, now| {
            let paid = books.charges.all().last();
            let paid = paid.filter(|one| one["disputed"] == false);
            let intent = paid.map(|one| one["payment_intent"].as_str().unwrap().to_owned());
            if let Some(intent) = intent {
                // Stripe refuses more than is left.
                let _ = books.refund(&intent, Some(250), (json!({}), Value::Null), now);
            }
        });
    }

    fn decide(&self, is_won: bool) {
        self.books(|books, now| {
            let mut disputes = books.disputes.all().iter();
            let open = disputes.find(|one| one["status"] == "needs_response");
            let open = open.map(|one| one["id"].as_str().unwrap().to_owned());
            if let Some(id) = open {
                books.close_dispute(&id, is_won, now).unwrap();
            }
        });
    }

    fn pay_out(&self, _: &Shop) -> String {
        self.books(|books, now| {
            let payout = books.pay_out(now);
            books.payout_report(payout["id"].as_str().unwrap())
        })
    }
}

impl CardKeeper for Double {
    const NEVER: &'static str = "lost_card";
    const LATER: &'static str = "insufficient_funds";
    const CUSTOMER: &'static str = "authentication_required";

    fn charges(&self) -> Vec<(String, i64)> {
        self.books(|books, _| {
            let is_of_page = |intent: &Value| {
                let mut sessions = books.sessions.all().iter();
                sessions.any(|one| one["payment_intent"] == intent["id"])
            };
            let all = books.intents.all().iter();
            let paid = all.filter(|one| one["status"] == "succeeded" && !is_of_page(one));
            paid.map(|one| {
                let id = one["metadata"]["layby_payment"].as_str().unwrap();
                (id.to_owned(), one["amount"].as_i64().unwrap())
            })
            .collect()
        })
    }

    fn decline_charges(&self, code: Option<&'static str>) {
        self.books(|books, _| books.declines_charges = code.map(|code| (code, None)));
    }

    fn refuse_charges(&self, is_refused: bool) {
        self.books(|books, _| books.refuses_charges = is_refused);
    }

    fn lose_charge(&self, is_made: bool) {
        let fault = if is_made {
            Fault::Reset
        } else {
            Fault::Nothing
        };
        self.fail("POST /v1/payment_intents", fault);
    }

    fn lose_removal(&self) {
        for _ in 0..3 {
            self.fail("POST /v1/payment_methods", Fault::Reset);
        }
    }

    fn cards(&self) -> usize {
        self.books(|books, _| books.stored_cards().len())
    }

    fn remove_cards(&self) {
        self.books(|books, _| {
            for id in books.stored_cards() {
                books.methods.change(&id, json!({ "customer": null }));
            }
        });
    }
}
