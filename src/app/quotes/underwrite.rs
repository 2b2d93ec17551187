//! Saving a quote: answers are checked, priced and judged, then written as the next revision.

use chrono::{DateTime, Duration, NaiveDate, Utc};
use uuid::Uuid;

use crate::app::policies::live_cover::already_covered;
use crate::app::quotes::{Outcome, Submission};
use crate::app::quotes::{ownership, price};
use crate::app::rows::{self, counters};
use crate::app::{App, AppError};
use crate::domain::answers::Answers;
use crate::domain::dates;
use crate::domain::form::{self, Scope};
use crate::domain::price::Price;
use crate::domain::quote::{self, Origin, Quote, QuoteEvent, QuoteStatus, Revision, Saved};
use crate::domain::reference::reference;
use crate::domain::registrations::registrations;
use crate::domain::term;
use crate::domain::transition::Transition;
use crate::domain::underwriting::{self, Business, Decision};
use crate::store::WriteTx;

/// Answers that were checked, priced and judged, ready to be written.
#[derive(Clone, Debug)]
pub(in crate::app) struct Assessed {
    pub(in crate::app) answers: Answers,
    saved: Saved,
    pub(in crate::app) reason: Option<String>,
    pub(in crate::app) price: Option<Price>,
    pub(in crate::app) term: Option<(NaiveDate, NaiveDate)>,
    expires: Option<DateTime<Utc>>,
    pub(in crate::app) registrations: Vec<String>,
    pub(in crate::app) product: String,
    product_hash: String,
    origin: Origin,
    /// When a link to it is mailed, if its address is new to it; never, when nobody has asked
    /// us for it yet.
    pub(in crate::app) mail_at: Option<DateTime<Utc>>,
}

impl Assessed {
    /// A partner's risk with answers missing, and what it costs so far for which days.
    pub(in crate::app) fn partial(&mut self, price: Price) {
        self.saved = Saved::Partial;
        self.term = Some((price.inception, price.expiry));
        self.price = Some(price);
    }

    /// The mail address typed as the policyholder's, as a user name.
    pub(in crate::app) fn typed_name(&self) -> Option<String> {
        ownership::typed_name(&self.answers)
    }

    /// These answers as revision `number`.
    fn revision(&self, number: u32, now: DateTime<Utc>) -> Revision {
        Revision {
            number,
            at: now,
            product_hash: self.product_hash.clone(),
            answers: self.answers.clone(),
            price: self.price.clone(),
            inception: self.term.map(|(inception, _)| inception),
            expiry: self.term.map(|(_, expiry)| expiry),
        }
    }
}

impl App {
    /// Checks, prices and judges answers; writes nothing.
    pub(in crate::app) fn underwrite(
        &self,
        submission: Submission,
        now: DateTime<Utc>,
    ) -> Result<Assessed, AppError> {
        let today = dates::london_date(now);
        let registered = self.products.find(&submission.product, today)?;
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
            mail_at: Some(now + Duration::seconds(i64::from(self.config.mail.quote_delay_seconds))),
            answers,
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
        let phone = &self.config.site.phone;
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
                // A renewal's price holds until its cover would begin.
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
}

/// A quote that was never saved, with a reference of its own.
pub(in crate::app) fn new_quote(
    tx: &mut WriteTx<'_>,
    uuid: Uuid,
    owner: Option<Uuid>,
    prefix: &str,
    assessed: &Assessed,
    now: DateTime<Utc>,
) -> Result<Quote, AppError> {
    let number = counters::add(tx, counters::REFERENCE, 1)?;
    Ok(Quote {
        uuid,
        reference: reference(prefix, number),
        product: assessed.product.clone(),
        status: QuoteStatus::Draft,
        reason: None,
        current: Revision::none(now),
        tokens: Vec::new(),
        resume: Vec::new(),
        created: now,
        updated: now,
        expires: None,
        accepted: None,
        holder_name: String::new(),
        owner,
        mailbox: None,
        partner: None,
        origin: assessed.origin.clone(),
        renews: None,
        versions: Vec::new(),
    })
}

/// Writes `judged` as the quote's next revision; a new save withdraws the acceptance.
pub(in crate::app) fn save(
    tx: &mut WriteTx<'_>,
    quote: &mut Quote,
    assessed: &Assessed,
    now: DateTime<Utc>,
) -> Result<Outcome, AppError> {
    quote.status = match quote::apply(quote.status, QuoteEvent::Saved(assessed.saved)) {
        Transition::Applied(status) => status,
        Transition::AlreadyApplied => quote.status,
        Transition::Refused(why) => return Err(AppError::conflict("not_changeable", why)),
    };
    let next = assessed.revision(quote.current.number + 1, now);
    let older = std::mem::replace(&mut quote.current, next);
    let is_first = older.number == 0;
    if !is_first {
        rows::quotes::keep_revision(tx, quote.uuid, &older)?;
    }
    quote.reason.clone_from(&assessed.reason);
    quote.updated = now;
    quote.expires = assessed.expires;
    quote.accepted = None;
    quote.holder_name = holder_name(&assessed.answers);
    quote.note_version();
    ownership::await_mailbox(tx, quote, assessed.typed_name(), assessed.mail_at)?;
    if is_first {
        rows::quotes::insert(tx, quote)?;
    } else {
        rows::quotes::put(tx, quote)?;
    }
    let mut notices = Vec::new();
    if quote.status.goes_on() {
        notices = already_covered(
            tx,
            &assessed.registrations,
            quote.renews,
            dates::london_date(now),
        )?;
    }
    Ok(Outcome {
        status: quote.status,
        revision: quote.current.number,
        reason: quote.reason.clone(),
        notices,
    })
}

/// The policyholder's name as typed, for lists.
pub(in crate::app) fn holder_name(answers: &Answers) -> String {
    ["first_name", "middle_name", "last_name"]
        .iter()
        .filter_map(|name| answers.values.get(*name)?.as_str())
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}
