//! Statements of prices, days and states in letters, documents and pages, compared with figures worked out by
//! hand. docs/STATEMENTS.md lists them.

mod cancelled_later;
mod changed;
mod disputed;
mod gadget;
mod quoted;
mod renewed;
mod trip;
mod unapplied;

use chrono::NaiveDate;
use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::policies::Customer;
use crate::support::Letter;
use crate::support::pdf::text_of;

/// A customer, the policy, and the letters that were read.
struct Life {
    ann: Customer,
    policy: String,
    /// The letters that were read already. Letters of one moment have no order.
    read: Vec<String>,
}

impl Life {
    /// Buys the product on 21 November 2026.
    async fn of(product: &Value, auto_renew: bool) -> Self {
        let ann = Customer::new().await;
        let policy = ann
            .buys_for_now(product, super::policies::PAYS, auto_renew)
            .await;
        ann.works().await;
        Self {
            ann,
            policy,
            read: Vec::new(),
        }
    }

    async fn until(&mut self, day: &str) {
        let day: NaiveDate = day.parse().unwrap();
        let days = (day - self.ann.shop.app.clock.today()).num_days();
        self.ann.sleeps(days).await;
    }

    /// Returns the only letter since the last call.
    #[track_caller]
    fn letter(&mut self) -> Vec<String> {
        let mut all = self.letters();
        assert_eq!(all.len(), 1, "{all:#?}");
        all.remove(0)
    }

    /// Returns the statements of the letters since the last call, line by line.
    fn letters(&mut self) -> Vec<Vec<String>> {
        let mut letters = self.ann.shop.letters();
        letters.retain(|letter| !self.read.contains(&letter.text));
        self.read
            .extend(letters.iter().map(|letter| letter.text.clone()));
        letters.iter().map(stated).collect()
    }

    async fn document(&self, title: &str) -> Document {
        Document::read(&self.ann.document(&self.policy, title).await)
    }

    /// Returns a part of the policy page's data.
    async fn page(&self, pointer: &str) -> Value {
        self.ann.policy(&self.policy).await.at(pointer).clone()
    }

    /// Returns the policy's row in the account: its status, first and last day and price.
    async fn listed(&self) -> Value {
        let path = "/api/v2/policy/list?limit=100&quoteStatus[]=5&quoteStatus[]=8&\
                    quoteStatus[]=14&quoteStatus[]=15&quoteStatus[]=16";
        let list = self.ann.get(path).succeeds().await;
        let rows = list.at("/data").as_array().unwrap().clone();
        let mut own = rows
            .into_iter()
            .filter(|row| row["policy_uuid"] == self.policy.as_str());
        let row = own.next().unwrap();
        json!([
            row["status_title"],
            row["date_inception"],
            row["date_expiry"],
            row["amount_total"]
        ])
    }

    /// Asks for a change for a day and agrees to it, by card if money is due. Returns the offer.
    async fn changes(&self, values: Value, day: &str) -> Value {
        let offer = self.ann.asks(&self.policy, values, Some(day)).await;
        let offer = offer.expect(StatusCode::OK);
        let id = offer.text("/data/adjustment_id");
        if offer.at("/data/amount_now").as_f64().unwrap() > 0.0 {
            self.ann.enters_card(&id, super::policies::PAYS).await;
        } else {
            let agreed = self.ann.agrees(&self.policy, &id).await;
            agreed.expect(StatusCode::OK);
        }
        self.ann.works().await;
        offer.at("/data").clone()
    }

    async fn cancels(&self, day: &str) -> Value {
        let asked = json!({ "effective_date": day });
        let asked = self.ann.cancels(&self.policy, asked).await;
        self.ann.works().await;
        asked.expect(StatusCode::OK).at("/data").clone()
    }
}

/// Returns a letter's statements: subject, title, sentences and facts, up to its first link.
fn stated(letter: &Letter) -> Vec<String> {
    let text = letter.text.replace('\r', "");
    let (_, body) = text.split_once("Content-Transfer-Encoding:").unwrap();
    let (body, _) = body.split_once("\nhttp").unwrap();
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut lines = vec![letter.subject.clone()];
    for part in body.split("\n\n").skip(1) {
        // Each fact begins a line with its name. A continued line is indented.
        let facts = part.replace("\n ", " ");
        if ["Policy:", "Quote:"]
            .iter()
            .any(|name| part.starts_with(name))
        {
            lines.extend(facts.lines().map(plain));
        } else {
            lines.push(plain(part));
        }
    }
    lines.retain(|line| line != "Hello,");
    lines.pop();
    lines
}

/// The text of a document in one line, or `None` on a machine without a PDF reader.
struct Document(Option<String>);

impl Document {
    fn read(pdf: &[u8]) -> Self {
        let text = text_of(pdf);
        Self(text.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")))
    }

    /// Checks that it contains all of these sentences, in order.
    #[track_caller]
    fn says(&self, sentences: &[&str]) -> &Self {
        let Some(text) = &self.0 else { return self };
        let mut rest = text.as_str();
        for sentence in sentences {
            let Some((_, after)) = rest.split_once(sentence) else {
                panic!("{sentence} isn't in, or not after the one before, in: {text}");
            };
            rest = after;
        }
        self
    }

    #[track_caller]
    fn never_says(&self, words: &[&str]) -> &Self {
        let Some(text) = &self.0 else { return self };
        for word in words {
            assert!(!text.contains(word), "{word} in: {text}");
        }
        self
    }
}
