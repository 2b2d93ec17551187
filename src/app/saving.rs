//! Saving a quote: answers are checked, priced and judged, then written as the next revision.

use chrono::{DateTime, Duration, NaiveDate, Utc};
use uuid::Uuid;

use super::lists::put_quote;
use super::live_cover::already_covered;
use super::quotes::{Outcome, Submission};
use super::{App, AppError, claims, pricing};
use crate::domain::answers::Answers;
use crate::domain::dates;
use crate::domain::form::{self, Scope};
use crate::domain::marks::marks;
use crate::domain::quote::{
    self, Origin, Quote, QuoteEvent, QuoteStatus, Revision, Saved, Transition,
};
use crate::domain::rating::Price;
use crate::domain::reference::reference;
use crate::domain::term;
use crate::domain::underwriting::{self, Business, Decision};
use crate::store::{WriteTx, tables};

/// Answers that were checked, priced and judged, ready to be written.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    pub(super) answers: Answers,
    saved: Saved,
    pub(super) reason: Option<String>,
    pub(super) price: Option<Price>,
    pub(super) term: Option<(NaiveDate, NaiveDate)>,
    expires: Option<DateTime<Utc>>,
    pub(super) marks: Vec<String>,
    pub(super) product: String,
    product_hash: String,
    origin: Origin,
    /// When a link to it is mailed, if its address is new to it; never, when nobody has asked
    /// us for it yet.
    pub(super) mail_at: Option<DateTime<Utc>>,
}

impl Judged {
    /// A partner's risk with answers missing, and what it costs so far for which days.
    pub(super) fn partial(&mut self, price: Price) {
        self.saved = Saved::Partial;
        self.term = Some((price.inception, price.expiry));
        self.price = Some(price);
    }

    /// The mail address typed as the policyholder's, as a user name.
    pub(super) fn typed_name(&self) -> Option<String> {
        claims::typed_name(&self.answers)
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
    pub(super) fn judge(
        &self,
        submission: Submission,
        now: DateTime<Utc>,
    ) -> Result<Judged, AppError> {
        let today = dates::london_date(now);
        let shelved = self.products.find(&submission.product, today)?;
        let product = &shelved.product;
        let scope = match (submission.draft, &submission.renews) {
            (true, _) => Scope::Draft,
            (false, Some(_)) => Scope::Change,
            (false, None) => Scope::Complete,
        };
        let checked = form::check(product, &submission.answers, scope, today);
        let mut errors = checked.errors;
        pricing::check_origin(product, &submission.origin, &checked.counts, &mut errors);
        if !errors.is_empty() {
            return Err(AppError::Invalid(errors));
        }
        let answers = checked.answers;
        let mut judged = Judged {
            saved: Saved::Draft,
            reason: None,
            price: None,
            term: None,
            expires: None,
            marks: marks(product, &answers),
            product: product.identifier().to_string(),
            product_hash: shelved.hash.clone(),
            origin: submission.origin,
            mail_at: Some(now + Duration::seconds(i64::from(self.config.mail.quote_delay_seconds))),
            answers,
        };
        if submission.draft {
            return Ok(judged);
        }
        let term = term::term(product, &judged.answers, today);
        judged.term = Some((term.inception, term.expiry));
        let business = match &submission.renews {
            Some(held) => Business::Held(held),
            None => Business::New,
        };
        let phone = &self.config.site.phone;
        match underwriting::decide(product, &judged.answers, &term, business, phone) {
            Decision::Refer(reason) => {
                judged.saved = Saved::Referred;
                judged.reason = Some(reason);
            }
            Decision::Decline(reason) => {
                judged.saved = Saved::Declined;
                judged.reason = Some(reason);
            }
            Decision::Accept => {
                judged.saved = Saved::Priced;
                let terms = product.terms();
                // A renewal's price holds until its cover would begin.
                let valid_days = match business {
                    Business::New => terms.quote_valid_days,
                    Business::Held(_) => terms.quote_valid_days.max(terms.renewal_lead_days + 1),
                };
                judged.expires = Some(quote::expires(now, valid_days, term.inception));
                judged.price = Some(pricing::rate(
                    product,
                    &judged.answers,
                    today,
                    &judged.origin.tracking,
                )?);
            }
        }
        Ok(judged)
    }
}

/// A quote that was never saved, with a reference of its own.
pub(super) fn new_quote(
    tx: &mut WriteTx<'_>,
    uuid: Uuid,
    owner: Option<Uuid>,
    prefix: &str,
    judged: &Judged,
    now: DateTime<Utc>,
) -> Result<Quote, AppError> {
    let counter = "reference".to_string();
    let number = tables::COUNTERS.get(tx, &counter)?.unwrap_or(0) + 1;
    tables::COUNTERS.put(tx, &counter, &number)?;
    Ok(Quote {
        uuid,
        reference: reference(prefix, number),
        product: judged.product.clone(),
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
        origin: judged.origin.clone(),
        renewal: false,
        renews: None,
        versions: Vec::new(),
    })
}

/// Writes `judged` as the quote's next revision; a new save withdraws the acceptance.
pub(super) fn save(
    tx: &mut WriteTx<'_>,
    quote: &mut Quote,
    judged: &Judged,
    now: DateTime<Utc>,
) -> Result<Outcome, AppError> {
    quote.status = match quote::apply(quote.status, QuoteEvent::Saved(judged.saved)) {
        Transition::Applied(status) => status,
        Transition::AlreadyApplied => quote.status,
        Transition::Refused(why) => return Err(AppError::conflict("not_changeable", why)),
    };
    let next = judged.revision(quote.current.number + 1, now);
    let older = std::mem::replace(&mut quote.current, next);
    if older.number > 0 {
        tables::REVISIONS.put(tx, &(quote.uuid, older.number), &older)?;
    }
    quote.reason.clone_from(&judged.reason);
    quote.updated = now;
    forget_expiry(tx, quote);
    quote.expires = judged.expires;
    if let Some(expires) = quote.expires {
        tables::QUOTE_BY_EXPIRY.put(tx, &(expires, quote.uuid), &())?;
    }
    quote.accepted = None;
    quote.holder_name = holder_name(&judged.answers);
    quote.note_version();
    claims::await_mailbox(tx, quote, judged.typed_name(), judged.mail_at)?;
    put_quote(tx, quote)?;
    let mut notices = Vec::new();
    if quote.status.goes_on() {
        notices = already_covered(tx, &judged.marks, quote.renews, dates::london_date(now))?;
    }
    Ok(Outcome {
        status: quote.status,
        revision: quote.current.number,
        reason: quote.reason.clone(),
        notices,
    })
}

/// Takes a quote off the list of prices that run out; the caller puts the quote.
pub(super) fn forget_expiry(tx: &mut WriteTx<'_>, quote: &Quote) {
    if let Some(expires) = quote.expires {
        tables::QUOTE_BY_EXPIRY.delete(tx, &(expires, quote.uuid));
    }
}

/// The policyholder's name as typed, for lists.
pub(super) fn holder_name(answers: &Answers) -> String {
    ["first_name", "middle_name", "last_name"]
        .iter()
        .filter_map(|name| answers.values.get(*name)?.as_str())
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}
