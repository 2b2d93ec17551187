//! Checks whether a customer who has broken down has cover. No log-in is needed. The search key is
//! a registration or a policy number, with the policyholder's postcode. The response identifies no
//! person. An unknown key and a wrong postcode get the same response.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::Serialize;
use tokio::time::{Instant, sleep_until};

use crate::app::limits::{self, ALL, ClientAddress, Limit};
use crate::app::products::ProductRegistry;
use crate::app::products::help_line::help_line;
use crate::app::quotes::revision_of;
use crate::app::{App, AppError};
use crate::config::Config;
use crate::domain::policy::cover_period::{CoverNow, cover_periods, current_cover};
use crate::domain::policy::term;
use crate::domain::product::form::errors::FieldErrors;
use crate::domain::quote::policyholder;
use crate::domain::reference;
use crate::domain::uk::{postcode, registration};
use crate::json_schema::ResponseSchema;
use crate::store::{Direction, Read, tables};

/// Minimum time from the start of a search to its response, so that timing does not reveal the
/// result. A search usually takes less time.
const ANSWERED_AFTER: Duration = Duration::from_millis(100);

/// Maximum number of live policies read for one search key. A registration usually has one or two:
/// the current policy and its renewal.
const MAX_POLICIES: usize = 20;

/// Maximum length of a policy number without separators, in characters.
const LONGEST_REFERENCE: usize = 20;

/// A question whether there is cover.
#[derive(Debug)]
pub struct CoverQuestion {
    by: By,
    postcode: String,
}

/// The key of the search, in the form of the index.
#[derive(Debug)]
enum By {
    Registration(String),
    Reference(String),
}

/// The result of a cover check. `covered`: there is cover now. `not_yet`: cover begins later. `not_found`: no
/// cover was found.
#[derive(Clone, Copy, Debug, Serialize, ResponseSchema)]
#[serde(rename_all = "snake_case")]
enum CoverState {
    Covered,
    NotYet,
    NotFound,
}

/// The result of a cover check. The result identifies no person.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct CoverAnswer {
    cover: CoverState,
    /// The first moment of cover, if `cover` is `not_yet`. Null for every other result.
    from: Option<DateTime<Utc>>,
    /// The product's name. Null if no cover was found.
    title: Option<String>,
    /// The number to call. Null if no cover was found.
    phone: Option<String>,
}

impl CoverQuestion {
    /// Parses a registration or a policy number, and a postcode.
    ///
    /// # Errors
    /// [`AppError::Invalid`] with the invalid fields. The errors do not depend on whether a policy
    /// exists.
    pub fn read(
        mark: Option<&str>,
        number: Option<&str>,
        postcode: &str,
    ) -> Result<Self, AppError> {
        let mut errors = FieldErrors::default();
        let by = match (mark, number) {
            (Some(mark), None) => {
                let by = registration::normalise(mark).map(By::Registration);
                if by.is_none() {
                    errors.add(
                        "registration",
                        registration::RegistrationFault::Impossible.text(),
                    );
                }
                by
            }
            (None, Some(number)) => {
                let by = written_reference(number).map(By::Reference);
                if by.is_none() {
                    let text = "Enter the policy number as your documents have it: letters, then nine digits";
                    errors.add("reference", text);
                }
                by
            }
            _ => {
                let text = "Enter either a registration number or a policy number";
                errors.add("registration", text);
                None
            }
        };
        let postcode = postcode::check(postcode);
        if postcode.is_none() {
            errors.add("postcode", "Enter a UK postcode, such as SW1A 1AA");
        }
        match (by, postcode) {
            (Some(by), Some(postcode)) => Ok(Self { by, postcode }),
            _ => Err(AppError::Invalid(errors)),
        }
    }
}

/// Returns the present cover, or the cover that begins next if there is no present cover. The state is
/// `NotFound` if there is no cover now or later.
///
/// # Errors
/// [`AppError::TooMany`] beyond a rate limit: by client, by registration or policy number, or in
/// total.
pub async fn check_cover(
    app: &App,
    client: &ClientAddress,
    question: &CoverQuestion,
) -> Result<CoverAnswer, AppError> {
    count_cover_check(app, client, &question.by)?;
    let answered = Instant::now() + ANSWERED_AFTER;
    let now = app.clock.now();
    let found = app
        .store
        .read(|tx| check_cover_in(&app.config, &app.products, tx, question, now))
        .await;
    sleep_until(answered).await;
    found
}

fn count_cover_check(app: &App, client: &ClientAddress, by: &By) -> Result<(), AppError> {
    let (By::Registration(one) | By::Reference(one)) = by;
    limits::count_here(app, Limit::CoverChecks, &client.network(), 1)?;
    limits::count_here(app, Limit::CoverChecksOfOne, one, 1)?;
    limits::count_here(app, Limit::TotalCoverChecks, ALL, 1)
}

fn check_cover_in(
    config: &Config,
    products: &ProductRegistry,
    tx: &impl Read,
    question: &CoverQuestion,
    now: DateTime<Utc>,
) -> Result<CoverAnswer, AppError> {
    let (table, key) = match &question.by {
        By::Registration(mark) => (&tables::POLICY_BY_REGISTRATION, mark),
        By::Reference(number) => (&tables::POLICY_BY_REFERENCE, number),
    };
    let mut best: Option<CoverAnswer> = None;
    for ((_, uuid), ()) in table.list(tx, key, Direction::Backward, MAX_POLICIES)? {
        let quote = tables::QUOTES.get(tx, &uuid)?;
        let policy = tables::POLICIES.get(tx, &uuid)?;
        let Some((quote, policy)) = quote.zip(policy) else {
            continue;
        };
        let revision = revision_of(tx, &quote, policy.revision)?;
        let postcode = revision.answers.text(policyholder::POSTCODE);
        if postcode.and_then(postcode::check).as_ref() != Some(&question.postcode) {
            continue;
        }
        let product = products.by_hash(tx, &revision.product_hash)?;
        let trips = term::trip_days(&product, &revision.answers);
        let (cover, from) = match current_cover(&cover_periods(&policy, &trips), now) {
            CoverNow::Covered => (CoverState::Covered, None),
            CoverNow::NotYet(from) => (CoverState::NotYet, Some(from)),
            CoverNow::Over => continue,
        };
        // `None` means present cover, and sorts before every moment.
        if best.as_ref().is_none_or(|best| from < best.from) {
            best = Some(CoverAnswer {
                cover,
                from,
                title: Some(product.info().product_title.clone()),
                phone: Some(help_line(&product, &config.site).phone),
            });
        }
    }
    Ok(best.unwrap_or(CoverAnswer {
        cover: CoverState::NotFound,
        from: None,
        title: None,
        phone: None,
    }))
}

/// Returns a policy number in capitals without separators, or `None` if `text` is no policy number.
fn written_reference(text: &str) -> Option<String> {
    let mut number = String::with_capacity(LONGEST_REFERENCE);
    for character in text.chars() {
        match character {
            ' ' | '-' | '\u{a0}' => {}
            c if c.is_ascii_alphanumeric() && number.len() < LONGEST_REFERENCE => {
                number.push(c.to_ascii_uppercase());
            }
            _ => return None,
        }
    }
    reference::is_reference(&number).then_some(number)
}
