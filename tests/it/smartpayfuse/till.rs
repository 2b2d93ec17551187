//! A shop that takes payments through the double, and a customer at its page.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, TimeDelta, Utc};
use layby::domain::money::Pence;
use layby::domain::payment::refund::Refund;
use layby::domain::payment::{Payment, PaymentStatus};
use layby::products::Catalogue;
use layby::store::{Direction, tables};
use poem::http::{Method, StatusCode};
use serde_json::json;
use uuid::Uuid;

use super::double::{self, Double, Pairs, Verdict};
use crate::support::stores::snapshot;
use crate::support::{Answer, Made, NOW, ORIGIN, Shop, two_vehicles};

pub const CALLBACK: &str = "/api/v1/gateway/smartpayfuse/callback";

/// A shop and a double with the same clock.
pub struct Till {
    pub double: Double,
    pub shop: Shop,
    pub quote: Made,
    time: Arc<AtomicI64>,
}

/// Returns the settings of a shop with the double. `more` are lines of its section.
pub fn settings(double: &Double, gateways: &str, more: &str) -> String {
    let address = double.address();
    let (profile, access_key, secret) = (double::PROFILE, double::ACCESS_KEY, double::SECRET);
    let keys = if more.contains("access_key") {
        String::new()
    } else {
        format!("access_key = \"{access_key}\"\nsecret_key = \"{secret}\"\n")
    };
    format!(
        "[payments]\ngateways = {gateways}\n[payments.smartpayfuse]\ntest = true\n\
         profile_id = \"{profile}\"\n{keys}rest_merchant_id = \"{}\"\nrest_key = \"{}\"\n\
         rest_secret = \"{}\"\npage_url = \"{address}\"\napi_url = \"{address}\"\n{more}\n",
        double::MERCHANT,
        double::REST_KEY,
        double::REST_SECRET,
    )
}

/// Returns a field.
pub fn get<'a>(pairs: &'a Pairs, name: &str) -> &'a str {
    let found = pairs.iter().find(|(own, _)| own == name);
    found.map_or("", |(_, value)| value.as_str())
}

/// Returns the fields with one changed or added, and the old signature.
pub fn with(pairs: &Pairs, name: &str, value: &str) -> Pairs {
    let mut pairs = pairs.clone();
    match pairs.iter_mut().find(|(own, _)| own == name) {
        Some((_, old)) => value.clone_into(old),
        None => pairs.push((name.to_owned(), value.to_owned())),
    }
    pairs
}

/// Returns the fields without one.
pub fn without(pairs: &Pairs, name: &str) -> Pairs {
    let pairs = pairs.iter().filter(|(own, _)| own != name);
    pairs.cloned().collect()
}

/// Signs fields as Fuse does.
pub fn signed(pairs: &Pairs, secret: &str) -> Pairs {
    with(pairs, "signature", &double::signature(pairs, secret))
}

impl Till {
    /// Returns a shop with an accepted quote that is not paid yet.
    pub async fn open() -> Self {
        Self::open_with("").await
    }

    /// Returns a shop like `open` does, with more lines in the section of the settings.
    pub async fn open_with(more: &str) -> Self {
        let start: DateTime<Utc> = NOW.parse().unwrap();
        let time = Arc::new(AtomicI64::new(start.timestamp()));
        let ticking = time.clone();
        let tick = move || ticking.load(Ordering::SeqCst);
        let double = Double::start("127.0.0.1:0", tick).unwrap();
        let settings = settings(&double, "[\"smartpayfuse\"]", more);
        let shop = Shop::configured(&settings).await;
        let quote = shop.quote(&two_vehicles()).await;
        shop.accept(&quote).await.expect(StatusCode::OK);
        Self {
            double,
            shop,
            quote,
            time,
        }
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

    /// Advances Fuse's clock alone.
    pub fn our_clock_is_behind_by(&self, time: TimeDelta) {
        self.time.fetch_add(time.num_seconds(), Ordering::SeqCst);
    }

    pub async fn initiate(&self) -> Answer {
        let body = json!({ "uuid": self.quote.uuid });
        let path = "/api/v1/gateway/smartpayfuse/initiate";
        let call = self.shop.post(path, &body);
        call.bearer(&self.quote.token).send().await
    }

    /// Begins a payment. Returns the fields of its form.
    pub async fn form(&self) -> Pairs {
        let started = self.initiate().await.expect(StatusCode::OK);
        let fields = started.at("/data/fields").as_object().unwrap().iter();
        fields
            .map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()))
            .collect()
    }

    /// Begins a payment, and opens its page.
    pub async fn page(&self) -> usize {
        let form = self.form().await;
        self.double.open("/embedded/pay", &form).unwrap()
    }

    /// Begins a payment, and ends its page. Returns the signed answer.
    pub async fn end(&self, verdict: Verdict) -> Pairs {
        let page = self.page().await;
        self.double.end(page, verdict)
    }

    /// Posts an answer as Fuse's server does.
    pub async fn post(&self, answer: &Pairs) -> Answer {
        let call = self.shop.call(Method::POST, CALLBACK);
        let call = call.header("Content-Type", "application/x-www-form-urlencoded");
        let body = serde_urlencoded::to_string(answer).unwrap();
        call.body(body).send().await
    }

    /// Posts an answer as the browser does in the frame: from another site, without a cookie.
    pub async fn receipt(&self, answer: &Pairs) -> String {
        let name = match get(answer, "decision") {
            "CANCEL" => "req_override_custom_cancel_page",
            _ => "req_override_custom_receipt_page",
        };
        let path = get(answer, name).strip_prefix(ORIGIN).unwrap();
        let sent = self
            .shop
            .page(Method::POST, path)
            .header("Origin", self.double.address())
            .header("Sec-Fetch-Site", "cross-site")
            .content_type("application/x-www-form-urlencoded")
            .body(serde_urlencoded::to_string(answer).unwrap());
        let answered = sent.send().await;
        answered.assert_status(StatusCode::OK);
        answered.0.into_body().into_string().await.unwrap()
    }

    /// Returns the response to the customer's polling page. The call may ask Fuse.
    pub async fn looks(&self) -> Answer {
        self.wait(TimeDelta::seconds(2));
        self.shop.payment(&self.quote).await.expect(StatusCode::OK)
    }

    /// Runs the due jobs, 20 minutes later. A failed job is due again later.
    pub async fn work(&self) {
        self.wait(TimeDelta::minutes(20));
        let app = &self.shop.app;
        for queue in layby::app::jobs::JobQueue::ALL {
            let due = layby::app::jobs::due_jobs(&app.store, &app.clock, queue, 100);
            for (key, job) in due.await.unwrap().jobs {
                // Some fail on purpose.
                let _ = layby::app::jobs::run_job(app, key, job).await;
            }
        }
    }

    /// Restarts the shop as after a kill, with these settings.
    pub async fn restarted_with(mut self, settings: &str) -> Self {
        let catalogue = Catalogue::load(None).unwrap();
        self.shop = self.shop.restarted(settings, catalogue).await;
        self
    }

    pub fn policy(&self) -> Uuid {
        self.quote.uuid.parse().unwrap()
    }

    /// Checks whether the stored quote has become a policy.
    pub fn sold(&self) -> bool {
        let tx = snapshot(&self.shop.app.store);
        tables::POLICIES.has(&tx, &self.policy()).unwrap()
    }

    pub fn attempts(&self) -> Vec<Payment> {
        let tx = snapshot(&self.shop.app.store);
        let rows = tables::PAYMENT_BY_QUOTE.list(&tx, &self.policy(), Direction::Forward, 100);
        let rows = rows.unwrap().into_iter();
        rows.map(|((_, id), ())| tables::PAYMENTS.get(&tx, &id).unwrap().unwrap())
            .collect()
    }

    /// Returns the only attempt.
    pub fn attempt(&self) -> Payment {
        let mut all = self.attempts();
        assert_eq!(all.len(), 1);
        all.remove(0)
    }

    pub fn status(&self) -> PaymentStatus {
        self.attempt().status
    }

    /// Returns the shop's money at Fuse in pence: payments less refunds.
    pub fn kept(&self) -> i64 {
        self.double.books(|books, _| books.kept())
    }

    /// Checks that there is one policy, and its money.
    pub fn assert_sold_once(&self) {
        assert!(self.sold());
        let attempts = self.attempts();
        let applied: Vec<_> = attempts.iter().filter(|one| one.is_applied()).collect();
        assert_eq!(applied.len(), 1);
        assert_eq!(self.kept(), applied[0].amount.0);
        let tx = snapshot(&self.shop.app.store);
        let entries = tables::LEDGER
            .list(&tx, &self.policy(), Direction::Forward, 100)
            .unwrap();
        let paid = entries
            .iter()
            .filter(|(_, entry)| entry.cause_id == applied[0].id);
        assert_eq!(paid.count(), 1);
    }

    /// Checks that nothing was sold, and no attempt has ended.
    pub fn assert_open(&self) {
        assert!(!self.sold());
        assert!(self.attempts().iter().all(|one| one.status.is_open()));
    }

    /// Returns a sold policy.
    pub async fn paid() -> Self {
        let till = Self::open().await;
        let answer = till.end(Verdict::Accept).await;
        till.post(&answer).await.expect(StatusCode::OK);
        till.assert_sold_once();
        till
    }

    /// Makes the shop owe a refund of the only payment. Returns its id.
    pub async fn owe(&self, amount: Pence, cause: u128) -> Uuid {
        let (policy, now) = (self.policy(), self.shop.clock.now());
        let owe = move |tx: &mut layby::store::WriteTx<'_>| {
            let cause = Uuid::from_u128(cause);
            layby::app::payments::refunds::unrefunded::refund_to_cards(
                tx, policy, cause, amount, now,
            )
        };
        self.shop.app.store.write(owe).await.unwrap()[0].id
    }

    pub fn refund(&self, id: Uuid) -> Refund {
        let tx = snapshot(&self.shop.app.store);
        tables::REFUNDS.get(&tx, &id).unwrap().unwrap()
    }
}
