//! Underwrites answers: checks, decides and prices them. Writes nothing.

use std::sync::Arc;

use chrono::{DateTime, Duration, NaiveDate, Utc};

use crate::app::AppError;
use crate::app::products::ProductRegistry;
use crate::app::quotes::price;
use crate::config::Config;
use crate::domain::money::price::Price;
use crate::domain::policy::term;
use crate::domain::product::Product;
use crate::domain::product::form::{self, Scope};
use crate::domain::product::underwriting::{self, Business, Decision};
use crate::domain::quote::answers::Answers;
use crate::domain::quote::lookup::{LookupRef, StoredLookup};
use crate::domain::quote::registrations::registrations;
use crate::domain::quote::risk_equality::is_same_risk;
use crate::domain::quote::{self, Origin, Quote, Revision, Saved, policyholder};
use crate::domain::time::dates;

/// The answers of a save.
#[derive(Clone, Debug, Default)]
pub struct Submission {
    /// Product's identifier or id.
    pub product: String,
    pub answers: Answers,
    /// Whether the save is a draft, in which required answers may be missing.
    pub draft: bool,
    /// The customer's origin, such as a campaign.
    pub origin: Origin,
    /// The answers of the renewed policy, with a scheduled change applied. `None` if the quote is no renewal.
    pub renews: Option<Answers>,
    pub lookups: Vec<LookupRef>,
}

/// Checked, underwritten and priced answers, ready to be written.
#[derive(Clone, Debug)]
pub(in crate::app) struct Assessed {
    pub(in crate::app) answers: Arc<Answers>,
    pub(in crate::app) saved: Saved,
    pub(in crate::app) reason: Option<String>,
    pub(in crate::app) price: Option<Price>,
    pub(in crate::app) term: Option<(NaiveDate, NaiveDate)>,
    pub(in crate::app) expires: Option<DateTime<Utc>>,
    pub(in crate::app) registrations: Vec<String>,
    pub(in crate::app) product: String,
    pub(in crate::app) product_hash: String,
    pub(in crate::app) origin: Origin,
    /// When a link to the quote is mailed, if the quote's mail address has changed. `None` for no letter,
    /// as for a partner's request.
    pub(in crate::app) mail_at: Option<DateTime<Utc>>,
    /// The page of the website that saves the answers, if the request names the page.
    pub(in crate::app) path: Option<String>,
    /// The readers that receive this revision in the response; see [`Quote::shown_to`].
    pub(in crate::app) shown_to: Vec<String>,
    /// The look-ups to store with the answers.
    pub(in crate::app) lookups: Vec<StoredLookup>,
}

impl Assessed {
    /// Marks a partner's risk with missing answers as partial. Sets the price and the term.
    pub(in crate::app) fn partial(&mut self, price: Price) {
        self.saved = Saved::Partial;
        self.term = Some((price.inception, price.expiry));
        self.price = Some(price);
    }

    /// Returns the policyholder's mail address as a user name.
    pub(in crate::app) fn username(&self) -> Option<String> {
        policyholder::username(&self.answers)
    }

    /// Returns these answers as revision `number`.
    pub(in crate::app) fn revision(&self, number: u32, now: DateTime<Utc>) -> Revision {
        Revision {
            number,
            at: now,
            product_hash: self.product_hash.clone(),
            answers: self.answers.clone(),
            price: self.price.clone(),
            inception: self.term.map(|(inception, _)| inception),
            expiry: self.term.map(|(_, expiry)| expiry),
            path: self.path.clone(),
            lookups: self.lookups.clone(),
        }
    }
}

/// Checks, underwrites and prices answers. Writes nothing. A draft is only checked.
///
/// # Errors
/// [`AppError::NotFound`] for an unknown product. [`AppError::Invalid`] with every wrong field.
pub(in crate::app) fn underwrite(
    config: &Config,
    products: &ProductRegistry,
    submission: Submission,
    now: DateTime<Utc>,
) -> Result<Assessed, AppError> {
    let today = dates::london_date(now);
    let registered = products.find(&submission.product, today)?;
    let product = &registered.product;
    let scope = match (submission.draft, &submission.renews) {
        (true, _) => Scope::Draft,
        (false, Some(_)) => Scope::Change,
        (false, None) => Scope::Complete,
    };
    let checked = form::check(product, &submission.answers, scope, today);
    let mut errors = checked.errors;
    price::check_origin(product, &submission.origin, &checked.counts, &mut errors);
    if !errors.is_empty() {
        return Err(AppError::Invalid(errors));
    }
    let answers = checked.answers;
    let mut assessed = Assessed {
        saved: Saved::Draft,
        reason: None,
        price: None,
        term: None,
        expires: None,
        registrations: registrations(product, &answers),
        product: product.identifier().to_string(),
        product_hash: registered.hash.clone(),
        origin: submission.origin,
        mail_at: Some(mail_at(config, now)),
        answers: Arc::new(answers),
        path: None,
        shown_to: Vec::new(),
        lookups: Vec::new(),
    };
    if submission.draft {
        return Ok(assessed);
    }
    let term = term::term(product, &assessed.answers, today);
    assessed.term = Some((term.inception, term.expiry));
    let business = match &submission.renews {
        Some(held) => Business::Held(held),
        None => Business::New,
    };
    let phone = &config.site.phone;
    match underwriting::decide(product, &assessed.answers, &term, business, phone) {
        Decision::Refer(reason) => {
            assessed.saved = Saved::Referred;
            assessed.reason = Some(reason);
        }
        Decision::Decline(reason) => {
            assessed.saved = Saved::Declined;
            assessed.reason = Some(reason);
        }
        Decision::Accept => {
            assessed.saved = Saved::Priced;
            let terms = product.terms();
            // A renewal's price holds until the end of the first day of the renewed cover.
            let valid_days = match business {
                Business::New => terms.quote_valid_days,
                Business::Held(_) => terms.quote_valid_days.max(terms.renewal_lead_days + 1),
            };
            assessed.expires = Some(quote::expires(now, valid_days, term.inception));
            assessed.price = Some(price::rate(
                product,
                &assessed.answers,
                today,
                &assessed.origin.tracking,
            )?);
        }
    }
    Ok(assessed)
}

/// Returns the quote's offer with other answers. The price, the product's version, the days of cover and
/// the end of the offer do not change. Returns `None` if a changed answer affects the price or the cover, or
/// if an answer is wrong. Also returns `None` for a draft, for a renewal, and for a quote that can't be
/// bought. The caller must then underwrite the answers.
pub(in crate::app) fn reuse_offer(
    config: &Config,
    offered: &Product,
    quote: &Quote,
    submission: &Submission,
    now: DateTime<Utc>,
) -> Option<Assessed> {
    let revision = &quote.current;
    if submission.draft || quote.is_renewal() || !quote.is_buyable(now) {
        return None;
    }
    // Limits relative to today use the day of the offer: its first day of cover may be in the past.
    let saved = dates::london_date(revision.at);
    let checked = form::check(offered, &submission.answers, Scope::Complete, saved);
    let mut errors = checked.errors;
    price::check_origin(offered, &submission.origin, &checked.counts, &mut errors);
    if !errors.is_empty() || !is_same_risk(offered, &checked.answers, &revision.answers) {
        return None;
    }
    Some(Assessed {
        saved: Saved::Priced,
        reason: None,
        price: revision.price.clone(),
        term: revision.inception.zip(revision.expiry),
        expires: quote.expires,
        registrations: registrations(offered, &checked.answers),
        product: quote.product.clone(),
        product_hash: revision.product_hash.clone(),
        origin: submission.origin.clone(),
        mail_at: Some(mail_at(config, now)),
        path: None,
        shown_to: Vec::new(),
        lookups: Vec::new(),
        answers: Arc::new(checked.answers),
    })
}

/// Returns when the letter about a quote saved at `now` is due. The delay leaves time for further saves.
fn mail_at(config: &Config, now: DateTime<Utc>) -> DateTime<Utc> {
    now + Duration::seconds(i64::from(config.mail.quote_delay_seconds))
}
