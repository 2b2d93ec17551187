//! Calls the GP API.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use chrono::SecondsFormat;
use reqwest::Method;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use super::error::{GpError, from_response};
use super::signature;
use crate::clock::Clock;
use crate::integrations::payments::call_limiter::CallLimiter;
use crate::integrations::payments::http_call::{
    RetryPolicy, clock_error, read_body, transport_error, with_retries,
};
use crate::secret::Secret;

/// The gateway's name.
pub const NAME: &str = "globalpayments";
/// The API version that every request states.
pub const VERSION: &str = "2021-03-22";
/// Time before a token's end at which the shop stops using the token.
const TOKEN_MARGIN: Duration = Duration::from_secs(60);

/// The app at Global Payments whose account takes the payments.
#[derive(Clone, Debug)]
pub struct GpApp {
    pub id: String,
    /// The key that signs tokens and messages.
    pub key: Secret,
    /// The account's name.
    pub account: String,
    /// The account's country, two letters.
    pub country: String,
    /// Whether the app belongs to the sandbox, which moves no money.
    pub is_test: bool,
}

/// A client of the GP API with one app.
#[derive(Clone, Debug)]
pub struct GlobalPaymentsClient {
    http: reqwest::Client,
    address: String,
    app: GpApp,
    clock: Clock,
    retry_policy: RetryPolicy,
    limiter: Arc<CallLimiter>,
    token: Arc<Mutex<Option<StoredToken>>>,
}

#[derive(Clone, Debug)]
struct StoredToken {
    text: Secret,
    renewal: Instant,
}

/// An answer, and how wrong our clock is by its time.
type DatedAnswer<T> = (T, Option<String>);

/// The answer to `POST /accesstoken`.
#[derive(Deserialize)]
struct TokenAnswer {
    token: String,
    seconds_to_expire: u64,
    #[serde(default)]
    scope: TokenScope,
}

#[derive(Default, Deserialize)]
struct TokenScope {
    #[serde(default)]
    accounts: Vec<ScopeAccount>,
}

#[derive(Deserialize)]
struct ScopeAccount {
    name: Option<String>,
}

/// A call that may be repeated. It is a read, a change to a fixed state, a request for a token, or a POST
/// with an idempotency key.
pub(super) struct GpCall<'a> {
    pub(super) method: Method,
    /// The path with its query.
    pub(super) path: &'a str,
    pub(super) body: Option<&'a Value>,
    pub(super) idempotency_key: Option<Uuid>,
}

impl GlobalPaymentsClient {
    /// Builds a client. `address` is the API's address, without a slash at its end.
    #[must_use]
    pub fn new(
        http: reqwest::Client,
        address: &str,
        app: GpApp,
        clock: Clock,
        retry_policy: RetryPolicy,
    ) -> Self {
        Self {
            http,
            address: address.to_owned(),
            app,
            limiter: Arc::new(CallLimiter::new(NAME, clock.clone())),
            clock,
            retry_policy,
            token: Arc::default(),
        }
    }

    pub(super) const fn app(&self) -> &GpApp {
        &self.app
    }

    /// Returns the API's address.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Checks that the app gets a token whose scope has our account. Returns how wrong our clock is:
    /// `10 minutes ahead`.
    ///
    /// # Errors
    /// [`GpError::Key`] if the app's key is wrong or the account is missing. Other errors if the answer isn't
    /// clear.
    pub async fn try_key(&self) -> Result<Option<String>, GpError> {
        let policy = self.retry_policy;
        let answer = with_retries(policy, &self.limiter, || async {
            self.request_token().await.map_err(|error| (error, None))
        });
        let (answer, clock_error) = answer.await?;
        let accounts = answer.scope.accounts;
        let is_ours = |one: &ScopeAccount| one.name.as_ref() == Some(&self.app.account);
        if accounts.iter().any(is_ours) {
            return Ok(clock_error);
        }
        Err(GpError::Key(
            "it has no account of the name in payments.globalpayments.account_name".to_owned(),
        ))
    }

    /// Sends a read. `path` includes the query.
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, GpError> {
        let call = GpCall {
            method: Method::GET,
            path,
            body: None,
            idempotency_key: None,
        };
        self.call(&call).await
    }

    /// Sends a write, which the provider executes once for `idempotency_key` within 24 hours.
    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &Value,
        idempotency_key: Uuid,
    ) -> Result<T, GpError> {
        let call = GpCall {
            method: Method::POST,
            path,
            body: Some(body),
            idempotency_key: Some(idempotency_key),
        };
        self.call(&call).await
    }

    pub(super) async fn call<T: DeserializeOwned>(&self, call: &GpCall<'_>) -> Result<T, GpError> {
        let once = || async { self.once(call).await.map_err(|error| (error, None)) };
        with_retries(self.retry_policy, &self.limiter, once).await
    }

    /// Sends one try. If the provider refuses the token, sends the call once more with a new token and the
    /// same idempotency key.
    async fn once<T: DeserializeOwned>(&self, call: &GpCall<'_>) -> Result<T, GpError> {
        let token = self.token().await?;
        let refused = match self.send(call, Some(&token)).await {
            Err(GpError::Token(_)) => token,
            other => return other.map(|(answer, _)| answer),
        };
        self.forget(&refused);
        let token = self.token().await?;
        match self.send(call, Some(&token)).await {
            Err(GpError::Token(why)) => {
                self.forget(&token);
                Err(GpError::Key(why))
            }
            other => other.map(|(answer, _)| answer),
        }
    }

    /// Returns the stored token. If the token is missing or about to expire, requests a new token.
    async fn token(&self) -> Result<Secret, GpError> {
        let stored = self.stored_token().clone();
        if let Some(token) = stored.filter(|token| Instant::now() < token.renewal) {
            return Ok(token.text);
        }
        let (answer, _) = self.request_token().await.map_err(|error| match error {
            // The call that needs the token was not sent.
            GpError::Unknown(why) => GpError::Unreachable(why),
            other => other,
        })?;
        let lifetime = Duration::from_secs(answer.seconds_to_expire.min(86_400));
        let token = StoredToken {
            text: answer.token.into(),
            renewal: Instant::now() + lifetime.saturating_sub(TOKEN_MARGIN),
        };
        *self.stored_token() = Some(token.clone());
        Ok(token.text)
    }

    fn stored_token(&self) -> std::sync::MutexGuard<'_, Option<StoredToken>> {
        self.token.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes a refused token, unless another token is stored now.
    fn forget(&self, token: &Secret) {
        self.stored_token().take_if(|stored| stored.text == *token);
    }

    async fn request_token(&self) -> Result<DatedAnswer<TokenAnswer>, GpError> {
        // The nonce is the time, as in the official libraries. The provider does not compare the nonce with
        // its own clock.
        let nonce = self.clock.now();
        let nonce = nonce.to_rfc3339_opts(SecondsFormat::Millis, true);
        let body = json!({
            "app_id": self.app.id,
            "secret": signature::digest(nonce.as_bytes(), &self.app.key),
            "nonce": nonce,
            "grant_type": "client_credentials",
        });
        let call = GpCall {
            method: Method::POST,
            path: "/accesstoken",
            body: Some(&body),
            idempotency_key: None,
        };
        self.send(&call, None).await.map_err(|error| match error {
            GpError::Token(why) | GpError::Refused(why) => GpError::Key(why),
            other => other,
        })
    }

    /// Sends a request once. A refused key is not logged here: the caller logs it, with the payment. So its
    /// error names the call.
    async fn send<T: DeserializeOwned>(
        &self,
        call: &GpCall<'_>,
        token: Option<&Secret>,
    ) -> Result<DatedAnswer<T>, GpError> {
        let id = Uuid::now_v7();
        let sent = self.exchange(call, token, id).await;
        sent.map_err(|error| match error {
            GpError::Token(why) => GpError::Token(format!("{why}, call {id}")),
            GpError::Key(why) => GpError::Key(format!("{why}, call {id}")),
            error => {
                // The logged path has only ids and a page size, and no data of a person.
                tracing::warn!(
                    method = %call.method,
                    path = call.path,
                    call = %id,
                    %error,
                    "a call to Global Payments failed"
                );
                error
            }
        })
    }

    async fn exchange<T: DeserializeOwned>(
        &self,
        call: &GpCall<'_>,
        token: Option<&Secret>,
        id: Uuid,
    ) -> Result<DatedAnswer<T>, GpError> {
        let mut request = self
            .http
            .request(
                call.method.clone(),
                format!("{}{}", self.address, call.path),
            )
            .timeout(self.retry_policy.call)
            .header("X-GP-Version", VERSION)
            .header("X-Request-Id", id.to_string())
            .header("Accept", "application/json");
        if let Some(token) = token {
            request = request.bearer_auth(token.expose());
        }
        if let Some(key) = call.idempotency_key {
            request = request.header("x-gp-idempotency", key.to_string());
        }
        if let Some(body) = call.body {
            request = request.json(body);
        }
        let sent = request.send().await;
        let mut answer = sent.map_err(|error| transport_error::<GpError>(&error, &self.limiter))?;
        let status = answer.status().as_u16();
        let clock_error = clock_error(answer.headers(), self.clock.now());
        let body = read_body::<GpError>(&mut answer, &self.limiter).await?;
        if !(200..300).contains(&status) {
            return Err(from_response(status, &body, clock_error.as_deref()));
        }
        let read = serde_json::from_slice(&body).map(|answer| (answer, clock_error));
        read.map_err(|error| {
            // Reports the position, not the content.
            let why = format!("its answer can't be read at byte {}", error.column());
            GpError::Unknown(why)
        })
    }
}

/// Returns an id of the provider's, such as `TRN_...`, if it is valid in a path.
pub(super) fn in_path(id: &str) -> Result<&str, GpError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    if !id.is_empty() && id.len() <= 100 && id.chars().all(plain) {
        Ok(id)
    } else {
        Err(GpError::Missing(
            "it has no id of Global Payments".to_owned(),
        ))
    }
}
