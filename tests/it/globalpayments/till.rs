//! A shop that takes payments through the double, and a customer at its page.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::TimeDelta;
use layby::domain::payment::Payment;
use layby::products::Catalogue;
use poem::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::double::{ACCOUNT, APP, Books, Double, Entered, Form, KEY, News, Outcome};
use super::now;
use crate::policies::Customer;
use crate::support::{Answer, Made, Shop, two_vehicles};

pub const CALLBACK: &str = "/api/v1/gateway/globalpayments/callback";

const INITIATE: &str = "/api/v1/gateway/globalpayments/initiate";

/// A shop and a double with the same clock.
pub struct Till {
    pub double: Double,
    pub shop: Shop,
    pub quote: Made,
    time: Arc<AtomicI64>,
}

/// Returns the settings of a shop with the double. `gateways` is a TOML list.
pub fn settings(double: &Double, gateways: &str) -> String {
    format!("[payments]\ngateways = {gateways}\n{}", section(double))
}

/// Returns the gateway's own section of the settings.
pub fn section(double: &Double) -> String {
    format!(
        "[payments.globalpayments]\ntest = true\n\
         app_id = \"{APP}\"\napp_key = \"{KEY}\"\naccount_name = \"{ACCOUNT}\"\napi_url = \"{}\"\n",
        double.address()
    )
}

impl Till {
    async fn start() -> (Double, Shop, Arc<AtomicI64>) {
        let time = Arc::new(AtomicI64::new(now().timestamp()));
        let ticking = time.clone();
        let tick = move || ticking.load(Ordering::SeqCst);
        let double = Double::start("127.0.0.1:0", tick).unwrap();
        let shop = Shop::configured(&settings(&double, "[\"globalpayments\"]")).await;
        (double, shop, time)
    }

    /// Returns a shop with a policy that its customer cancelled at once. The refund is not requested yet.
    /// Also returns the customer's session.
    pub async fn cancelled() -> (Self, String) {
        let (double, shop, time) = Self::start().await;
        let ann = Customer::of(shop).await;
        let saved = ann.create(&two_vehicles());
        let body = saved.answers(StatusCode::CREATED).await.body;
        let uuid = body["data"]["uuid"].as_str().unwrap().to_owned();
        ann.accepts(&uuid, false).await;
        let started = ann.post(INITIATE, &json!({ "uuid": uuid }));
        started.succeeds().await;
        let quote = Made {
            uuid,
            token: String::new(),
            body,
        };
        let till = Self {
            double,
            shop: ann.shop,
            quote,
            time,
        };
        assert_eq!(till.pay(Entered::Good), Outcome::Paid);
        till.receive_all().await;
        let cancel = json!({
            "type": "cancellation", "policy_uuid": till.quote.uuid, "reason_id": 2,
            "effective_date": till.shop.app.clock.today(),
        });
        let call = till.shop.post("/api/v1/activity/create", &cancel);
        call.cookies(&ann.cookie).succeeds().await;
        (till, ann.cookie)
    }

    /// Returns a shop with an accepted quote that is not paid yet.
    pub async fn open() -> Self {
        let (double, shop, time) = Self::start().await;
        let quote = shop.quote(&two_vehicles()).await;
        shop.accept(&quote).await.expect(StatusCode::OK);
        Self {
            double,
            shop,
            quote,
            time,
        }
    }

    /// Returns the same shop, with the customer at the provider's page.
    pub async fn at_the_page() -> Self {
        let till = Self::open().await;
        till.initiate().await.expect(StatusCode::OK);
        till
    }

    /// Returns the same shop, with a sold policy.
    pub async fn paid() -> Self {
        let till = Self::at_the_page().await;
        assert_eq!(till.pay(Entered::Good), Outcome::Paid);
        till.receive_all().await;
        assert!(till.sold());
        till
    }

    /// Advances both clocks.
    pub fn wait(&self, time: TimeDelta) {
        self.shop.clock.advance(time);
        self.time.fetch_add(time.num_seconds(), Ordering::SeqCst);
    }

    /// Advances the provider's clock alone.
    pub fn provider_is_ahead_by(&self, time: TimeDelta) {
        self.time.fetch_add(time.num_seconds(), Ordering::SeqCst);
    }

    /// Waits, and runs the jobs that are due then.
    pub async fn wait_and_work(&self, time: TimeDelta) {
        self.wait(time);
        self.shop.work_with_failures().await;
    }

    pub async fn initiate(&self) -> Answer {
        let body = json!({ "uuid": self.quote.uuid });
        let call = self.shop.post(INITIATE, &body);
        call.bearer(&self.quote.token).send().await
    }

    /// Changes the double's books.
    pub fn books<T>(&self, with: impl FnOnce(&mut Books, i64) -> T) -> T {
        self.double.books(with)
    }

    /// Returns the customer's newest link.
    pub fn link(&self) -> String {
        let last = |books: &mut Books, _| books.links.last().unwrap()["id"].clone();
        self.books(last).as_str().unwrap().to_owned()
    }

    pub fn links(&self) -> usize {
        self.books(|books, _| books.links.len())
    }

    /// Returns the transaction that was made last.
    pub fn transaction(&self) -> String {
        let last = |books: &mut Books, _| books.transactions.last().unwrap()["id"].clone();
        self.books(last).as_str().unwrap().to_owned()
    }

    /// Enters a card as the customer.
    pub fn pay(&self, entered: Entered) -> Outcome {
        let link = self.link();
        self.books(|books, now| books.pay(&link, entered, now))
    }

    /// Pays as the customer, and loses the messages.
    pub fn pay_without_messages(&self) {
        assert_eq!(self.pay(Entered::Good), Outcome::Paid);
        self.double.news();
    }

    /// Delivers a message.
    pub async fn receive(&self, news: &News) -> Answer {
        let mut call = self.shop.call(Method::POST, CALLBACK);
        for (name, value) in news.headers() {
            call = call.header(name, value);
        }
        call.body(news.body.clone()).send().await
    }

    /// Delivers a body with a signature.
    pub async fn receive_raw(&self, body: &[u8], signature: &str) -> Answer {
        let call = self.shop.call(Method::POST, CALLBACK);
        let call = call.header("X-GP-Signature", signature);
        call.body(body.to_vec()).send().await
    }

    /// Delivers all messages, and checks that they are accepted.
    pub async fn receive_all(&self) {
        for news in self.double.news() {
            self.receive(&news).await.expect(StatusCode::OK);
        }
    }

    /// Returns the last message, changed at the provider before it was signed.
    pub fn changed(&self, change: impl FnOnce(&mut Value)) -> News {
        let last = self.double.news().pop().unwrap();
        let mut message: Value = serde_json::from_slice(&last.body).unwrap();
        change(&mut message);
        News::new(&last.address, &message, Form::Plain)
    }

    /// Returns the response to the customer's polling page. The call may ask the provider.
    pub async fn poll(&self) -> Answer {
        self.wait(TimeDelta::seconds(2));
        self.shop.payment(&self.quote).await.expect(StatusCode::OK)
    }

    /// Restarts the shop as after a kill, with these settings.
    pub async fn restarted(mut self, settings: &str) -> Self {
        let catalogue = Catalogue::load(None).unwrap();
        self.shop = self.shop.restarted(settings, catalogue).await;
        self
    }

    pub fn sold(&self) -> bool {
        self.shop.has_sold(&self.quote)
    }

    pub fn attempts(&self) -> Vec<Payment> {
        self.shop.attempts(&self.quote)
    }

    /// Returns the only attempt.
    pub fn attempt(&self) -> Payment {
        let mut all = self.attempts();
        assert_eq!(all.len(), 1);
        all.remove(0)
    }

    /// Returns the shop's money at the provider, in pence.
    pub fn balance(&self) -> i64 {
        self.books(|books, _| books.balance())
    }
}
