//! A shop that takes payments through the double, and a customer at its page.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::TimeDelta;
use layby::domain::payment::Payment;
use layby::products::Catalogue;
use poem::http::{Method, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use super::double::{Card, Double, Outcome, SECRET, Webhook, signature};
use super::now;
use crate::support::{Answer, Made, Shop, two_vehicles};

pub const CALLBACK: &str = "/api/v1/gateway/stripe/callback";

/// A shop and a double with the same clock.
pub struct Till {
    pub double: Double,
    pub shop: Shop,
    pub quote: Made,
    time: Arc<AtomicI64>,
}

/// Returns the settings of a shop with the double. `gateways` is a TOML list.
pub fn settings(double: &Double, gateways: &str) -> String {
    format!(
        "[payments]\ngateways = {gateways}\n[payments.stripe]\ntest = true\n\
         secret_key = \"sk_test_double\"\nwebhook_secrets = [\"{SECRET}\"]\napi_url = \"{}\"\n",
        double.address()
    )
}

impl Till {
    /// Returns a shop with an accepted quote that is not paid yet.
    pub async fn open() -> Self {
        let time = Arc::new(AtomicI64::new(now().timestamp()));
        let ticking = time.clone();
        let tick = move || ticking.load(Ordering::SeqCst);
        let double = Double::start("127.0.0.1:0", None, tick).unwrap();
        let shop = Shop::configured(&settings(&double, "[\"stripe\"]")).await;
        let quote = shop.quote(&two_vehicles()).await;
        shop.accept(&quote).await.expect(StatusCode::OK);
        Self {
            double,
            shop,
            quote,
            time,
        }
    }

    /// Returns the same shop, with the customer at Stripe's page.
    pub async fn at_the_page() -> Self {
        let till = Self::open().await;
        till.initiate().await.expect(StatusCode::OK);
        till
    }

    /// Advances both clocks.
    pub fn wait(&self, time: TimeDelta) {
        self.shop.clock.advance(time);
        self.time.fetch_add(time.num_seconds(), Ordering::SeqCst);
    }

    /// Advances the shop's clock alone.
    pub fn our_clock_is_ahead_by(&self, time: TimeDelta) {
        self.shop.clock.advance(time);
    }

    /// Advances Stripe's clock alone.
    pub fn our_clock_is_behind_by(&self, time: TimeDelta) {
        self.time.fetch_add(time.num_seconds(), Ordering::SeqCst);
    }

    pub async fn initiate(&self) -> Answer {
        let body = json!({ "uuid": self.quote.uuid });
        let call = self.shop.post("/api/v1/gateway/stripe/initiate", &body);
        call.bearer(&self.quote.token).send().await
    }

    /// Returns the customer's newest session.
    pub fn session(&self) -> String {
        let newest = |books: &mut super::double::Books, _| {
            books.sessions.all().last().unwrap()["id"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        self.double.books(newest)
    }

    /// Enters a card as the customer.
    pub fn pay(&self, card: Card) -> Outcome {
        let session = self.session();
        self.double
            .books(|books, now| books.pay(&session, card, now).unwrap())
    }

    /// Pays as the customer, and loses Stripe's webhooks.
    pub fn paid_and_nothing_heard(&self) {
        assert_eq!(self.pay(Card::VISA), Outcome::Paid);
        self.double.webhooks();
    }

    pub async fn hear(&self, webhook: &Webhook) -> Answer {
        self.hear_raw(&webhook.body, &webhook.signature).await
    }

    pub async fn hear_raw(&self, body: &str, signature: &str) -> Answer {
        let call = self.shop.call(Method::POST, CALLBACK);
        let call = call.header("Stripe-Signature", signature);
        call.body(body.to_owned()).send().await
    }

    /// Delivers all of Stripe's webhooks, and checks that they are accepted.
    pub async fn hear_all(&self) {
        for webhook in self.double.webhooks() {
            self.hear(&webhook).await.expect(StatusCode::OK);
        }
    }

    /// Returns the next webhook of this kind, changed at Stripe before it was signed.
    pub fn changed(&self, kind: &str, change: impl Fn(&mut Value)) -> Webhook {
        let told = self.double.webhooks();
        let told = told.into_iter().find(|told| told.kind == kind).unwrap();
        let mut event: Value = serde_json::from_str(&told.body).unwrap();
        change(&mut event);
        Webhook::of(
            &event,
            &[SECRET.to_owned()],
            self.time.load(Ordering::SeqCst),
        )
    }

    /// Returns the header of a body that was signed with `secret`, `seconds_ago`.
    pub fn signed(&self, body: &str, secret: &str, seconds_ago: i64) -> String {
        let time = self.time.load(Ordering::SeqCst) - seconds_ago;
        signature(body, &[secret.to_owned()], time)
    }

    /// Returns the response to the customer's polling page. The call may ask Stripe.
    pub async fn looks(&self) -> Answer {
        self.wait(TimeDelta::seconds(2));
        self.shop.payment(&self.quote).await.expect(StatusCode::OK)
    }

    /// Restarts the shop as after a kill, with these gateways offered.
    pub async fn restarted(self, gateways: &str) -> Self {
        let settings = settings(&self.double, gateways);
        self.restarted_with(&settings).await
    }

    /// Restarts the shop as after a kill, with these settings.
    pub async fn restarted_with(mut self, settings: &str) -> Self {
        let catalogue = Catalogue::load(None).unwrap();
        self.shop = self.shop.restarted(settings, catalogue).await;
        self
    }

    pub fn policy(&self) -> Uuid {
        self.quote.id()
    }

    /// Checks whether the stored quote has become a policy.
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

    /// Returns the shop's money at Stripe in pence: payments less refunds.
    pub fn kept_at_stripe(&self) -> i64 {
        self.double.books(|books, _| books.kept())
    }

    pub fn sessions(&self) -> usize {
        self.double.books(|books, _| books.sessions.all().len())
    }
}
