//! A double of Stripe: its API, its payment page, its webhooks, and deliberate faults. It shares no code with
//! the shop. Stripe's official library checks it (`tests/stripe/judge.py`).
//!
//! Tests run it in their own process. `tests/stripe/process.rs` runs it as a separate process.

// Each of its two users needs only a part of it.
#![allow(dead_code, unused_imports)]

mod api;
mod books;
mod cards;
mod control;
mod events;
pub mod faults;
pub mod http;
mod money;
mod page;
mod params;
mod stored_cards;

use std::collections::HashMap;
use std::net::TcpListener;
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};

use api::Call;
pub use books::{Books, Outcome};
pub use cards::Card;
pub use events::{Webhook, signature};
pub use faults::Fault;
use faults::Faults;
use http::{Heard, Reply, Said};
pub use http::{Tls, post};
use params::{Refusal, refusal};

/// The version of Stripe's API.
pub const VERSION: &str = "2026-10-28.endive";
/// The default secret of its webhooks.
pub const SECRET: &str = "whsec_double";

/// A received request.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Method and path.
    pub call: String,
    /// The body or the query: pairs in their order.
    pub pairs: Vec<(String, String)>,
    pub headers: HashMap<String, String>,
}

struct State {
    books: Books,
    faults: Faults,
    keys: HashMap<String, (String, Said)>,
    seen: Vec<Seen>,
    /// Number of events that [`Double::webhooks`] has returned.
    taken: usize,
    secrets: Vec<String>,
    revoked: bool,
    denied: Vec<String>,
    now: Box<dyn Fn() -> i64 + Send>,
    address: String,
}

/// A running double.
#[derive(Clone)]
pub struct Double(Arc<Mutex<State>>);

impl Double {
    /// Starts a double on `listen`, such as `127.0.0.1:0`. Its clock returns seconds since 1970.
    pub fn start(
        listen: &str,
        tls: Option<&Tls>,
        now: impl Fn() -> i64 + Send + 'static,
    ) -> std::io::Result<Self> {
        let listener = TcpListener::bind(listen)?;
        let port = listener.local_addr()?.port();
        let address = match tls {
            Some(_) => format!("https://localhost:{port}"),
            None => format!("http://127.0.0.1:{port}"),
        };
        let double = Self(Arc::new(Mutex::new(State {
            books: Books::default(),
            faults: Faults::default(),
            keys: HashMap::new(),
            seen: Vec::new(),
            taken: 0,
            secrets: vec![SECRET.to_owned()],
            revoked: false,
            denied: Vec::new(),
            now: Box::new(now),
            address,
        })));
        let answering = double.clone();
        http::serve(listener, tls, Arc::new(move |heard| answering.hear(&heard)));
        Ok(double)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Returns its address, without a slash at the end.
    pub fn address(&self) -> String {
        self.state().address.clone()
    }

    /// Adds a fault for the next call that begins with `call`, such as `POST /v1/refunds`.
    pub fn fail(&self, call: &str, fault: Fault) {
        self.state().faults.add(call, fault);
    }

    /// Reads or changes its books.
    pub fn books<T>(&self, with: impl FnOnce(&mut Books, i64) -> T) -> T {
        let state = &mut *self.state();
        let now = (state.now)();
        with(&mut state.books, now)
    }

    /// Makes the double refuse every key.
    pub fn revoke(&self) {
        self.state().revoked = true;
    }

    /// Makes the double take every key again.
    pub fn restore(&self) {
        self.state().revoked = false;
    }

    /// Takes away the key's right to calls that begin with `call`, such as `GET /v1/refunds`.
    pub fn deny(&self, call: &str) {
        self.state().denied.push(call.to_owned());
    }

    /// Sets the secrets for future signatures.
    pub fn sign_with(&self, secrets: &[&str]) {
        self.state().secrets = secrets.iter().map(ToString::to_string).collect();
    }

    /// Returns all received requests.
    pub fn seen(&self) -> Vec<Seen> {
        self.state().seen.clone()
    }

    /// Returns the number of received calls that begin with `call`.
    pub fn times(&self, call: &str) -> usize {
        self.state()
            .seen
            .iter()
            .filter(|seen| seen.call.starts_with(call))
            .count()
    }

    /// Returns the webhooks of all events since the last call, signed now.
    pub fn webhooks(&self) -> Vec<Webhook> {
        let state = &mut *self.state();
        let now = (state.now)();
        state.books.grow_old(now);
        let new = state
            .books
            .events
            .all()
            .get(state.taken..)
            .unwrap_or_default();
        let webhooks = new
            .iter()
            .map(|event| Webhook::of(event, &state.secrets, now))
            .collect();
        state.taken = state.books.events.all().len();
        webhooks
    }

    fn hear(&self, heard: &Heard) -> Reply {
        let state = &mut *self.state();
        let call = format!("{} {}", heard.method, heard.path);
        if let Some(rest) = heard.path.strip_prefix("/_double/") {
            return Reply::Said(control::answer(state, rest, &heard.body));
        }
        if let Some(id) = heard.path.strip_prefix("/pay/") {
            let now = (state.now)();
            return Reply::Said(match heard.method.as_str() {
                "POST" => page::answer(&mut state.books, id, &heard.body, now),
                _ => page::show(&state.books, id, 200, ""),
            });
        }
        let given = if heard.method == "GET" {
            heard.query.as_bytes()
        } else {
            &heard.body
        };
        state.seen.push(Seen {
            call: call.clone(),
            pairs: serde_urlencoded::from_bytes(given).unwrap_or_default(),
            headers: heard.headers.clone(),
        });
        let fault = state.faults.take(&call);
        match fault {
            Some(Fault::Nothing) => return Reply::Nothing,
            Some(Fault::Html(status)) => {
                return Reply::Said(Said::html(status, "<html><h1>Bad Gateway</h1></html>"));
            }
            _ => {}
        }
        let said = state.said(heard, &call, given, fault);
        match fault {
            Some(Fault::LostAnswer) => Reply::Silence,
            Some(Fault::Reset) => Reply::Nothing,
            Some(Fault::HalfAnswer) => Reply::Half(said),
            _ => Reply::Said(said),
        }
    }
}

impl State {
    fn said(&mut self, heard: &Heard, call: &str, given: &[u8], fault: Option<Fault>) -> Said {
        if let Err(refused) = self.admitted(heard, call) {
            return json_said(refused.status, &json!({ "error": refused.error }));
        }
        let failed = |status: u16| {
            let kind = if status == 429 {
                "rate_limit_error"
            } else {
                "api_error"
            };
            json_said(
                status,
                &json!({ "error": { "type": kind, "message": "A fault." } }),
            )
        };
        if let Some(Fault::Status(status @ (409 | 429))) = fault {
            return failed(status);
        }
        let key = heard
            .header("idempotency-key")
            .filter(|_| heard.method == "POST");
        let asked = format!("{call}?{}", String::from_utf8_lossy(given));
        if let Some((first, said)) = key.and_then(|key| self.keys.get(key)) {
            if *first != asked {
                let text = "Keys for idempotent requests can only be used with the same parameters \
                            they were first used with.";
                let refused = refusal(400, "idempotency_error", "", "", text);
                return json_said(refused.status, &json!({ "error": refused.error }));
            }
            let mut said = said.clone();
            said.headers
                .push(("Idempotent-Replayed", "true".to_owned()));
            return said;
        }
        let now = (self.now)();
        let said = match fault {
            Some(Fault::Status(status)) => failed(status),
            _ => {
                let call = Call::new(&heard.method, &heard.path, given, now, &self.address);
                let answer = call.answer(&mut self.books);
                match (fault, answer) {
                    (Some(Fault::FailsAfter), _) => failed(500),
                    (_, Ok(answer)) => json_said(200, &answer),
                    (_, Err(Refusal { status, error })) => {
                        json_said(status, &json!({ "error": error }))
                    }
                }
            }
        };
        // Responses to refused calls are not stored under the key.
        if let Some(key) = key
            && (said.status < 400 || said.status == 402 || said.status >= 500)
        {
            self.keys.insert(key.to_owned(), (asked, said.clone()));
        }
        said
    }

    /// Checks the caller's key and rights.
    fn admitted(&self, heard: &Heard, call: &str) -> Result<(), Refusal> {
        let given = heard.header("authorization").unwrap_or_default();
        let mode = if self.books.live { "live" } else { "test" };
        let key = given.strip_prefix("Bearer ").unwrap_or_default();
        let kinds = [format!("sk_{mode}_"), format!("rk_{mode}_")];
        if self.revoked || !kinds.iter().any(|kind| key.starts_with(kind)) {
            let text = "Invalid API Key provided: sk_****";
            return Err(refusal(
                401,
                "invalid_request_error",
                "api_key_expired",
                "",
                text,
            ));
        }
        if self.denied.iter().any(|denied| call.starts_with(denied)) {
            let text = "The provided key does not have the required permissions.";
            return Err(refusal(403, "invalid_request_error", "", "", text));
        }
        match heard.header("stripe-version") {
            Some(VERSION) => Ok(()),
            _ => Err(params::invalid(
                "",
                "",
                "This double speaks one version only.",
            )),
        }
    }

    /// Deletes the idempotency keys, as Stripe may after a day.
    fn forget_keys(&mut self) {
        self.keys.clear();
    }
}

impl Double {
    /// Deletes the idempotency keys, as Stripe may after a day.
    pub fn forget_keys(&self) {
        self.state().forget_keys();
    }
}

fn json_said(status: u16, body: &Value) -> Said {
    Said {
        status,
        headers: vec![
            ("Content-Type", "application/json".to_owned()),
            ("Request-Id", "req_double".to_owned()),
        ],
        body: body.to_string().into_bytes(),
    }
}
