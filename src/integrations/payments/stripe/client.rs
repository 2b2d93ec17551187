//! Calls Stripe's API.

use std::time::{Duration, Instant};

use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder};
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use super::error::{StripeError, from_response, from_transport};
use super::form;
use crate::secret::Secret;

/// The API version that every request states. Names and values differ between versions.
pub const VERSION: &str = "2026-10-28.endive";
/// Largest accepted answer, in bytes.
const LARGEST: usize = 4 << 20;

/// How often a call is tried, and how long.
#[derive(Clone, Copy, Debug)]
pub struct RetryPolicy {
    /// Maximum number of tries.
    pub tries: u32,
    /// Longest time for one try.
    pub call: Duration,
    /// Longest wait before the second try. Each further wait is twice as long, up to five seconds.
    pub wait: Duration,
    /// Time after which no try begins.
    pub all: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            tries: 3,
            call: Duration::from_secs(10),
            wait: Duration::from_millis(500),
            all: Duration::from_secs(12),
        }
    }
}

/// A client of Stripe with one key.
#[derive(Clone, Debug)]
pub struct StripeClient {
    http: reqwest::Client,
    address: String,
    key: Secret,
    retry_policy: RetryPolicy,
}

/// A call that may be repeated: a read, or a write with an idempotency key. Stripe executes a write
/// once for its idempotency key.
struct Request<'a> {
    method: Method,
    path: &'a str,
    pairs: Vec<(String, String)>,
    idempotency_key: Option<&'a str>,
}

impl StripeClient {
    /// Builds a client. `address` is Stripe's address, without a slash at its end.
    #[must_use]
    pub fn new(
        http: reqwest::Client,
        address: &str,
        key: Secret,
        retry_policy: RetryPolicy,
    ) -> Self {
        Self {
            http,
            address: address.to_owned(),
            key,
            retry_policy,
        }
    }

    /// Returns whether the key is of test mode. Objects that such a key creates are of test mode too.
    #[must_use]
    pub fn is_test(&self) -> bool {
        let kind = self.key.expose().get(2..).unwrap_or_default();
        !kind.starts_with("_live_")
    }

    /// Checks whether the key may read sessions, payment intents and refunds. Reads one of each.
    ///
    /// # Errors
    /// Returns [`StripeError::Key`] if the key is wrong or lacks a right, and other errors if
    /// Stripe's answer isn't clear.
    pub async fn try_key(&self) -> Result<(), StripeError> {
        let one = serde_json::json!({ "limit": 1 });
        for path in [
            "/v1/checkout/sessions",
            "/v1/payment_intents",
            "/v1/refunds",
        ] {
            self.get::<Value>(path, &one).await?;
        }
        Ok(())
    }

    /// Sends a read.
    pub(super) async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &Value,
    ) -> Result<T, StripeError> {
        self.call(&Request {
            method: Method::GET,
            path,
            pairs: form::pairs(query),
            idempotency_key: None,
        })
        .await
    }

    /// Sends a write, which Stripe executes once for `idempotency_key`.
    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        parameters: &Value,
        idempotency_key: &str,
    ) -> Result<T, StripeError> {
        self.call(&Request {
            method: Method::POST,
            path,
            pairs: form::pairs(parameters),
            idempotency_key: Some(idempotency_key),
        })
        .await
    }

    async fn call<T: DeserializeOwned>(&self, request: &Request<'_>) -> Result<T, StripeError> {
        let began = Instant::now();
        let mut wait = self.retry_policy.wait;
        // Stripe may have executed an earlier try without an answer. If Stripe certainly did
        // nothing for a later try, the earlier try is still unclear.
        let mut unheard = false;
        for left in (0..self.retry_policy.tries).rev() {
            let (error, stripe_says) = match self.once(request).await {
                Ok(answer) => return Ok(answer),
                Err(failed) => failed,
            };
            unheard |= matches!(error, StripeError::Unknown(_));
            let again = stripe_says.unwrap_or(matches!(
                error,
                StripeError::Unknown(_) | StripeError::Busy(_) | StripeError::Unreachable(_)
            ));
            if left == 0 || !again || began.elapsed() + wait > self.retry_policy.all {
                return Err(if unheard && error.is_certain() {
                    StripeError::Unknown(error.to_string())
                } else {
                    error
                });
            }
            // Waits at least half of `wait`. The rest is random, so that callers don't retry
            // together.
            let part = wait / 2 * (Uuid::new_v4().as_fields().0 % 1000) / 1000;
            tokio::time::sleep(wait / 2 + part).await;
            wait = (wait * 2).min(Duration::from_secs(5));
        }
        Err(StripeError::Unknown("it was never asked".to_owned()))
    }

    /// Sends one try. An error includes whether Stripe advises a retry.
    async fn once<T: DeserializeOwned>(
        &self,
        request: &Request<'_>,
    ) -> Result<T, (StripeError, Option<bool>)> {
        let id = Uuid::now_v7();
        let failed = |error: StripeError, headers: Option<&HeaderMap>| {
            let header = |name: &str| headers?.get(name)?.to_str().ok();
            tracing::warn!(
                method = %request.method,
                call = %id,
                stripe_request = header("request-id").unwrap_or_default(),
                %error,
                "a call to Stripe failed"
            );
            let again = header("stripe-should-retry").and_then(|value| value.parse().ok());
            (error, again)
        };
        let sent = self.build(request, id).send().await;
        let mut answer = sent.map_err(|error| failed(from_transport(&error), None))?;
        let status = answer.status().as_u16();
        let headers = answer.headers().clone();
        let mut body = Vec::new();
        loop {
            let part = answer.chunk().await;
            match part.map_err(|error| failed(from_transport(&error), Some(&headers)))? {
                Some(part) if body.len() + part.len() > LARGEST => {
                    let error = StripeError::Unknown("its answer is too large".to_owned());
                    return Err(failed(error, Some(&headers)));
                }
                Some(part) => body.extend_from_slice(&part),
                None => break,
            }
        }
        if !(200..300).contains(&status) {
            let replayed = headers
                .get("idempotent-replayed")
                .is_some_and(|value| value == "true");
            return Err(failed(
                from_response(status, &body, replayed),
                Some(&headers),
            ));
        }
        serde_json::from_slice(&body).map_err(|error| {
            // The error has the position in the answer, and not its content.
            let why = format!("its answer can't be read at byte {}", error.column());
            failed(StripeError::Unknown(why), Some(&headers))
        })
    }

    fn build(&self, request: &Request<'_>, id: Uuid) -> RequestBuilder {
        let mut address = format!("{}{}", self.address, request.path);
        let encoded = form::encoded(&request.pairs);
        if request.method == Method::GET && !encoded.is_empty() {
            address = format!("{address}?{encoded}");
        }
        let mut built = self
            .http
            .request(request.method.clone(), address)
            .timeout(self.retry_policy.call)
            .bearer_auth(self.key.expose())
            .header("Stripe-Version", VERSION)
            .header("X-Request-Id", id.to_string());
        if let Some(key) = request.idempotency_key {
            built = built
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .body(encoded);
        }
        built
    }
}

/// Returns a Stripe id that is valid in a path. Returns [`StripeError::Missing`] for other texts.
pub(super) fn in_path(id: &str) -> Result<&str, StripeError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !id.is_empty() && id.len() <= 255 && id.chars().all(plain) {
        Ok(id)
    } else {
        Err(StripeError::Missing("it has no id of Stripe's".to_owned()))
    }
}
