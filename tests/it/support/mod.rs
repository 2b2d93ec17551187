//! A shop to test: the real router over an in-memory store with a fixed clock.

pub mod pdf;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use layby::api;
use layby::app::App;
use layby::clock::Clock;
use layby::config::{Config, Sources};
use layby::products::Catalogue;
use layby::store::Store;
use poem::Response;
use poem::http::StatusCode;
use poem::test::{TestClient, TestRequestBuilder};
use serde_json::{Value, json};

/// Noon in London, on a Saturday in autumn.
pub const NOW: &str = "2026-11-21T12:00:00.000123Z";
/// Where the tests' pages come from.
pub const ORIGIN: &str = "http://shop.test";

type Client = TestClient<poem::endpoint::BoxEndpoint<'static, Response>>;

/// A shop, and a client of it.
pub struct Shop {
    pub app: Arc<App>,
    pub clock: Clock,
    client: Client,
    data: tempfile::TempDir,
}

/// What a call answered.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: poem::http::HeaderMap,
    pub body: Value,
    pub bytes: Vec<u8>,
}

/// A quote that was just made, and the visitor's right to it.
pub struct Made {
    pub uuid: String,
    pub token: String,
    pub body: Value,
}

impl Shop {
    pub async fn new() -> Self {
        Self::over(Store::in_memory().unwrap(), NOW).await
    }

    /// A shop over a store that already lived.
    pub async fn over(store: Store, now: &str) -> Self {
        Self::reachable_at(store, now, ORIGIN).await
    }

    pub async fn reachable_at(store: Store, now: &str, local_url: &str) -> Self {
        let builtin = Catalogue::load(None).unwrap();
        Self::made_of(store, now, local_url, &Sources::default(), builtin).await
    }

    /// A shop with a settings file.
    pub async fn configured(settings: &str) -> Self {
        let sources = Sources {
            file: Some(("shop.toml".to_string(), settings.to_string())),
            ..Sources::default()
        };
        let (store, builtin) = (Store::in_memory().unwrap(), Catalogue::load(None).unwrap());
        Self::made_of(store, NOW, ORIGIN, &sources, builtin).await
    }

    /// A shop that sells these products.
    pub async fn selling(catalogue: Catalogue) -> Self {
        let store = Store::in_memory().unwrap();
        Self::made_of(store, NOW, ORIGIN, &Sources::default(), catalogue).await
    }

    /// The same shop, started again with these products.
    pub async fn restarted(&self, settings: &str, catalogue: Catalogue) -> Self {
        let sources = Sources {
            file: Some(("shop.toml".to_string(), settings.to_string())),
            ..Sources::default()
        };
        let (store, now) = (self.app.store.clone(), self.clock.now().to_rfc3339());
        Self::made_of(store, &now, ORIGIN, &sources, catalogue).await
    }

    async fn made_of(
        store: Store,
        now: &str,
        local_url: &str,
        sources: &Sources,
        catalogue: Catalogue,
    ) -> Self {
        let clock = Clock::fixed(now.parse::<DateTime<Utc>>().unwrap());
        let mut config = Config::load(sources).unwrap();
        let data = tempfile::tempdir().unwrap();
        config.server.data = data.path().to_owned();
        let app = App::new(
            config,
            store,
            clock.clone(),
            catalogue,
            ORIGIN.to_string(),
            local_url.to_string(),
        )
        .await
        .unwrap();
        let app = Arc::new(app);
        use poem::EndpointExt;
        let client = TestClient::new(api::routes(app.clone()).boxed());
        Self {
            app,
            clock,
            client,
            data,
        }
    }

    /// Fills the store with demonstration customers; answers three user names.
    pub async fn seed(&self, customers: u32, policies: u32) -> Vec<String> {
        let plan = layby::app::seed::Plan {
            customers,
            policies,
            seed_number: 1,
        };
        layby::app::seed::fill(&self.app, &plan, &mut |_, _| {})
            .await
            .unwrap()
            .addresses
    }

    /// Logs in as a demonstration customer; answers the session's cookie.
    pub async fn log_in(&self, username: &str) -> String {
        self.log_in_with(username, "Layby-demo-2026").await
    }

    pub async fn log_in_with(&self, username: &str, password: &str) -> String {
        self.post(
            "/api/login",
            &json!({ "username": username, "password": password, "remember": true }),
        )
        .send()
        .await
        .expect(StatusCode::OK)
        .cookie("layby_session")
    }

    /// Does all the work that is due, and what it brings with it.
    pub async fn work(&self) {
        loop {
            let lanes = layby::app::work::JobQueue::ALL.into_iter();
            let due = lanes.flat_map(|lane| self.app.due_work(lane, 100).unwrap().jobs);
            let due: Vec<_> = due.collect();
            if due.is_empty() {
                return;
            }
            for (key, job) in due {
                self.app.do_work(key, job).await.unwrap();
            }
        }
    }

    /// Does all the work that is due, but for what the sandbox gateway would tell a shop that
    /// can't be reached.
    pub async fn work_without_callbacks(&self) {
        loop {
            let lanes = layby::app::work::JobQueue::ALL.into_iter();
            let due = lanes.flat_map(|lane| self.app.due_work(lane, 100).unwrap().jobs);
            let told = |job: &layby::store::tables::Job| {
                matches!(job.task, layby::store::tables::Task::SandboxCallback { .. })
            };
            let due: Vec<_> = due.filter(|(_, job)| !told(job)).collect();
            if due.is_empty() {
                return;
            }
            for (key, job) in due {
                self.app.do_work(key, job).await.unwrap();
            }
        }
    }

    /// Where letters are kept.
    pub fn mail_folder(&self) -> std::path::PathBuf {
        self.data.path().join("mail")
    }

    /// The letters that were sent so far, oldest first.
    pub fn letters(&self) -> Vec<Letter> {
        let files = std::fs::read_dir(self.mail_folder()).unwrap();
        let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        files.sort();
        files
            .iter()
            .map(|file| Letter::read(&std::fs::read_to_string(file).unwrap()))
            .collect()
    }

    pub fn get(&self, path: &str) -> Call<'_> {
        Call::new(self.client.get(path.to_string()))
    }

    pub fn post(&self, path: &str, body: &Value) -> Call<'_> {
        Call::new(self.client.post(path.to_string()).body_json(body))
    }

    pub fn put(&self, path: &str, body: &Value) -> Call<'_> {
        Call::new(self.client.put(path.to_string()).body_json(body))
    }

    /// A raw client, for requests no well-meaning program sends.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Makes a quote from a whole set of answers.
    pub async fn quote(&self, product: &Value) -> Made {
        let identifier = product["product_identifier"].as_str().unwrap();
        let answer = self
            .post(
                &format!("/api/v2/public/quote/{identifier}"),
                &json!({ "product": product }),
            )
            .send()
            .await
            .expect(StatusCode::CREATED);
        Made {
            uuid: answer.text("/data/uuid"),
            token: answer.text("/data/consumer_token"),
            body: answer.body,
        }
    }

    /// Accepts a quote as its visitor.
    pub async fn accept(&self, quote: &Made) -> Answer {
        self.post(
            &format!("/api/v1/quote/update-accept/{}", quote.uuid),
            &json!({ "payment_frequency": "annual", "terms_and_conditions": true }),
        )
        .bearer(&quote.token)
        .send()
        .await
    }

    /// Starts to pay; answers the frame's address.
    pub async fn initiate(&self, quote: &Made) -> Answer {
        self.post(
            "/api/v1/gateway/sandbox/initiate",
            &json!({ "uuid": quote.uuid }),
        )
        .bearer(&quote.token)
        .send()
        .await
    }

    /// Posts a card to the gateway's frame.
    pub async fn pay(&self, frame: &str, card: &str) -> poem::test::TestResponse {
        self.client
            .post(frame.to_string())
            .content_type("application/x-www-form-urlencoded")
            .body(format!(
                "card_number={}&expiry=12%2F30&cvc=123&cardholder=Ann+Other",
                card.replace(' ', "+")
            ))
            .send()
            .await
    }

    /// How a quote's payment stands.
    pub async fn payment(&self, quote: &Made) -> Answer {
        self.get(&format!("/api/v1/payment/{}", quote.uuid))
            .bearer(&quote.token)
            .send()
            .await
    }

    /// Reads a quote as its visitor.
    pub async fn read(&self, quote: &Made) -> Answer {
        self.get(&format!("/api/v2/public/quote/read/{}", quote.uuid))
            .bearer(&quote.token)
            .send()
            .await
    }
}

/// A letter as its reader sees it.
#[derive(Clone, Debug)]
pub struct Letter {
    pub to: String,
    pub subject: String,
    pub text: String,
}

impl Letter {
    fn read(letter: &str) -> Self {
        let header = |name: &str| {
            let line = letter.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap().trim().to_string()
        };
        Self {
            to: header("To:"),
            subject: header("Subject:"),
            text: letter.to_string(),
        }
    }

    /// What follows `before` on the line of the link that has it.
    #[track_caller]
    pub fn link(&self, before: &str) -> String {
        let line = self
            .text
            .lines()
            .find(|line| line.starts_with("http") && line.contains(before));
        let line = line.unwrap_or_else(|| panic!("no link with {before} in {}", self.text));
        line.split_once(before).unwrap().1.trim().to_string()
    }
}

/// A call that is being put together.
pub struct Call<'a> {
    request: TestRequestBuilder<'a, poem::endpoint::BoxEndpoint<'static, Response>>,
}

impl<'a> Call<'a> {
    fn new(
        request: TestRequestBuilder<'a, poem::endpoint::BoxEndpoint<'static, Response>>,
    ) -> Self {
        Self { request }
    }

    pub fn bearer(self, token: &str) -> Self {
        self.header("Authorization", &format!("Bearer {token}"))
    }

    /// From our own page, with cookies.
    pub fn cookies(self, cookies: &str) -> Self {
        self.header("Cookie", cookies).header("Origin", ORIGIN)
    }

    pub fn header(self, name: &str, value: &str) -> Self {
        Self {
            request: self.request.header(name, value),
        }
    }

    pub async fn send(self) -> Answer {
        let response = self.request.send().await.0;
        let (parts, body) = response.into_parts();
        let bytes = body.into_vec().await.unwrap();
        Answer {
            status: parts.status,
            headers: parts.headers,
            body: serde_json::from_slice(&bytes).unwrap_or(Value::Null),
            bytes,
        }
    }
}

impl Answer {
    /// The answer, if it has this status.
    #[track_caller]
    pub fn expect(self, status: StatusCode) -> Self {
        assert_eq!(self.status, status, "{:#}", self.body);
        self
    }

    /// A cookie that is set, as it is to be sent back.
    #[track_caller]
    pub fn cookie(&self, name: &str) -> String {
        let line = self.cookie_line(name);
        line.split(';').next().unwrap().to_string()
    }

    /// The whole line that sets a cookie.
    #[track_caller]
    pub fn cookie_line(&self, name: &str) -> String {
        let lines = self.headers.get_all("set-cookie").iter();
        let mut lines = lines.map(|line| line.to_str().unwrap());
        let begins = format!("{name}=");
        lines
            .find(|line| line.starts_with(&begins))
            .unwrap_or_else(|| panic!("no cookie {name}"))
            .to_string()
    }

    /// What stands at a JSON pointer.
    #[track_caller]
    pub fn at(&self, pointer: &str) -> &Value {
        self.body
            .pointer(pointer)
            .unwrap_or_else(|| panic!("{pointer} is missing in {:#}", self.body))
    }

    #[track_caller]
    pub fn text(&self, pointer: &str) -> String {
        self.at(pointer)
            .as_str()
            .unwrap_or_else(|| panic!("{pointer} is no text in {:#}", self.body))
            .to_string()
    }

    /// Paths of the fields at fault, in order.
    pub fn fields(&self) -> Vec<String> {
        self.body["errors"]
            .as_object()
            .map(|errors| errors.keys().cloned().collect())
            .unwrap_or_default()
    }
}

/// Ann, her name, address and telephone.
fn ann() -> Value {
    json!({
        "title": 2, "first_name": "Ann", "last_name": "O’Neill",
        "date_of_birth": "03.04.1980", "email_primary": "ann@example.org",
        "tel_primary": "07400 123456", "address_primary": "1 High Street\nLeeds",
        "postcode_primary": "ls6 1ab",
    })
}

/// Answers of the policyholder with `more` on top.
fn with(more: Value) -> Value {
    let mut values = ann();
    for (name, value) in more.as_object().unwrap() {
        values[name] = value.clone();
    }
    values
}

/// National cover for two vehicles for a year.
pub fn two_vehicles() -> Value {
    json!({
        "product_identifier": "breakdown",
        "values": with(json!({
            "cover_type": 2, "cover_level": 3, "excess": 2, "start_date": "25.11.2026",
        })),
        "multi": { "vehicles": [
            { "vehicle_type": 1, "vehicle_registration": "ab12 cde", "vehicle_registration_date": "01.03.2012" },
            { "vehicle_type": 3, "vehicle_registration": "K1 NGS", "vehicle_registration_date": "01.08.2015" },
        ] },
    })
}

/// European cover for one person for two trips.
pub fn two_trips() -> Value {
    json!({
        "product_identifier": "breakdown",
        "values": with(json!({ "cover_type": 1, "cover_level": 5, "cover_length": 2, "excess": 2 })),
        "multi": { "trips": [
            { "trip_destination": "FR", "trip_start_date": "01.12.2026", "trip_end_date": "05.12.2026" },
            { "trip_destination": "ES", "trip_start_date": "10.12.2026", "trip_end_date": "12.12.2026" },
        ] },
    })
}

/// Complete cover for a phone and a laptop from today, with everything declared.
pub fn two_gadgets() -> Value {
    let gadget = |kind: &str, make: &str, model: &str, value: u32| {
        json!({
            "gadget_type": kind, "make": make, "model": model, "value": value,
            "purchase_date": "01.10.2026", "working_order": 1, "damaged": 2,
            "proof_of_purchase": 1, "bought_as": "new", "bought_from": "retailer",
        })
    };
    json!({
        "product_identifier": "gadget",
        "values": with(json!({
            "plan": "complete", "start_date": "21.11.2026", "excess": 75, "loss": true,
            "assumptions_confirmed": true,
        })),
        "multi": { "gadgets": [
            gadget("phone", "Apple", "iPhone 16", 799),
            gadget("laptop", "Acer", "Swift Go", 900),
        ] },
    })
}
