//! The gateways' doubles together, and the form of their messages.

use layby::domain::payment::Payment;
use poem::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::smartpayfuse::double::{Pairs, Verdict};
use crate::smartpayfuse::till::{signed, with, without};
use crate::stripe::double::Card;
use crate::support::{Answer, Made, NOW, Shop, two_gadgets, two_trips, two_vehicles};
use crate::{globalpayments, smartpayfuse, stripe};

const COMPLETED: &str = "checkout.session.completed";
const SIGNATURES: [&str; 2] = ["Stripe-Signature", "X-GP-Signature"];

/// A gateway's double.
#[derive(Clone)]
pub enum Gateway {
    Stripe(stripe::double::Double),
    GlobalPayments(globalpayments::double::Double),
    SmartpayFuse(smartpayfuse::double::Double),
}

/// A message as it is posted.
#[derive(Clone)]
pub struct Message {
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

/// Prints the beginning of the body.
impl std::fmt::Debug for Message {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (body, _) = self.body.split_at(self.body.len().min(2000));
        write!(f, "{:?} {}", self.headers, String::from_utf8_lossy(body))
    }
}

/// Returns the time of the doubles, in seconds since 1970.
fn time() -> i64 {
    let now: chrono::DateTime<chrono::Utc> = NOW.parse().unwrap();
    now.timestamp()
}

fn pairs(body: &[u8]) -> Pairs {
    serde_urlencoded::from_bytes(body).unwrap()
}

fn encode(pairs: &Pairs) -> Vec<u8> {
    serde_urlencoded::to_string(pairs).unwrap().into_bytes()
}

/// Returns the JSON pointers of all values that have no members.
fn leaves(value: &Value, pointer: &str, found: &mut Vec<String>) {
    let members: Vec<_> = match value {
        Value::Object(members) => members.iter().map(|(n, v)| (n.clone(), v)).collect(),
        Value::Array(list) => (0..).map(|n| n.to_string()).zip(list).collect(),
        _ => Vec::new(),
    };
    if members.is_empty() {
        found.push(pointer.to_owned());
    }
    for (name, member) in members {
        leaves(member, &format!("{pointer}/{name}"), found);
    }
}

impl Message {
    pub fn is_form(&self) -> bool {
        self.headers[0].1.contains("form")
    }

    /// Returns the message with another body under the same signature.
    pub fn with_body(&self, body: Vec<u8>) -> Self {
        let headers = self.headers.clone();
        Self { headers, body }
    }

    /// Adds a `Content-Encoding`.
    pub fn encoded(mut self, name: &str) -> Self {
        self.headers.push(("Content-Encoding", name.to_owned()));
        self
    }

    /// Returns the bodies in which one field is changed or missing.
    pub fn changed_bodies(&self) -> Vec<Vec<u8>> {
        if self.is_form() {
            let fields = pairs(&self.body);
            let changed = fields.iter().flat_map(|(name, old)| {
                let others = [format!("{old}x"), String::new(), "DECLINE".to_owned()];
                let others = others.into_iter().filter(move |other| other != old);
                let changed = others.map(|other| with(&fields, name, &other));
                // A signed field that is missing counts as empty.
                let missing = (!old.is_empty()).then(|| without(&fields, name));
                changed.chain(missing).collect::<Vec<_>>()
            });
            return changed.map(|fields| encode(&fields)).collect();
        }
        let message: Value = serde_json::from_slice(&self.body).unwrap();
        let mut fields = Vec::new();
        leaves(&message, "", &mut fields);
        let changed = fields.iter().map(|field| {
            let mut changed = message.clone();
            *changed.pointer_mut(field).unwrap() = json!("1");
            changed.to_string().into_bytes()
        });
        changed.collect()
    }

    /// Returns the message with other signatures, and without one. The signature of a form is a field.
    pub fn changed_signatures(&self) -> Vec<Self> {
        let place = |(name, _): &(&str, String)| SIGNATURES.contains(name);
        let Some(place) = self.headers.iter().position(place) else {
            return Vec::new();
        };
        let genuine = &self.headers[place].1;
        let half = &genuine[..genuine.len() / 2];
        let others = ["", "00", half, "t=1,v1=00", "no hex"].map(|other| {
            let mut changed = self.clone();
            changed.headers[place].1 = other.to_owned();
            changed
        });
        let mut unsigned = self.clone();
        unsigned.headers.remove(place);
        others.into_iter().chain([unsigned]).collect()
    }
}

impl Gateway {
    pub fn all() -> [Self; 3] {
        let any = "127.0.0.1:0";
        [
            Self::Stripe(stripe::double::Double::start(any, None, time).unwrap()),
            Self::GlobalPayments(globalpayments::double::Double::start(any, time).unwrap()),
            Self::SmartpayFuse(smartpayfuse::double::Double::start(any, time).unwrap()),
        ]
    }

    pub fn name(&self) -> &'static str {
        match self {
            Self::Stripe(_) => "stripe",
            Self::GlobalPayments(_) => "globalpayments",
            Self::SmartpayFuse(_) => "smartpayfuse",
        }
    }

    /// Returns the gateway's section of the settings.
    pub fn settings(&self) -> String {
        let whole = match self {
            Self::Stripe(double) => stripe::till::settings(double, "[]"),
            Self::GlobalPayments(double) => globalpayments::till::settings(double, "[]"),
            Self::SmartpayFuse(double) => smartpayfuse::till::settings(double, "[]", ""),
        };
        let section = whole.find("[payments.").unwrap();
        whole[section..].to_owned()
    }

    /// Returns the secret that signs its messages.
    pub fn secret(&self) -> &'static str {
        match self {
            Self::Stripe(_) => stripe::double::SECRET,
            Self::GlobalPayments(_) => globalpayments::double::KEY,
            Self::SmartpayFuse(_) => smartpayfuse::double::SECRET,
        }
    }

    /// Signs a body as the gateway does.
    pub fn sign(&self, body: &[u8], secret: &str) -> Message {
        let json = ("Content-Type", "application/json".to_owned());
        let (headers, body) = match self {
            Self::Stripe(_) => {
                let tag = stripe::double::signature(body, &[secret.to_owned()], time());
                (vec![json, (SIGNATURES[0], tag)], body.to_vec())
            }
            Self::GlobalPayments(_) => {
                let tag = globalpayments::double::signature(body, secret);
                (vec![json, (SIGNATURES[1], tag)], body.to_vec())
            }
            Self::SmartpayFuse(_) => {
                let form = "application/x-www-form-urlencoded".to_owned();
                let fields = encode(&signed(&pairs(body), secret));
                (vec![("Content-Type", form)], fields)
            }
        };
        Message { headers, body }
    }

    /// Begins a payment for an accepted quote.
    pub async fn initiate(&self, shop: &Shop, quote: &Made) -> Answer {
        let path = format!("/api/v1/gateway/{}/initiate", self.name());
        let call = shop.post(&path, &json!({ "uuid": quote.uuid }));
        call.bearer(&quote.token).send().await
    }

    /// Pays as the customer. Returns the gateway's message.
    pub fn pay(&self, started: &Answer) -> Message {
        let last = |all: &[Value]| all.last().unwrap()["id"].as_str().unwrap().to_owned();
        let body = match self {
            Self::Stripe(double) => {
                let pay = |books: &mut stripe::double::Books, now| {
                    books
                        .pay(&last(books.sessions.all()), Card::VISA, now)
                        .is_ok()
                };
                assert!(double.books(pay));
                let mut webhooks = double.webhooks().into_iter();
                let completed = webhooks.find(|one| one.kind == COMPLETED);
                completed.unwrap().body.into_bytes()
            }
            Self::GlobalPayments(double) => {
                let good = globalpayments::double::Entered::Good;
                double.books(|books, now| books.pay(&last(&books.links), good, now));
                double.news().pop().unwrap().body
            }
            Self::SmartpayFuse(double) => {
                let fields = started.at("/data/fields").as_object().unwrap().iter();
                let text = |value: &Value| value.as_str().unwrap().to_owned();
                let fields = fields.map(|(name, value)| (name.clone(), text(value)));
                let page = double.open("/embedded/pay", &fields.collect());
                encode(&double.end(page.unwrap(), Verdict::Accept))
            }
        };
        self.sign(&body, self.secret())
    }

    /// Returns the shop's money at the gateway, in pence.
    pub fn balance(&self) -> i64 {
        match self {
            Self::Stripe(double) => double.books(|books, _| books.kept()),
            Self::GlobalPayments(double) => double.books(|books, _| books.balance()),
            Self::SmartpayFuse(double) => double.books(|books, _| books.kept()),
        }
    }

    /// Revokes the key of the shop's calls.
    pub fn revoke(&self) {
        match self {
            Self::Stripe(double) => double.revoke(),
            Self::GlobalPayments(double) => double.revoke(),
            Self::SmartpayFuse(double) => double.revoke(),
        }
    }

    pub fn restore(&self) {
        match self {
            Self::Stripe(double) => double.restore(),
            Self::GlobalPayments(double) => double.restore(),
            Self::SmartpayFuse(double) => double.restore(),
        }
    }

    /// Returns the key that authenticates calls to the gateway.
    pub fn call_secret(&self) -> &'static str {
        match self {
            Self::Stripe(_) => "sk_test_double",
            Self::GlobalPayments(_) => globalpayments::double::KEY,
            Self::SmartpayFuse(_) => smartpayfuse::double::REST_SECRET,
        }
    }

    /// Returns the genuine message as a report that `attempt` was paid in full.
    pub fn report(&self, genuine: &Message, attempt: &Payment) -> Message {
        let (id, pence) = (attempt.id, attempt.amount.0);
        if genuine.is_form() {
            let pounds = format!("{}.{:02}", pence / 100, pence % 100);
            let changes = [
                ("req_reference_number", id.to_string()),
                ("req_transaction_uuid", id.simple().to_string()),
                ("req_amount", pounds.clone()),
                ("auth_amount", pounds),
            ];
            let change = |fields, (name, value): &(&str, String)| with(&fields, name, value);
            let fields = changes.iter().fold(pairs(&genuine.body), change);
            return self.sign(&encode(&fields), self.secret());
        }
        let mut message: Value = serde_json::from_slice(&genuine.body).unwrap();
        if let Self::Stripe(_) = self {
            let session = &mut message["data"]["object"];
            session["client_reference_id"] = json!(id);
            session["metadata"]["layby_payment"] = json!(id);
            session["amount_total"] = json!(pence);
        } else {
            message["reference"] = json!(id);
            message["link_data"]["reference"] = json!(id);
            message["amount"] = json!(pence.to_string());
        }
        self.sign(message.to_string().as_bytes(), self.secret())
    }
}

/// A customer who has paid, and the gateway's message about it.
pub struct Sale {
    pub gateway: Gateway,
    pub quote: Made,
    pub genuine: Message,
}

/// Returns a shop with every gateway, and a customer who has paid at each.
pub async fn paid() -> (Shop, [Sale; 3]) {
    let gateways = Gateway::all();
    let names = gateways.each_ref().map(Gateway::name);
    let sections = gateways.each_ref().map(Gateway::settings).concat();
    let settings = format!("[payments]\ngateways = {names:?}\n{sections}");
    let shop = Shop::configured(&settings).await;
    let mut sales = Vec::new();
    let answers = [two_vehicles(), two_trips(), two_gadgets()];
    for (gateway, answers) in gateways.into_iter().zip(answers) {
        sales.push(Sale::new(&shop, gateway, &answers).await);
    }
    (shop, sales.try_into().ok().unwrap())
}

impl Sale {
    /// Returns a customer with these answers who has paid.
    pub async fn new(shop: &Shop, gateway: Gateway, answers: &Value) -> Self {
        let quote = shop.quote(answers).await;
        shop.accept(&quote).await.expect(StatusCode::OK);
        let started = gateway.initiate(shop, &quote).await;
        let genuine = gateway.pay(&started.expect(StatusCode::OK));
        Self {
            gateway,
            quote,
            genuine,
        }
    }

    pub fn attempt(&self, shop: &Shop) -> Payment {
        let mut all = shop.attempts(&self.quote);
        assert_eq!(all.len(), 1);
        all.remove(0)
    }

    /// Checks that nobody has bought or learned anything.
    pub fn assert_open(&self, shop: &Shop, message: &Message) {
        let attempt = self.attempt(shop);
        assert!(attempt.status.is_open(), "{message:?}");
        assert!(attempt.unread_messages.is_empty(), "{message:?}");
        assert!(!shop.has_sold(&self.quote), "{message:?}");
    }

    /// Posts a message to the callback. Returns the status of the answer.
    pub async fn post(&self, shop: &Shop, method: Method, message: &Message) -> StatusCode {
        let mut call = shop.call(method.clone(), &self.callback());
        for (name, value) in &message.headers {
            call = call.header(name, value);
        }
        let answer = call.body(message.body.clone()).send().await;
        if answer.status == StatusCode::METHOD_NOT_ALLOWED {
            assert_eq!(answer.headers["allow"], "POST", "{method}");
        }
        answer.status
    }

    pub fn callback(&self) -> String {
        format!("/api/v1/gateway/{}/callback", self.gateway.name())
    }

    /// Checks that the genuine message sells.
    pub async fn sells(&self, shop: &Shop) {
        let status = self.post(shop, Method::POST, &self.genuine).await;
        assert_eq!(status, StatusCode::OK);
        assert!(shop.has_sold(&self.quote), "{}", self.gateway.name());
    }
}
