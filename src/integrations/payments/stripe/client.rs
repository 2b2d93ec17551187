//! Calls Stripe's API.

use std::sync::Arc;

use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder};
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use super::error::{StripeError, from_response};
use super::form;
use crate::clock::Clock;
use crate::integrations::payments::call_limiter::CallLimiter;
use crate::integrations::payments::http_call::{
    RetryPolicy, read_body, sanitise, transport_error, with_retries,
};
use crate::secret::Secret;

/// The gateway's name.
pub const NAME: &str = "stripe";
/// The API version that every request states. Names and values differ between versions.
pub const VERSION: &str = "2026-10-28.endive";

/// A client of Stripe with one key.
#[derive(Clone, Debug)]
pub struct StripeClient {
    http: reqwest::Client,
    address: String,
    key: Secret,
    retry_policy: RetryPolicy,
    limiter: Arc<CallLimiter>,
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
        clock: Clock,
        retry_policy: RetryPolicy,
    ) -> Self {
        Self {
            http,
            address: address.to_owned(),
            key,
            retry_policy,
            limiter: Arc::new(CallLimiter::new(NAME, clock)),
        }
    }

    /// Returns whether the key is of test mode. Objects that such a key creates are of test mode too.
    #[must_use]
    pub fn is_test(&self) -> bool {
        let kind = self.key.expose().get(2..).unwrap_or_default();
        !kind.starts_with("_live_")
    }

    /// Checks whether the key may read sessions, payment intents, refunds and customers. Reads one of
    /// each.
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
            "/v1/customers",
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
        with_retries(self.retry_policy, &self.limiter, || self.once(request)).await
    }

    /// Sends one try. An error includes whether Stripe advises a retry.
    async fn once<T: DeserializeOwned>(
        &self,
        request: &Request<'_>,
    ) -> Result<T, (StripeError, Option<bool>)> {
        let id = Uuid::now_v7();
        let failed = |error: StripeError, headers: Option<&HeaderMap>| {
            let header = |name: &str| headers?.get(name)?.to_str().ok();
            let stripe_request = header("request-id").map(sanitise).unwrap_or_default();
            let error = match error {
                // The caller logs a refused key, with the payment.
                StripeError::Key(why) => {
                    StripeError::Key(format!("{why}, request {stripe_request}, call {id}"))
                }
                error => {
                    tracing::warn!(
                        method = %request.method,
                        call = %id,
                        stripe_request,
                        %error,
                        "a call to Stripe failed"
                    );
                    error
                }
            };
            let again = header("stripe-should-retry").and_then(|value| value.parse().ok());
            (error, again)
        };
        let sent = self.build(request, id).send().await;
        let mut answer =
            sent.map_err(|error| failed(transport_error(&error, &self.limiter), None))?;
        let status = answer.status().as_u16();
        let headers = answer.headers().clone();
        let body = read_body(&mut answer, &self.limiter).await;
        let body = body.map_err(|error| failed(error, Some(&headers)))?;
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
            // This text has only the position of the error, because the answer may contain personal data.
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
