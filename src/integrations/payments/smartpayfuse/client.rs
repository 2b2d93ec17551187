//! Calls Fuse's REST API: the search of transactions, their details, charges and refunds.

use std::sync::Arc;

use getrandom::SysRng;
use reqwest::Method;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use super::encryption::DecryptionError;
use super::error::{FuseError, FuseRefusal, from_response};
use super::token::{RestCall, RestKey};
use super::transaction::{FuseTransaction, decimal};
use crate::clock::Clock;
use crate::domain::money::Pence;
use crate::domain::payment::Currency;
use crate::integrations::payments::call_limiter::CallLimiter;
use crate::integrations::payments::http_call::{
    RetryPolicy, read_body, transport_error, with_retries,
};

/// The gateway's name.
pub const NAME: &str = "smartpayfuse";
/// Maximum number of rows of a search. An attempt or a refund has few rows. A charge whose fields Fuse refuses
/// has a row for each call.
const MAX_ROWS: usize = 100;
/// Days that a search adds to the age of an attempt or a refund. Our clock may be wrong, and Fuse
/// counts whole days.
const SPARE_DAYS: i64 = 2;
/// A reference that no transaction has. A search for this reference checks the key.
const NO_REFERENCE: Uuid = Uuid::nil();

/// A client of Fuse's REST API with one key.
#[derive(Clone, Debug)]
pub struct SmartpayFuseClient {
    http: reqwest::Client,
    address: String,
    key: RestKey,
    clock: Clock,
    retry_policy: RetryPolicy,
    limiter: Arc<CallLimiter>,
}

/// A refund to make.
#[derive(Clone, Debug)]
pub struct FuseRefundOrder {
    /// Our id of the refund. Fuse stores this id as the refund's code. A search by the code finds the
    /// refund.
    pub refund: Uuid,
    /// Fuse's id of the payment.
    pub transaction: String,
    pub amount: Pence,
    pub currency: Currency,
}

/// The answer to a new refund.
#[derive(Clone, Debug, Deserialize)]
pub struct FuseRefund {
    pub id: String,
    pub status: String,
}

/// The rows of a search.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SearchResult {
    total_count: usize,
    #[serde(rename = "_embedded")]
    embedded: Option<SearchRows>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SearchRows {
    transaction_summaries: Option<Vec<FuseTransaction>>,
}

/// A call of the REST API.
pub(super) struct FuseCall<'a> {
    pub(super) method: Method,
    pub(super) path: &'a str,
    pub(super) body: Option<String>,
    /// Whether a repeated call changes nothing. A repeated refund call could refund twice.
    pub(super) is_read: bool,
}

impl SmartpayFuseClient {
    /// Builds a client. `address` is the API's address, without a slash at its end.
    #[must_use]
    pub fn new(
        http: reqwest::Client,
        address: &str,
        key: RestKey,
        clock: Clock,
        retry_policy: RetryPolicy,
    ) -> Self {
        Self {
            http,
            address: address.to_owned(),
            key,
            limiter: Arc::new(CallLimiter::new(NAME, clock.clone())),
            clock,
            retry_policy,
        }
    }

    /// Checks the key by a search that finds nothing.
    ///
    /// # Errors
    /// [`FuseError::Key`] if Fuse refuses the key. Other errors if the answer isn't clear.
    pub async fn try_key(&self) -> Result<(), FuseError> {
        self.search(NO_REFERENCE, 0).await.map(|_| ())
    }

    /// Returns the transactions with our code, the newest first. They are at most `days` + [`SPARE_DAYS`]
    /// days old. A new transaction may be missing for minutes.
    ///
    /// # Errors
    /// If Fuse's answer isn't clear.
    pub async fn search(&self, code: Uuid, days: i64) -> Result<Vec<FuseTransaction>, FuseError> {
        // Without a time range, a search might cover only one day.
        let days = days.max(0) + SPARE_DAYS;
        let time = format!("submitTimeUtc:[NOW/DAY-{days}DAYS TO NOW/DAY+1DAY}}");
        let body = json!({
            "query": format!("clientReferenceInformation.code:{code} AND {time}"),
            "offset": 0,
            "limit": MAX_ROWS,
            "sort": "submitTimeUtc:desc",
        });
        let result: SearchResult = self
            .call(&FuseCall {
                method: Method::POST,
                path: "/tss/v2/searches",
                body: Some(body.to_string()),
                is_read: true,
            })
            .await?;
        let rows = result.embedded.and_then(|rows| rows.transaction_summaries);
        let mut rows = rows.unwrap_or_default();
        if rows.len() < result.total_count {
            let text = format!("it lists {} of {} rows", rows.len(), result.total_count);
            return Err(FuseError::Unknown(text));
        }
        let code = code.to_string();
        rows.retain(|row| row.code() == Some(&code));
        Ok(rows)
    }

    /// Returns the details of a transaction, or `None` if Fuse does not return the details yet.
    ///
    /// # Errors
    /// If Fuse's answer isn't clear.
    pub async fn transaction(&self, id: &str) -> Result<Option<FuseTransaction>, FuseError> {
        let found = self
            .call(&FuseCall {
                method: Method::GET,
                path: &format!("/tss/v2/transactions/{}", in_path(id)?),
                body: None,
                is_read: true,
            })
            .await;
        match found {
            Err(FuseError::Missing(_)) => Ok(None),
            found => found.map(Some),
        }
    }

    /// Makes a refund. Repeats the call only if Fuse was not reached.
    ///
    /// # Errors
    /// [`FuseError::Refused`] if Fuse refuses the refund. Other errors if the answer isn't clear.
    pub async fn refund(&self, order: &FuseRefundOrder) -> Result<FuseRefund, FuseError> {
        let transaction = in_path(&order.transaction)?;
        let body = json!({
            "clientReferenceInformation": { "code": order.refund },
            "orderInformation": { "amountDetails": {
                "totalAmount": decimal(order.amount),
                "currency": order.currency.code(),
            } },
        });
        let path = format!("/pts/v2/payments/{transaction}/refunds");
        self.write(&path, &body).await
    }

    /// Sends a write. Repeats the call only if Fuse was not reached.
    pub(super) async fn write<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &Value,
    ) -> Result<T, FuseError> {
        self.call(&FuseCall {
            method: Method::POST,
            path,
            body: Some(body.to_string()),
            is_read: false,
        })
        .await
    }

    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        request: &FuseCall<'_>,
    ) -> Result<T, FuseError> {
        with_retries(self.retry_policy, &self.limiter, || async {
            self.once(request).await.map_err(|error| {
                // The caller logs a refused key, with the payment.
                if !matches!(error, FuseError::Key(_)) {
                    tracing::warn!(method = %request.method, %error, "a call to Smartpay Fuse failed");
                }
                let is_risky = !request.is_read && matches!(error, FuseError::Unknown(_));
                (error, is_risky.then_some(false))
            })
        })
        .await
    }

    /// Sends one try, with a token of its own.
    async fn once<T: DeserializeOwned>(&self, request: &FuseCall<'_>) -> Result<T, FuseError> {
        let url = format!("{}{}", self.address, request.path);
        let site = self.address.split_once("://").map_or("", |(_, site)| site);
        let host = site.split('/').next().unwrap_or_default();
        let prefix = site.strip_prefix(host).unwrap_or_default();
        let now = self.clock.now();
        let body = match (&request.body, &self.key.message_keys) {
            (Some(body), Some(keys)) => {
                let no_random = "the system returned no random bytes";
                let encrypted = keys.encrypt(body, now, &mut SysRng);
                Some(encrypted.ok_or_else(|| FuseError::Unreachable(no_random.to_owned()))?)
            }
            (body, _) => body.clone(),
        };
        let call = RestCall {
            method: &request.method.as_str().to_ascii_lowercase(),
            host,
            path: &format!("{prefix}{}", request.path),
            body: body.as_deref(),
        };
        let token = self.key.token(&call, now, Uuid::new_v4());
        let token = token.ok_or_else(|| FuseError::Key("the secret is not base64".to_owned()))?;
        let mut built = self
            .http
            .request(request.method.clone(), url)
            .timeout(self.retry_policy.call)
            .bearer_auth(token.expose())
            .header("Accept", "application/hal+json;charset=utf-8");
        if let Some(body) = body {
            built = built.header("Content-Type", "application/json").body(body);
        }
        let sent = built.send().await;
        let mut answer =
            sent.map_err(|error| transport_error::<FuseError>(&error, &self.limiter))?;
        let status = answer.status().as_u16();
        let body = read_body::<FuseError>(&mut answer, &self.limiter).await?;
        let body = self.decrypt(status, body)?;
        if !(200..300).contains(&status) {
            return Err(from_response(status, &body));
        }
        // A removal has an empty answer.
        let body = if body.is_empty() {
            b"null"
        } else {
            body.as_slice()
        };
        serde_json::from_slice(body).map_err(|error| {
            // Reports the position, not the content.
            FuseError::Unknown(format!(
                "its answer can't be read at byte {}",
                error.column()
            ))
        })
    }

    /// Decrypts an answer if the account encrypts them. A refusal may be unencrypted: Fuse may not have read
    /// the token or the body. It counts as for an account without encryption, because TLS names the host.
    /// Any other unencrypted answer decides nothing.
    fn decrypt(&self, status: u16, body: Vec<u8>) -> Result<Vec<u8>, FuseError> {
        let Some(keys) = &self.key.message_keys else {
            return Ok(body);
        };
        match keys.decrypt(&body) {
            Err(DecryptionError::NotEncrypted) if status == 204 && body.is_empty() => Ok(body),
            Err(DecryptionError::NotEncrypted) if matches!(status, 400 | 401 | 403 | 404) => {
                Ok(body)
            }
            Err(error) if (200..300).contains(&status) => {
                Err(FuseError::Unknown(error.to_string()))
            }
            Err(error) => {
                let text = format!("{error}: {}", from_response(status, &body));
                Err(FuseError::Unknown(text))
            }
            Ok(text) => Ok(text),
        }
    }
}

/// Returns the id of a transaction, if it is valid in a path.
fn in_path(id: &str) -> Result<&str, FuseError> {
    checked_id(id, 30)
}

/// Returns an id of Fuse's of at most `max` characters, if it is valid in a path.
pub(super) fn checked_id(id: &str, max: usize) -> Result<&str, FuseError> {
    let is_valid = (1..=max).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric());
    is_valid.then_some(id).ok_or_else(|| {
        FuseError::Refused(FuseRefusal {
            reason: "it has no id of Smartpay Fuse".to_owned(),
            fields: Vec::new(),
        })
    })
}
