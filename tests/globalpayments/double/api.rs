//! The part of the GP API that the shop needs: `/ucp/...`. The codes 40005, 40039, 40212, 50001 and 50012 are
//! the provider's. The other detailed codes are the double's own.

use serde_json::{Value, json};

use super::books::Books;
use super::http::{Heard, Said};
use super::{ACCOUNT, APP, KEY, State, json_said, signature};

const VERSION: &str = "2021-03-22";
/// Seconds for which a token, an idempotency key and a link live.
const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

/// A refused call.
#[derive(Debug)]
pub struct Refusal {
    status: u16,
    body: Value,
}

impl Refusal {
    pub fn new(status: u16, code: &str, detail: &str, text: &str) -> Self {
        let body = json!({
            "error_code": code,
            "detailed_error_code": detail,
            "detailed_error_description": text,
        });
        Self { status, body }
    }

    pub fn said(&self) -> Said {
        json_said(self.status, &self.body)
    }
}

pub fn invalid(detail: &str, text: &str) -> Refusal {
    Refusal::new(400, "INVALID_REQUEST_DATA", detail, text)
}

fn missing(detail: &str, text: &str) -> Refusal {
    Refusal::new(400, "MANDATORY_DATA_MISSING", detail, text)
}

pub fn unknown(what: &str) -> Refusal {
    let text = format!("{what} not found at this location.");
    Refusal::new(404, "RESOURCE_NOT_FOUND", "40118", &text)
}

pub fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or("")
}

impl State {
    /// Executes a call. `path` has no `/ucp`.
    pub(super) fn execute(&mut self, heard: &Heard, path: &str) -> Result<Value, Refusal> {
        let now = (self.now)();
        if heard.header("x-gp-version") != Some(VERSION) {
            return Err(invalid("40006", "X-GP-Version"));
        }
        let body: Value = match heard.body.as_slice() {
            [] => Value::Null,
            bytes => serde_json::from_slice(bytes).map_err(|_| invalid("40000", "No JSON"))?,
        };
        if path == "/accesstoken" {
            return self.token(&body, now);
        }
        let token = heard.header("authorization").unwrap_or_default();
        let token = token.strip_prefix("Bearer ").unwrap_or_default();
        if self.tokens.get(token).is_none_or(|end| *end <= now) {
            let text = "Invalid access token";
            return Err(Refusal::new(401, "NOT_AUTHENTICATED", "40001", text));
        }
        let call = format!("{} {path}", heard.method);
        if self.denied.iter().any(|denied| call.starts_with(denied)) {
            return Err(not_authorised());
        }
        let key = heard
            .header("x-gp-idempotency")
            .filter(|_| heard.method == "POST");
        self.keys.retain(|_, (since, ..)| now - *since < DAY);
        if let Some((_, id, answer)) = key.and_then(|key| self.keys.get(key)) {
            if self.replays {
                return Ok(answer.clone());
            }
            let text = format!("Idempotency Key seen before: id={id}, status=CAPTURED");
            return Err(Refusal::new(409, "DUPLICATE_ACTION", "40039", &text));
        }
        let query: Value = serde_urlencoded::from_str::<Vec<(String, String)>>(&heard.query)
            .unwrap_or_default()
            .into_iter()
            .map(|(name, value)| (name, Value::from(value)))
            .collect();
        self.books.end_links(now);
        let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        let books = &mut self.books;
        let answer = match (heard.method.as_str(), parts.as_slice()) {
            ("POST", ["links"]) => {
                check_link(&body, now)?;
                check_payer(&body["payer"], &self.refused)?;
                let guid = format!("{}/ucp/hpp/redirect", self.origin);
                Ok(books.make_link(&body, &guid, now))
            }
            ("GET", ["links"]) => Ok(list(
                "links",
                books.listed_links(text(&query, "/reference")),
            )),
            ("GET", ["links", id]) => books.shown_link(id),
            ("PATCH", ["links", id]) => books.change_link(id, text(&body, "/status")),
            ("GET", ["transactions"]) => {
                let from = text(&query, "/from_time_created");
                let found = books.listed_transactions(text(&query, "/reference"), from);
                Ok(list("transactions", found))
            }
            ("GET", ["transactions", id]) => books.transaction(id),
            ("POST", ["transactions"]) => books.charge_card(&body, now),
            ("GET", ["payment-methods", id]) => books.method(id),
            ("DELETE", ["payment-methods", id]) => books.remove_method(id),
            ("POST", ["transactions", id, "refund"]) => {
                books.refund(id, text(&body, "/amount"), now)
            }
            ("POST", ["transactions", id, "reversal"]) => books.reverse(id, now),
            _ => Err(unknown("Resource")),
        }?;
        if let Some(key) = key {
            let id = text(&answer, "/id").to_owned();
            self.keys.insert(key.to_owned(), (now, id, answer.clone()));
        }
        Ok(answer)
    }

    fn token(&mut self, body: &Value, now: i64) -> Result<Value, Refusal> {
        let secret = signature(text(body, "/nonce").as_bytes(), KEY);
        let is_ours = text(body, "/app_id") == APP && text(body, "/secret") == secret;
        if self.revoked || !is_ours || text(body, "/grant_type") != "client_credentials" {
            let text = "App credentials not recognized";
            return Err(Refusal::new(403, "ACTION_NOT_AUTHORIZED", "40004", text));
        }
        let token = format!("token{}", self.seen.len());
        self.tokens.insert(token.clone(), now + HOUR);
        Ok(json!({
            "token": token,
            "type": "Bearer",
            "app_id": APP,
            "app_name": "double",
            "time_created": books_time(now),
            "seconds_to_expire": HOUR - 1,
            "scope": {
                "merchant_id": "MER_double",
                "merchant_name": "double",
                "accounts": [
                    { "id": "TRA_1", "name": "transaction_processing" },
                    { "id": "TRA_2", "name": ACCOUNT },
                ],
            },
        }))
    }
}

/// Returns a time in the provider's form.
pub fn books_time(now: i64) -> String {
    let time = chrono::DateTime::from_timestamp(now, 0).unwrap();
    time.format("%Y-%m-%dT%H:%M:%S.000Z").to_string()
}

fn not_authorised() -> Refusal {
    let text = "Permission not enabled to execute action";
    Refusal::new(403, "ACTION_NOT_AUTHORIZED", "40212", text)
}

fn list(name: &str, found: Vec<Value>) -> Value {
    json!({ "total_record_count": found.len(), "current_page_size": "100", name: found })
}

/// Refuses what the provider refuses in a new link.
fn check_link(body: &Value, now: i64) -> Result<(), Refusal> {
    if text(body, "/account_name") != ACCOUNT {
        return Err(not_authorised());
    }
    for pointer in ["/reference", "/order/amount"] {
        if text(body, pointer).is_empty() {
            return Err(missing("40005", pointer));
        }
    }
    if !text(body, "/payer/email").contains('@') {
        return Err(missing("50012", "HPP_CUSTOMER_EMAIL"));
    }
    let needed = [
        ("/type", "HOSTED_PAYMENT_PAGE"),
        ("/usage_mode", "SINGLE"),
        ("/usage_limit", "1"),
        ("/shippable", "NO"),
        ("/order/currency", "GBP"),
        ("/order/transaction_configuration/channel", "CNP"),
        ("/order/transaction_configuration/capture_mode", "AUTO"),
        (
            "/order/transaction_configuration/currency_conversion_mode",
            "NO",
        ),
        ("/payer/status", "NEW"),
    ];
    for (pointer, value) in needed {
        if text(body, pointer) != value {
            return Err(invalid("50001", pointer));
        }
    }
    for pointer in ["/reference", "/name", "/order/reference"] {
        let text = text(body, pointer);
        if text.is_empty() || text.len() > 50 || !text.is_ascii() {
            return Err(invalid("40213", pointer));
        }
    }
    for pointer in [
        "/notifications/return_url",
        "/notifications/status_url",
        "/name",
    ] {
        if text(body, pointer).is_empty() {
            return Err(missing("50001", pointer));
        }
    }
    let amount = text(body, "/order/amount");
    if amount.starts_with('0') || !amount.chars().all(|c| c.is_ascii_digit()) {
        return Err(invalid("40213", "/order/amount"));
    }
    let ends = text(body, "/expiration_date").parse::<chrono::DateTime<chrono::Utc>>();
    let ends = ends.map_err(|_| invalid("40213", "/expiration_date"))?;
    if !(now + 1..=now + DAY).contains(&ends.timestamp()) {
        return Err(invalid("40213", "/expiration_date"));
    }
    Ok(())
}

/// Refuses a payer with a text that is empty, too long or not ASCII, or with a detail in `refused`.
fn check_payer(payer: &Value, refused: &[String]) -> Result<(), Refusal> {
    // The provider documents no limits of these texts. Those of a link's name are the narrowest known.
    for (pointer, most) in [
        ("/first_name", 50),
        ("/last_name", 50),
        ("/billing_address/line_1", 50),
        ("/billing_address/city", 50),
        ("/billing_address/postal_code", 16),
    ] {
        let Some(given) = payer.pointer(pointer) else {
            continue;
        };
        let text = given.as_str().unwrap_or_default();
        let is_refused = refused.iter().any(|detail| detail == text);
        if text.is_empty() || text.len() > most || !text.is_ascii() || is_refused {
            return Err(invalid("40213", pointer));
        }
    }
    Ok(())
}
