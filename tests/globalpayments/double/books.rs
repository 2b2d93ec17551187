//! The double's objects: links, transactions, and the messages about them.

use serde_json::{Value, json};

use super::api::{Refusal, books_time, invalid, text, unknown};
use super::news::{Form, News};

/// What a customer enters on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entered {
    /// A card that the bank accepts.
    Good,
    /// A card that the bank declines.
    Declined,
    /// A card whose bank decides later.
    Slow,
    /// The button that leaves the page.
    Cancel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Paid,
    Declined,
    Pending,
    /// The page takes no card.
    TooLate,
}

/// The provider's stored state.
#[derive(Clone)]
pub struct Books {
    pub links: Vec<Value>,
    pub transactions: Vec<Value>,
    /// The stored cards.
    pub methods: Vec<Value>,
    /// The bank's result for each charge of a stored card, or `None` if it approves.
    pub declines_charges: Option<&'static str>,
    /// Whether each charge of a stored card is refused as an invalid request.
    pub refuses_charges: bool,
    pub news: Vec<News>,
    /// The form of messages.
    pub form: Form,
    /// The status of a good payment: `CAPTURED`, or `PREAUTHORIZED` as on the shared sandbox.
    pub good_status: &'static str,
    /// The status of a new refund.
    pub refund_status: &'static str,
    /// Whether a search finds what was made. A search may lag behind.
    pub is_searchable: bool,
    /// Whether a change of its status ends a link.
    pub ends_by_change: bool,
    /// Whether the page stays on its result, as on the shared sandbox, or comes back.
    pub comes_back: bool,
    made: u64,
}

impl Default for Books {
    fn default() -> Self {
        Self {
            links: Vec::new(),
            transactions: Vec::new(),
            methods: Vec::new(),
            declines_charges: None,
            refuses_charges: false,
            news: Vec::new(),
            form: Form::Plain,
            good_status: "CAPTURED",
            refund_status: "CAPTURED",
            is_searchable: true,
            ends_by_change: true,
            comes_back: false,
            made: 0,
        }
    }
}

impl Books {
    pub(super) fn id(&mut self, prefix: &str) -> String {
        self.made += 1;
        format!("{prefix}_double{:08}", self.made)
    }

    /// Makes a link and its first transaction. `pages` is the address of the redirect to a page.
    pub fn make_link(&mut self, given: &Value, pages: &str, now: i64) -> Value {
        let (id, transaction) = (self.id("LNK"), self.id("TRN"));
        let link = json!({
            "id": id,
            "status": "ACTIVE",
            "url": format!("{pages}/{}", id.trim_start_matches("LNK_")),
            "reference": given["reference"],
            "name": given["name"],
            "type": given["type"],
            "usage_mode": given["usage_mode"],
            "expiration_date": given["expiration_date"],
            "time_created": books_time(now),
            "order": given["order"],
            "payer": given["payer"],
            "notifications": given["notifications"],
        });
        self.links.push(link);
        self.begin_transaction(&id, &transaction, now);
        self.shown_link(&id).unwrap_or_default()
    }

    fn begin_transaction(&mut self, link: &str, id: &str, now: i64) {
        let order = self.link(link).unwrap()["order"].clone();
        self.transactions.push(json!({
            "id": id,
            "status": "INITIATED",
            "type": "SALE",
            "channel": "CNP",
            "amount": order["amount"],
            "currency": order["currency"],
            "reference": order["reference"],
            "country": "GB",
            "time_created": books_time(now),
            "_link": link,
        }));
    }

    pub(super) fn link(&self, id: &str) -> Result<&Value, Refusal> {
        let found = self.links.iter().find(|link| link["id"] == id);
        found.ok_or_else(|| unknown("Link"))
    }

    /// Returns the link of the page with this guid.
    pub fn link_of_page(&self, guid: &str) -> Option<&Value> {
        let id = format!("LNK_{guid}");
        self.links.iter().find(|link| link["id"] == *id)
    }

    /// Returns a link with its transactions.
    pub fn shown_link(&self, id: &str) -> Result<Value, Refusal> {
        let mut link = self.link(id)?.clone();
        let own = self.transactions.iter().filter(|one| one["_link"] == id);
        let own = own.map(|one| json!({ "id": one["id"], "status": one["status"] }));
        link["transactions"] = json!({ "transaction_list": own.collect::<Vec<_>>() });
        Ok(link)
    }

    pub fn listed_links(&self, reference: &str) -> Vec<Value> {
        let own = self
            .links
            .iter()
            .filter(|one| one["reference"] == reference);
        let own = own.filter(|_| self.is_searchable);
        own.map(|one| self.shown_link(text(one, "/id")).unwrap_or_default())
            .collect()
    }

    /// Sets a member of a link or of a transaction.
    pub fn set(&mut self, id: &str, name: &str, value: Value) {
        let mut all = self.links.iter_mut().chain(&mut self.transactions);
        let one = all.find(|one| one["id"] == id).unwrap();
        one[name] = value;
    }

    pub fn change_link(&mut self, id: &str, status: &str) -> Result<Value, Refusal> {
        if self.link(id)?["status"] != "ACTIVE" {
            return Err(invalid("40090", "The link has ended."));
        }
        if self.ends_by_change {
            self.set(id, "status", status.into());
        }
        self.shown_link(id)
    }

    /// Ends the links whose time has come.
    pub fn end_links(&mut self, now: i64) {
        let now = books_time(now);
        for link in &mut self.links {
            if link["status"] == "ACTIVE" && *text(link, "/expiration_date") <= *now {
                link["status"] = "EXPIRED".into();
            }
        }
    }

    pub fn transaction(&self, id: &str) -> Result<Value, Refusal> {
        let found = self.transactions.iter().find(|one| one["id"] == id);
        found.map(shown).ok_or_else(|| unknown("Transaction"))
    }

    /// Returns the transactions that a search finds. It finds none before the customer pays.
    /// Lists the transactions with a reference, or those since a day.
    pub fn listed_transactions(&self, reference: &str, from: &str) -> Vec<Value> {
        let own = self.transactions.iter();
        let own = own.filter(|one| match from {
            "" => one["reference"] == reference && one["status"] != "INITIATED",
            day => text(one, "/time_created") >= day,
        });
        own.filter(|_| self.is_searchable).map(shown).collect()
    }

    /// Enters a card on the page of a link.
    pub fn pay(&mut self, link: &str, entered: Entered, now: i64) -> Outcome {
        self.end_links(now);
        if self.link(link).unwrap_or_else(|_| panic!("{link}"))["status"] != "ACTIVE" {
            return Outcome::TooLate;
        }
        self.pay_unless_paid(link, entered, now)
    }

    /// Enters a card on a page that was opened while its link was active.
    pub fn pay_unless_paid(&mut self, link: &str, entered: Entered, now: i64) -> Outcome {
        if self.link(link).unwrap_or_else(|_| panic!("{link}"))["status"] == "PAID" {
            return Outcome::TooLate;
        }
        let open = self.transactions.iter();
        let open = open.filter(|one| one["_link"] == link && one["status"] == "INITIATED");
        let open = open.map(|one| text(one, "/id").to_owned()).next();
        let id = open.unwrap_or_else(|| {
            let id = self.id("TRN");
            self.begin_transaction(link, &id, now);
            id
        });
        let (outcome, status, result, code) = match entered {
            Entered::Good => (Outcome::Paid, self.good_status, "00", "SUCCESS"),
            Entered::Declined => (Outcome::Declined, "DECLINED", "101", "DECLINED"),
            Entered::Slow => (Outcome::Pending, "PENDING", "01", "SUCCESS"),
            Entered::Cancel => (Outcome::Declined, "CANCELLED", "", "DECLINED"),
        };
        let mut method = match entered {
            Entered::Good | Entered::Slow => self.keep_card(link),
            Entered::Declined | Entered::Cancel => json!({}),
        };
        method["result"] = result.into();
        method["message"] = if result == "00" {
            "[ test system ] AUTHORISED"
        } else {
            ""
        }
        .into();
        method["entry_mode"] = "ECOM".into();
        self.set(&id, "payment_method", method);
        self.change(&id, status, code, now);
        if outcome == Outcome::Paid {
            self.set(link, "status", "PAID".into());
        }
        outcome
    }

    /// Changes a transaction's status, and makes the message about it.
    pub fn change(&mut self, id: &str, status: &str, code: &str, now: i64) {
        let own = self.transactions.iter_mut().find(|one| one["id"] == id);
        if let Some(method) = own.and_then(|one| one.get_mut("payment_method"))
            && status == "CAPTURED"
        {
            method["result"] = "00".into();
        }
        let action = self.id("ACT");
        self.set(id, "status", status.into());
        self.set(
            id,
            "action",
            json!({
                "id": action,
                "type": "AUTHORIZE",
                "time_created": books_time(now),
                "result_code": code,
            }),
        );
        let found = self.transactions.iter().find(|one| one["id"] == id);
        let (mut message, link) = found.map(|one| (shown(one), one["_link"].clone())).unwrap();
        let Ok(link) = self.link(link.as_str().unwrap_or_default()) else {
            return;
        };
        message["link_data"] = json!({ "id": link["id"], "reference": link["reference"] });
        let address = text(link, "/notifications/status_url").to_owned();
        let news = News::new(&address, &message, self.form);
        self.news.push(news);
    }

    /// Returns the message about a link's last transaction for its return address.
    pub fn return_news(&self, link: &str) -> Option<News> {
        let link = self.link(link).ok()?;
        let mut own = self
            .transactions
            .iter()
            .filter(|one| one["_link"] == link["id"]);
        let mut message = shown(own.next_back()?);
        message["link_data"] = json!({ "id": link["id"], "reference": link["reference"] });
        let address = text(link, "/notifications/return_url");
        Some(News::new(address, &message, self.form))
    }

    /// Refunds a part of a payment.
    pub fn refund(&mut self, id: &str, amount: &str, now: i64) -> Result<Value, Refusal> {
        let payment = self.transaction(id)?;
        let pence = |text: &str| text.parse::<i64>().unwrap_or(0);
        let wanted = pence(amount);
        let is_paid = ["CAPTURED", "BATCHED", "FUNDED"].contains(&text(&payment, "/status"));
        let taken = pence(text(&payment, "/amount"));
        if !is_paid || wanted <= 0 || wanted > taken - self.refunded(id) {
            return Err(invalid(
                "40087",
                "You may only refund up to 100% of the original amount",
            ));
        }
        let refund = self.id("TRN");
        let (status, currency) = (self.refund_status, &payment["currency"]);
        // Whether a refund has its payment's reference isn't known. The worse case for a search is that it has.
        self.transactions.push(json!({
            "id": refund,
            "status": status,
            "type": "REFUND",
            "channel": "CNP",
            "amount": amount,
            "currency": currency,
            "reference": payment["reference"],
            "time_created": books_time(now),
            "payment_method": { "result": "00" },
            "action": { "type": "REFUND", "time_created": books_time(now), "result_code": "SUCCESS" },
            "_payment": id,
        }));
        self.transaction(&refund)
    }

    fn refunded(&self, payment: &str) -> i64 {
        let own = self
            .transactions
            .iter()
            .filter(|one| one["_payment"] == payment);
        let own = own.filter(|one| one["status"] != "DECLINED");
        own.map(|one| text(one, "/amount").parse::<i64>().unwrap_or(0))
            .sum()
    }

    /// Returns the ids of all refunds.
    pub fn refunds(&self) -> Vec<String> {
        let all = self
            .transactions
            .iter()
            .filter(|one| one["type"] == "REFUND");
        all.map(|one| text(one, "/id").to_owned()).collect()
    }

    /// Takes a payment back.
    pub fn reverse(&mut self, id: &str, now: i64) -> Result<Value, Refusal> {
        self.transaction(id)?;
        self.change(id, "REVERSED", "SUCCESS", now);
        self.transaction(id)
    }

    /// Returns our money at the provider in pence: captured payments less refunds.
    pub fn balance(&self) -> i64 {
        let paid = self.transactions.iter();
        let paid = paid.filter(|one| one["type"] == "SALE" && one["status"] == "CAPTURED");
        paid.map(|one| {
            let taken: i64 = text(one, "/amount").parse().unwrap_or(0);
            taken - self.refunded(text(one, "/id"))
        })
        .sum()
    }
}

/// Returns an object without the double's own members.
fn shown(one: &Value) -> Value {
    let members = one.as_object().into_iter().flatten();
    let members = members.filter(|(name, _)| !name.starts_with('_'));
    members
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}
