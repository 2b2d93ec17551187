//! The double of Global Payments as a provider of a common story.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use layby::store::tables;
use poem::http::{Method, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use super::double::{Books, Double, Entered, Fault, News, Outcome};
use super::till::{CALLBACK, settings};
use crate::money::payouts::statement;
use crate::support::Shop;
use crate::support::card_keeper::CardKeeper;
use crate::support::provider::{Card, Provider};

impl Provider for Double {
    const NAME: &'static str = "globalpayments";
    type Books = Books;
    type Message = News;

    fn with_clock(time: &Arc<AtomicI64>) -> Self {
        let time = time.clone();
        Self::start("127.0.0.1:0", move || time.load(Ordering::SeqCst)).unwrap()
    }

    fn shop_settings(&self) -> String {
        settings(self, "[\"globalpayments\"]")
    }

    fn copy_books(&self) -> Books {
        self.books(|books, _| books.clone())
    }

    fn replace_books(&self, new: Books) {
        self.books(|books, _| *books = new);
    }

    async fn pay(&self, _: &Shop, page: &Value, card: Card) -> bool {
        let guid = page["url"].as_str().unwrap().rsplit('/').next().unwrap();
        let entered = match card {
            Card::Good => Entered::Good,
            Card::Declined => Entered::Declined,
        };
        // A customer who is on the page can pay although the shop has ended its link.
        let outcome = self.books(|books, now| {
            books.end_links(now);
            let link = books.link_of_page(guid).unwrap();
            let (id, is_expired) = (link["id"].clone(), link["status"] == "EXPIRED");
            (!is_expired).then(|| books.pay_unless_paid(id.as_str().unwrap(), entered, now))
        });
        outcome.is_some_and(|outcome| outcome != Outcome::TooLate)
    }

    fn take_messages(&self, _: &Shop) -> Vec<News> {
        self.news()
    }

    async fn send(&self, shop: &Shop, message: &News) -> StatusCode {
        let mut call = shop.call(Method::POST, CALLBACK);
        for (name, value) in message.headers() {
            call = call.header(name, value);
        }
        call.body(message.body.clone()).send().await.status
    }

    fn balance(&self, _: &Shop) -> i64 {
        self.books(|books, _| books.balance())
    }

    /// Completes the slow refunds. Later ones are slow.
    fn end_day(&self) {
        self.books(|books, _| {
            for refund in books.refunds() {
                if books.transaction(&refund).unwrap()["status"] == "PENDING" {
                    books.set(&refund, "status", "CAPTURED".into());
                }
            }
            books.refund_status = "PENDING";
        });
    }

    fn lose_answer(&self, is_made: bool) {
        let fault = if is_made {
            Fault::Reset
        } else {
            Fault::Nothing
        };
        self.fail("POST /transactions", fault);
    }

    fn fail_refund(&self) {
        self.books(|books, _| {
            let newest = books.refunds().pop();
            let is_slow = |id: &String| books.transaction(id).unwrap()["status"] == "PENDING";
            if let Some(id) = newest.filter(is_slow) {
                books.set(&id, "status", "DECLINED".into());
            }
        });
    }

    fn reverse(&self) {
        self.books(|books, now| {
            let mut sales = books
                .transactions
                .iter()
                .filter(|one| one["type"] == "SALE");
            let newest = sales.next_back().filter(|one| one["status"] == "CAPTURED");
            let newest = newest.map(|one| one["id"].as_str().unwrap().to_owned());
            if let Some(id) = newest.filter(|_| books.refunds().is_empty()) {
                books.reverse(&id, now).unwrap();
            }
        });
    }

    fn dispute_report(&self, payment: Uuid, amount: i64) -> Option<String> {
        let funding = if amount < 0 { "CREDIT" } else { "DEBIT" };
        let report = json!({ "disputes": [{
            "id": format!("DIS_{payment}"), "status": "FUNDED", "stage": "CHARGEBACK",
            "funding_type": funding, "amount": amount.abs().to_string(), "currency": "GBP",
            "deposit_id": format!("DEP_{funding}"), "transaction": { "reference": payment },
        }] });
        Some(report.to_string())
    }

    fn pay_out(&self, shop: &Shop) -> String {
        let own = shop.rows(&tables::REFUNDS);
        let text = |one: &Value, name: &str| one[name].as_str().unwrap().to_owned();
        let line = |one: &Value| -> (String, i64, &'static str) {
            let amount: i64 = text(one, "amount").parse().unwrap();
            if one["type"] == "SALE" {
                return (text(one, "reference"), amount, "payment");
            }
            let id = Some(text(one, "id"));
            let named = own.iter().find(|(_, row)| row.reference == id);
            // The answer with the id may be lost.
            let unnamed = || {
                let mut rows = own.iter();
                rows.find(|(_, row)| row.reference.is_none() && row.amount.0 == amount)
            };
            let (id, _) = named.or_else(unnamed).unwrap();
            (id.to_string(), -amount, "refund")
        };
        let moved = |one: &&Value| one["status"] == "CAPTURED";
        let lines = self.books(|books, _| {
            let moved = books.transactions.iter().filter(moved);
            moved.map(line).collect::<Vec<_>>()
        });
        statement(&lines)
    }
}

impl CardKeeper for Double {
    const NEVER: &'static str = "103";
    const LATER: &'static str = "101";
    const CUSTOMER: &'static str = "111";

    fn charges(&self) -> Vec<(String, i64)> {
        self.books(|books, _| books.charges())
    }

    fn decline_charges(&self, code: Option<&'static str>) {
        self.books(|books, _| books.declines_charges = code);
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
        self.fail("POST /transactions", fault);
    }

    fn lose_removal(&self) {
        for _ in 0..3 {
            self.fail("DELETE /payment-methods", Fault::Reset);
        }
    }

    fn cards(&self) -> usize {
        self.books(|books, _| books.methods.len())
    }

    fn remove_cards(&self) {
        self.books(|books, _| books.methods.clear());
    }
}
