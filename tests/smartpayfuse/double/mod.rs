//! A double of Smartpay Fuse: its payment page, the page's signed answers, its REST API, and deliberate
//! faults. It shares no code with the shop. Third-party libraries check it (`tests/smartpayfuse/judge.py`).
//!
//! Tests run it in their own process. `tests/smartpayfuse/process.rs` runs it as a separate process.

// Each of its two users needs only a part of it.
#![allow(dead_code, unused_imports)]

mod answers;
mod books;
mod control;
mod encryption;
mod page;
mod rest;
mod stored_cards;
mod token;

use std::net::TcpListener;
use std::sync::{Arc, Mutex, MutexGuard};

pub use answers::{Pairs, Verdict, signature};
pub use books::{Books, Row};
pub use encryption::{CERTIFICATE, SHOP_KEY, SHOP_KEY_ID, Seal};
pub use page::Refused;
use serde_json::{Value, json};

use super::faults::{Fault, Faults};
use super::http::{self, Heard, Reply, Said};

pub const PROFILE: &str = "0FFEAFFB-8171-4F34-A22D-1CD38A28A384";
pub const ACCESS_KEY: &str = "00112233445566778899aabbccddeeff";
pub const SECRET: &str = "secret-of-the-page-4242";
pub const MERCHANT: &str = "double_merchant";
pub const REST_KEY: &str = "01234567-0123-0123-0123-012345678912";
/// Base64 of `secret-of-the-rest-key-4242`.
pub const REST_SECRET: &str = "c2VjcmV0LW9mLXRoZS1yZXN0LWtleS00MjQy";

/// The scheme's id of each first payment.
pub const SCHEME_ID: &str = "016150703802094";

/// A received REST call.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Method and path.
    pub call: String,
    pub body: String,
    pub token: String,
}

struct State {
    books: Books,
    faults: Faults,
    seen: Vec<Seen>,
    /// The keys of the page: access key and secret. The first signs new answers to no known form.
    keys: Vec<(String, String)>,
    rest_secret: String,
    /// Whether REST refuses every key.
    revoked: bool,
    /// How REST answers are sealed. `None` if REST bodies are not encrypted.
    seal: Option<Seal>,
    /// Details of payers that the page refuses.
    refused: Vec<String>,
    /// Ids of tokens that were used.
    tokens: Vec<String>,
    forms: Vec<page::Form>,
    /// Server posts that wait to be sent: address and body.
    posts: Vec<(String, String)>,
    now: Box<dyn Fn() -> i64 + Send>,
    address: String,
    /// The bank's own address, which is another origin.
    bank: String,
}

/// A running double.
#[derive(Clone)]
pub struct Double(Arc<Mutex<State>>);

impl Double {
    /// Starts a double on `listen`, such as `127.0.0.1:0`, and the bank's page on a port of its own. Its clock
    /// returns seconds since 1970.
    pub fn start(listen: &str, now: impl Fn() -> i64 + Send + 'static) -> std::io::Result<Self> {
        let (listener, bank) = (
            TcpListener::bind(listen)?,
            TcpListener::bind("127.0.0.1:0")?,
        );
        let address = format!("http://127.0.0.1:{}", listener.local_addr()?.port());
        let double = Self(Arc::new(Mutex::new(State {
            books: Books::default(),
            faults: Faults::default(),
            seen: Vec::new(),
            keys: vec![(ACCESS_KEY.to_owned(), SECRET.to_owned())],
            rest_secret: REST_SECRET.to_owned(),
            revoked: false,
            seal: None,
            refused: Vec::new(),
            tokens: Vec::new(),
            forms: Vec::new(),
            posts: Vec::new(),
            now: Box::new(now),
            address: address.clone(),
            // Another host than the page's, as a bank has.
            bank: format!("http://localhost:{}", bank.local_addr()?.port()),
        })));
        let answering = double.clone();
        http::serve(
            listener,
            None,
            Arc::new(move |heard| answering.hear(&heard)),
        );
        let asking = move |heard: Heard| Reply::Said(page::challenge(&address, &heard));
        http::serve(bank, None, Arc::new(asking));
        Ok(double)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Returns its address, without a slash at the end. It serves the page and the REST API.
    pub fn address(&self) -> String {
        self.state().address.clone()
    }

    /// Adds a fault for the next REST call that begins with `call`, such as `POST /tss/v2/searches`.
    pub fn fail(&self, call: &str, fault: Fault) {
        self.state().faults.add(call, fault);
    }

    /// Reads or changes its books.
    pub fn books<T>(&self, with: impl FnOnce(&mut Books, i64) -> T) -> T {
        let state = &mut *self.state();
        let now = (state.now)();
        with(&mut state.books, now)
    }

    /// Makes REST refuse every key.
    pub fn revoke(&self) {
        self.state().revoked = true;
    }

    /// Makes REST take its keys again.
    pub fn restore(&self) {
        self.state().revoked = false;
    }

    /// Demands encrypted REST bodies, and seals the answers so.
    pub fn encrypt(&self, seal: Seal) {
        self.state().seal = Some(seal);
    }

    /// Refuses payers with this detail, such as a postcode.
    pub fn refuse(&self, detail: &str) {
        self.state().refused.push(detail.to_owned());
    }

    /// Adds a page key. Forms of older keys still work.
    pub fn add_key(&self, access_key: &str, secret: &str) {
        let key = (access_key.to_owned(), secret.to_owned());
        self.state().keys.push(key);
    }

    /// Returns all received REST calls.
    pub fn seen(&self) -> Vec<Seen> {
        self.state().seen.clone()
    }

    /// Returns the number of received REST calls that begin with `call`.
    pub fn times(&self, call: &str) -> usize {
        let state = self.state();
        let seen = state.seen.iter();
        seen.filter(|seen| seen.call.starts_with(call)).count()
    }

    /// Posts a form to the page, as the customer's browser does. Returns the number of the opened page.
    pub fn open(&self, path: &str, fields: &Pairs) -> Result<usize, Refused> {
        page::open(&mut self.state(), path, fields)
    }

    /// Lets the customer end an opened page. Returns the answer, signed as Fuse signs it.
    pub fn end(&self, page: usize, verdict: Verdict) -> Pairs {
        page::end(&mut self.state(), page, verdict)
    }

    /// Returns the server posts since the last call: address and body.
    pub fn take_posts(&self) -> Vec<(String, String)> {
        std::mem::take(&mut self.state().posts)
    }

    fn hear(&self, heard: &Heard) -> Reply {
        let state = &mut *self.state();
        if let Some(rest) = heard.path.strip_prefix("/_double/") {
            return Reply::Said(control::answer(state, rest, &heard.body));
        }
        if let Some(said) = page::answer(state, heard) {
            return Reply::Said(said);
        }
        let call = format!("{} {}", heard.method, heard.path);
        state.seen.push(Seen {
            call: call.clone(),
            body: String::from_utf8_lossy(&heard.body).into_owned(),
            token: heard.header("authorization").unwrap_or_default().to_owned(),
        });
        let fault = state.faults.take(&call);
        match fault {
            Some(Fault::Nothing) => return Reply::Nothing,
            Some(Fault::Html(status)) => {
                return Reply::Said(Said::html(status, "<html><h1>Bad Gateway</h1></html>"));
            }
            Some(Fault::Status(status)) => {
                return Reply::Said(json_said(status, &system_error()));
            }
            _ => {}
        }
        let said = rest::answer(state, heard);
        match fault {
            Some(Fault::LostAnswer) => Reply::Silence,
            Some(Fault::Reset) => Reply::Nothing,
            Some(Fault::HalfAnswer) => Reply::Half(said),
            Some(Fault::FailsAfter) => Reply::Said(json_said(502, &system_error())),
            _ => Reply::Said(said),
        }
    }
}

fn system_error() -> Value {
    json!({ "status": "SERVER_ERROR", "reason": "SYSTEM_ERROR", "message": "Error - General system failure." })
}

fn json_said(status: u16, body: &Value) -> Said {
    Said {
        status,
        headers: vec![("Content-Type", "application/hal+json".to_owned())],
        body: body.to_string().into_bytes(),
    }
}
