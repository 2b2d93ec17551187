//! A double of Global Payments: the GP API, its hosted page, its messages, and deliberate faults. It shares
//! no code with the shop. `tests/globalpayments/judge.py` checks its signatures and its form.
//!
//! Tests run it in their own process. `tests/globalpayments/process.rs` runs it as a separate process.

// Each of its two users needs only a part of it. The double of Stripe has the same server and faults.
#![allow(dead_code, unused_imports, clippy::duplicate_mod)]

mod api;
mod books;
mod control;
#[path = "../../stripe/double/faults.rs"]
mod faults;
#[path = "../../stripe/double/http.rs"]
pub mod http;
mod news;
mod page;
mod reports;
mod stored_cards;

use std::collections::HashMap;
use std::net::TcpListener;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use data_encoding::HEXLOWER;
use serde_json::{Value, json};
use sha2::{Digest, Sha512};

pub use books::{Books, Entered, Outcome};
pub use faults::Fault;
use faults::Faults;
use http::{Heard, Reply, Said};
pub use news::{Form, News};

/// The app that the double has, with its key and its account for hosted pages.
pub const APP: &str = "app-double";
pub const KEY: &str = "app-key-for-tests";
pub const ACCOUNT: &str = "transaction_processing_hpp";

/// Returns the hex digits of the SHA-512 of a text and the app's key.
pub fn signature(text: &[u8], key: &str) -> String {
    HEXLOWER.encode(&Sha512::digest([text, key.as_bytes()].concat()))
}

/// A received request.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Method and path, without `/ucp`.
    pub call: String,
    pub query: String,
    /// The JSON body, or null.
    pub body: Value,
    pub headers: HashMap<String, String>,
}

struct State {
    books: Books,
    faults: Faults,
    seen: Vec<Seen>,
    /// Valid tokens, and when each ends.
    tokens: HashMap<String, i64>,
    /// Executed calls by idempotency key: when, the object's id, and the answer.
    keys: HashMap<String, (i64, String, Value)>,
    /// Whether a repeated key gets the first answer again. Otherwise it is refused as a duplicate.
    replays: bool,
    /// Number of messages that [`Double::news`] has returned.
    taken: usize,
    denied: Vec<String>,
    /// Whether the app is refused.
    revoked: bool,
    /// Details of payers that are refused.
    refused: Vec<String>,
    now: Box<dyn Fn() -> i64 + Send>,
    origin: String,
}

/// A running double.
#[derive(Clone)]
pub struct Double(Arc<Mutex<State>>);

impl Double {
    /// Starts a double on `listen`, such as `127.0.0.1:0`. Its clock returns seconds since 1970.
    pub fn start(listen: &str, now: impl Fn() -> i64 + Send + 'static) -> std::io::Result<Self> {
        let listener = TcpListener::bind(listen)?;
        let origin = format!("http://{}", listener.local_addr()?);
        let double = Self(Arc::new(Mutex::new(State {
            books: Books::default(),
            faults: Faults::default(),
            seen: Vec::new(),
            tokens: HashMap::new(),
            keys: HashMap::new(),
            replays: false,
            taken: 0,
            denied: Vec::new(),
            revoked: false,
            refused: Vec::new(),
            now: Box::new(now),
            origin,
        })));
        let answering = double.clone();
        http::serve(
            listener,
            None,
            Arc::new(move |heard| answering.answer(&heard)),
        );
        Ok(double)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the address of its API.
    pub fn address(&self) -> String {
        format!("{}/ucp", self.state().origin)
    }

    /// Adds a fault for the next call that begins with `call`, such as `POST /links`.
    pub fn fail(&self, call: &str, fault: Fault) {
        self.state().faults.add(call, fault);
    }

    /// Reads or changes its books.
    pub fn books<T>(&self, with: impl FnOnce(&mut Books, i64) -> T) -> T {
        let state = &mut *self.state();
        let now = (state.now)();
        with(&mut state.books, now)
    }

    /// Ends every token, as after an hour.
    pub fn end_tokens(&self) {
        self.state().tokens.clear();
    }

    /// Takes away the app's right to calls that begin with `call`.
    pub fn deny(&self, call: &str) {
        self.state().denied.push(call.to_owned());
    }

    /// Makes the double refuse the app and its tokens.
    pub fn revoke(&self) {
        self.end_tokens();
        self.state().revoked = true;
    }

    /// Makes the double take the app again.
    pub fn restore(&self) {
        self.state().revoked = false;
    }

    /// Refuses links whose payer has this detail, such as a postcode.
    pub fn refuse(&self, detail: &str) {
        self.state().refused.push(detail.to_owned());
    }

    /// Deletes the idempotency keys, as after a day.
    pub fn forget_keys(&self) {
        self.state().keys.clear();
    }

    /// Makes a repeated key return the first answer.
    pub fn replay_answers(&self) {
        self.state().replays = true;
    }

    /// Returns all received requests.
    pub fn seen(&self) -> Vec<Seen> {
        self.state().seen.clone()
    }

    /// Returns the number of received calls that begin with `call`.
    pub fn times(&self, call: &str) -> usize {
        let state = self.state();
        let seen = state.seen.iter();
        seen.filter(|seen| seen.call.starts_with(call)).count()
    }

    /// Returns the messages since the last call.
    pub fn news(&self) -> Vec<News> {
        let state = &mut *self.state();
        let all = state.books.news.clone();
        let new = all.get(state.taken..).unwrap_or_default().to_vec();
        state.taken = all.len();
        new
    }

    fn answer(&self, heard: &Heard) -> Reply {
        if let Some(rest) = heard.path.strip_prefix("/_double/") {
            let mut state = self.state();
            return Reply::Said(control::answer(&mut state, rest, &heard.body));
        }
        let Some(path) = heard
            .path
            .strip_prefix("/ucp/")
            .map(|rest| format!("/{rest}"))
        else {
            return Reply::Said(self.show_page(heard));
        };
        if let Some(guid) = path.strip_prefix("/hpp/redirect/") {
            return Reply::Said(Said {
                status: 302,
                ..Said::to(&format!("/hosted-payments/{guid}"))
            });
        }
        let mut state = self.state();
        let call = format!("{} {path}", heard.method);
        state.seen.push(Seen {
            call: call.clone(),
            query: heard.query.clone(),
            body: serde_json::from_slice(&heard.body).unwrap_or(Value::Null),
            headers: heard.headers.clone(),
        });
        let fault = state.faults.take(&call);
        match fault {
            Some(Fault::Nothing) => return Reply::Nothing,
            Some(Fault::Html(status)) => {
                return Reply::Said(Said::html(status, "<html><h1>Bad Gateway</h1></html>"));
            }
            Some(Fault::Status(status)) => {
                let code = if status == 429 {
                    "QUOTA_EXCEEDED"
                } else {
                    "SYSTEM_ERROR"
                };
                return Reply::Said(api::Refusal::new(status, code, "50002", "A fault.").said());
            }
            _ => {}
        }
        let mut said = match state.execute(heard, &path) {
            Ok(answer) => json_said(200, &answer),
            Err(refusal) => refusal.said(),
        };
        let now = chrono::DateTime::from_timestamp((state.now)(), 0).unwrap();
        let date = now.format("%a, %d %b %Y %H:%M:%S GMT").to_string();
        said.headers.push(("Date", date));
        match fault {
            Some(Fault::LostAnswer) => Reply::Silence,
            Some(Fault::Reset) => Reply::Nothing,
            Some(Fault::HalfAnswer) => Reply::Half(said),
            Some(Fault::FailsAfter) => {
                Reply::Said(api::Refusal::new(500, "SYSTEM_ERROR", "50002", "A fault.").said())
            }
            _ => Reply::Said(said),
        }
    }

    /// Shows the hosted page, and handles its forms.
    fn show_page(&self, heard: &Heard) -> Said {
        let shown = {
            let state = &mut *self.state();
            let now = (state.now)();
            let origin = state.origin.clone();
            page::answer(&mut state.books, heard, &origin, now)
        };
        match shown {
            page::Shown::Page(said) => said,
            // The provider's server posts the message, and shows the answer on its own page.
            page::Shown::Return(news) => {
                let (status, body) = news.post().unwrap_or((502, Vec::new()));
                Said::html(status, &String::from_utf8_lossy(&body))
            }
        }
    }
}

fn json_said(status: u16, body: &Value) -> Said {
    Said {
        status,
        headers: vec![("Content-Type", "application/json".to_owned())],
        body: body.to_string().into_bytes(),
    }
}
