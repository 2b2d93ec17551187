//! The double of Smartpay Fuse as a provider of a common story.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use poem::http::{Method, StatusCode};
use serde_json::Value;
use uuid::Uuid;

use super::double::{Books, Double, Pairs, Row, Verdict};
use super::faults::Fault;
use super::till::{CALLBACK, settings};
use crate::money::payouts::statement;
use crate::support::Shop;
use crate::support::card_keeper::CardKeeper;
use crate::support::provider::{Card, Provider};

impl Provider for Double {
    const NAME: &'static str = "smartpayfuse";
    type Books = Books;
    /// The body of a server post.
    type Message = String;

    fn with_clock(time: &Arc<AtomicI64>) -> Self {
        let time = time.clone();
        Self::start("127.0.0.1:0", move || time.load(Ordering::SeqCst)).unwrap()
    }

    fn shop_settings(&self) -> String {
        settings(self, "[\"smartpayfuse\"]", "")
    }

    fn copy_books(&self) -> Books {
        self.books(|books, _| books.clone())
    }

    fn replace_books(&self, new: Books) {
        self.books(|books, _| *books = new);
    }

    async fn pay(&self, _: &Shop, page: &Value, card: Card) -> bool {
        let fields = page["fields"].as_object().unwrap().iter();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let fields: Pairs = fields
            .map(|(name, value)| (name.clone(), text(value)))
            .collect();
        let opened = self.open("/embedded/pay", &fields);
        opened.is_ok_and(|page| {
            let verdict = match card {
                Card::Good => Verdict::Accept,
                Card::Declined => Verdict::Decline(203),
            };
            self.end(page, verdict);
            true
        })
    }

    fn take_messages(&self, _: &Shop) -> Vec<String> {
        let posts = self.take_posts().into_iter();
        posts.map(|(_, body)| body).collect()
    }

    async fn send(&self, shop: &Shop, message: &String) -> StatusCode {
        let call = shop.call(Method::POST, CALLBACK);
        let call = call.header("Content-Type", "application/x-www-form-urlencoded");
        call.body(message.clone()).send().await.status
    }

    fn balance(&self, _: &Shop) -> i64 {
        self.books(|books, _| books.kept())
    }

    fn end_day(&self) {
        self.books(|books, _| books.transmit());
    }

    fn lose_answer(&self, is_made: bool) {
        let fault = if is_made {
            Fault::Reset
        } else {
            Fault::Nothing
        };
        self.fail("POST /pts/v2/payments/", fault);
    }

    /// Fails the newest refund before its batch is sent.
    fn fail_refund(&self) {
        self.books(|books, _| {
            let newest = books.refunds().last();
            let newest = newest.filter(|refund| refund.status == "PENDING");
            if let Some(id) = newest.map(|refund| refund.id.clone()) {
                books.change(&id, |row| row.status = "FAILED");
            }
        });
    }

    fn dispute_report(&self, payment: Uuid, amount: i64) -> Option<String> {
        let kind = if amount < 0 {
            "dispute_reversal"
        } else {
            "dispute"
        };
        Some(statement(&[(payment.to_string(), -amount, kind)]))
    }

    fn pay_out(&self, _: &Shop) -> String {
        let line = |row: &Row| -> (String, i64, &'static str) {
            let code = row.code.clone();
            match row.payment {
                None => (code, row.pence, "payment"),
                Some(_) => (code, -row.pence, "refund"),
            }
        };
        let lines = self.books(|books, _| {
            let refunds = books.refunds().filter(|row| row.status == "TRANSMITTED");
            books
                .payments()
                .chain(refunds)
                .map(line)
                .collect::<Vec<_>>()
        });
        statement(&lines)
    }
}

impl CardKeeper for Double {
    const NEVER: &'static str = "STOLEN_LOST_CARD";
    const LATER: &'static str = "INSUFFICIENT_FUND";
    const CUSTOMER: &'static str = "CONSUMER_AUTHENTICATION_REQUIRED";
    const REPEATS: bool = false;

    fn charges(&self) -> Vec<(String, i64)> {
        let line = |row: &Row| (row.code.clone(), row.pence);
        self.books(|books, _| books.charges().map(line).collect())
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
        self.fail("POST /pts/v2/payments", fault);
    }

    fn lose_removal(&self) {
        for _ in 0..3 {
            self.fail("DELETE /tms/v2/customers", Fault::Reset);
        }
    }

    fn cards(&self) -> usize {
        self.books(|books, _| books.customers.len())
    }

    fn remove_cards(&self) {
        self.books(|books, _| books.customers.clear());
    }
}
