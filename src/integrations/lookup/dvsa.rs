//! Looks up the MOT history at the Driver and Vehicle Standards Agency. The history has make,
//! model, colour, fuel and MOT, and no tax. Each call needs a token, which is cached until shortly
//! before its expiry. shared/reference/lookups-desk-and-books.md describes the service's two forms
//! of answer.

use std::time::{Duration, Instant};

use chrono::NaiveDate;
use serde_json::Value;
use tokio::sync::Mutex;

use super::fault::{self, LookupFault};
use super::service::{Answer, call, text};
use super::vehicle::{day, month, same_mark, strip_spaces};
use crate::config::DvsaSettings as Settings;
use crate::domain::quote::lookup::{Mot, MotStatus, Source, Vehicle};
use crate::secret::Secret;

/// Time before a token's expiry in which the shop no longer uses the token.
const SPARE: Duration = Duration::from_secs(60);
/// Longest accepted lifetime of a token, in seconds.
const MAX_TOKEN_LIFETIME: u64 = 3600;

/// The service, with its token and the token's expiry.
#[derive(Debug)]
pub(super) struct Dvsa {
    pub(super) http: reqwest::Client,
    pub(super) settings: Settings,
    pub(super) token: Mutex<Option<(Secret, Instant)>>,
}

impl Dvsa {
    pub(super) async fn find(&self, mark: &str, today: NaiveDate) -> Result<Vehicle, LookupFault> {
        let failed = |why: &str| fault::failed("dvsa", why);
        let mut answer = self.ask(mark).await.map_err(|why| failed(&why))?;
        if matches!(answer.0, 401 | 403) {
            // The service may have revoked the token. The call is tried once more with a new token.
            *self.token.lock().await = None;
            answer = self.ask(mark).await.map_err(|why| failed(&why))?;
        }
        let (status, found) = answer;
        match status {
            200 => {}
            400 | 404 => return Err(LookupFault::Unknown(Vec::new())),
            other => return Err(failed(&format!("it answers {other}"))),
        }
        same_mark(&found, "registration", mark).map_err(failed)?;
        Ok(Vehicle {
            registration: mark.to_owned(),
            make: text(&found, "make", 40),
            model: text(&found, "model", 60),
            colour: text(&found, "primaryColour", 30),
            fuel: text(&found, "fuelType", 40),
            first_registered: month(&found, "registrationDate", today)
                .or_else(|| month(&found, "firstUsedDate", today)),
            mot: mot(&found, today),
            tax: None,
            source: Source::Dvsa,
        })
    }

    async fn ask(&self, mark: &str) -> Result<Answer, String> {
        let token = self.token().await?;
        let (url, mark) = (&self.settings.url, strip_spaces(mark));
        let request = self
            .http
            .get(format!("{url}/v1/trade/vehicles/registration/{mark}"))
            .bearer_auth(token.expose())
            .header("X-API-Key", self.settings.api_key.expose());
        call(request).await
    }

    /// Returns the cached token, or a new token. Concurrent callers share one new token.
    async fn token(&self) -> Result<Secret, String> {
        let mut cache = self.token.lock().await;
        if let Some((token, ends)) = cache.as_ref()
            && Instant::now() + SPARE < *ends
        {
            return Ok(token.clone());
        }
        let settings = &self.settings;
        let form = serde_urlencoded::to_string([
            ("grant_type", "client_credentials"),
            ("client_id", settings.client_id.as_str()),
            ("client_secret", settings.client_secret.expose()),
            ("scope", settings.scope.as_str()),
        ])
        .map_err(|_| "its token can't be asked for".to_owned())?;
        let request = self
            .http
            .post(settings.token_url.as_str())
            .header("Content-Type", "application/x-www-form-urlencoded")
            .body(form);
        let (status, answer) = call(request).await?;
        let token = answer.get("access_token").and_then(Value::as_str);
        let Some(token) = token.filter(|token| status == 200 && !token.is_empty()) else {
            return Err(format!("it gives no token and answers {status}"));
        };
        let token = Secret::from(token.to_owned());
        let lasts = answer.get("expires_in").and_then(Value::as_u64);
        let lasts = Duration::from_secs(lasts.unwrap_or(0).min(MAX_TOKEN_LIFETIME));
        *cache = Some((token.clone(), Instant::now() + lasts));
        Ok(token)
    }
}

/// Returns the MOT by the latest expiry of a passed test. For a vehicle without a passed test,
/// returns the MOT by the day on which its test is due. Returns `None` if the answer has neither
/// day.
fn mot(found: &Value, today: NaiveDate) -> Option<Mot> {
    let tests = found.get("motTests").and_then(Value::as_array);
    let passed = tests.into_iter().flatten().filter(|test| {
        test.get("testResult")
            .and_then(Value::as_str)
            .is_some_and(|result| result == "PASSED")
    });
    if let Some(until) = passed.filter_map(|test| day(test, "expiryDate")).max() {
        let status = if until < today {
            MotStatus::Expired
        } else {
            MotStatus::Valid
        };
        return Some(Mot {
            status,
            until: Some(until),
        });
    }
    let due = day(found, "motTestDueDate")?;
    let status = if due < today {
        MotStatus::Expired
    } else {
        MotStatus::NotDue
    };
    Some(Mot {
        status,
        until: Some(due),
    })
}
