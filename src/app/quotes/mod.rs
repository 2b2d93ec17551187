//! Quotes: create, change, read, accept.

pub mod list;
pub(in crate::app) mod ownership;
pub mod price;
pub mod read;
pub(in crate::app) mod underwrite;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{App, AppError, Caller, access, new_id};
use crate::app::idempotency::Key;
use crate::app::policies::renewal;
use crate::app::quotes::underwrite::{new_quote, save};
use crate::app::rows;
use crate::domain::adjustment::changed_answers;
use crate::domain::answers::Answers;
use crate::domain::dates;
use crate::domain::form::{self, Scope};
use crate::domain::quote::{
    self, Acceptance, Origin, PaymentFrequency, Quote, QuoteEvent, QuoteStatus, Revision, Saved,
};
use crate::domain::transition::Transition;
use crate::secret::Secret;
use crate::store::{Read, tables};

/// The answers a caller sends to be saved.
#[derive(Clone, Debug, Default)]
pub struct Submission {
    /// Product's identifier or id.
    pub product: String,
    /// The answers.
    pub answers: Answers,
    /// True to keep what is there without asking for the rest.
    pub draft: bool,
    /// Where the customer came from.
    pub origin: Origin,
    /// The answers in force of the policy it renews.
    pub renews: Option<Answers>,
}

/// What a create answers.
#[derive(Clone, Debug)]
pub struct Created {
    /// The new quote's id.
    pub uuid: Uuid,
    /// Number the customer sees.
    pub reference: String,
    /// The visitor's right to it.
    pub consumer_token: Secret,
    /// What the save made of it.
    pub outcome: Outcome,
}

/// What is remembered of a create that carried a key.
#[derive(Serialize, Deserialize)]
struct Remembered {
    uuid: Uuid,
    reference: String,
    outcome: Outcome,
}

/// What a save made of a quote.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// New status.
    pub status: QuoteStatus,
    /// Number of the revision that was saved.
    pub revision: u32,
    /// Why underwriting refers or declines.
    pub reason: Option<String>,
    /// What the customer should know, but need not act on.
    pub notices: Vec<String>,
}

/// What a customer says when they agree to buy.
#[derive(Clone, Copy, Debug)]
pub struct Agreed {
    /// The revision they were shown; none where the caller doesn't say.
    pub seen: Option<u32>,
    /// Whether they agree to the terms.
    pub terms_and_conditions: bool,
    /// Whether it is to renew by itself.
    pub auto_renew: bool,
}

impl App {
    /// Saves a new quote and answers the visitor's token for it.
    ///
    /// # Errors
    /// [`AppError::Invalid`] with every field at fault, [`AppError::NotFound`] for an
    /// unknown product, a conflict for a key used for another request.
    pub async fn create_quote(
        &self,
        caller: &Caller,
        submission: Submission,
        key: Option<Key>,
    ) -> Result<Created, AppError> {
        let now = self.clock.now();
        // The first answer is given again, though the day or the product may be another by now.
        if let Some(first) = first_answer(&self.store.read()?, key.as_ref(), now)? {
            return self.answer_again(caller, first).await;
        }
        let assessed = self.underwrite(submission, now)?;
        let prefix = self
            .products
            .find(&assessed.product, dates::london_date(now))?
            .product
            .reference_prefix()
            .to_string();
        let uuid = new_id(now);
        let (fresh, fresh_hash) = access::new_quote_token(uuid)?;
        let owner = match caller {
            Caller::User { uuid, .. } => Some(*uuid),
            _ => None,
        };
        let first = self
            .store
            .write(move |tx| {
                if let Some(first) = first_answer(tx, key.as_ref(), now)? {
                    return Ok(Err(first));
                }
                let mut quote = new_quote(tx, uuid, owner, &prefix, &assessed, now)?;
                quote.give_token(fresh_hash.clone());
                let outcome = save(tx, &mut quote, &assessed, now)?;
                if let Some(key) = &key {
                    let first = Remembered {
                        uuid,
                        reference: quote.reference.clone(),
                        outcome: outcome.clone(),
                    };
                    key.remember(tx, &first, now)?;
                }
                Ok::<_, AppError>(Ok((quote.reference, outcome)))
            })
            .await?;
        let (reference, outcome) = match first {
            Ok(made) => made,
            Err(first) => return self.answer_again(caller, first).await,
        };
        Ok(Created {
            uuid,
            reference,
            consumer_token: fresh,
            outcome,
        })
    }

    /// The answer to a create that came again: the first one, with a fresh token, unless the
    /// quote has found its owner meanwhile.
    async fn answer_again(&self, caller: &Caller, first: Remembered) -> Result<Created, AppError> {
        let uuid = first.uuid;
        let user = match caller {
            Caller::User { uuid, .. } => Some(*uuid),
            _ => None,
        };
        let (token, hash) = access::new_quote_token(uuid)?;
        self.store
            .write(move |tx| {
                let quote = tables::QUOTES.get(tx, &uuid)?;
                let mut quote = quote
                    .filter(|quote| quote.owner == user)
                    .ok_or(AppError::NotFound)?;
                quote.give_token(hash.clone());
                rows::quotes::put(tx, &quote)?;
                Ok::<_, AppError>(())
            })
            .await?;
        Ok(Created {
            uuid,
            reference: first.reference,
            consumer_token: token,
            outcome: first.outcome,
        })
    }

    /// Saves new answers as the next revision. `read_revision` is the one the caller had
    /// read; without it the last write wins.
    ///
    /// # Errors
    /// As [`App::create_quote`], and a conflict when the quote has moved on.
    pub async fn update_quote(
        &self,
        caller: &Caller,
        uuid: Uuid,
        mut submission: Submission,
        read_revision: Option<u32>,
    ) -> Result<Outcome, AppError> {
        let now = self.clock.now();
        // Who may is asked before what is wrong, and again where it is written.
        let known = access::quote_of(&self.store.read()?, caller, uuid, now)?;
        if let Transition::Refused(why) =
            quote::apply(known.status, QuoteEvent::Saved(Saved::Draft))
        {
            return Err(AppError::conflict("not_changeable", why));
        }
        if read_revision.is_some_and(|read| read != known.current.number) {
            return Err(stale());
        }
        if submission.product != known.product {
            return Err(AppError::Malformed(
                "product_identifier is not the quote's product.".to_string(),
            ));
        }
        // A quote keeps the campaign it came by: its price must not change with a save.
        submission
            .origin
            .tracking
            .clone_from(&known.origin.tracking);
        if known.is_renewal() {
            let product = &self.products.find(&known.product, self.today())?.product;
            let kept = &known.current.answers;
            submission.answers = changed_answers::keep_locked(product, kept, submission.answers);
            submission.renews = self.renewed_by(&known)?;
        }
        let assessed = self.underwrite(submission, now)?;
        let saver = caller.clone();
        let mut outcome = self
            .store
            .write(move |tx| {
                let mut quote = access::quote_of(tx, &saver, uuid, now)?;
                if read_revision.is_some_and(|read| read != quote.current.number) {
                    return Err(stale());
                }
                if quote.owner.is_none() && assessed.typed_name() != quote.mailbox {
                    let kept = match &saver {
                        Caller::Visitor { token, .. } => Some(token.as_str()),
                        _ => None,
                    };
                    quote.forget_mailbox(kept);
                }
                let outcome = save(tx, &mut quote, &assessed, now)?;
                // A letter says the new price, once the customer has had time for the last touch.
                if let (Some(policy), Some(due)) = (quote.renews, assessed.mail_at) {
                    renewal::tell_quoted(tx, policy, outcome.status, uuid, due)?;
                }
                Ok::<_, AppError>(outcome)
            })
            .await?;
        // As the next reader is told, the partner's price included.
        if let Ok(opened) = self.open_quote(caller, uuid) {
            outcome.notices = opened.notices;
        }
        Ok(outcome)
    }

    /// The answers in force of the policy that a quote renews.
    pub(super) fn renewed_by(&self, renewal: &Quote) -> Result<Option<Answers>, AppError> {
        let follows = renewal.renews.map(|policy| self.policy_row(policy));
        Ok(follows.transpose()?.map(|held| held.revision.answers))
    }

    /// The customer agrees to buy the newest revision for its price; `seen` is the revision they
    /// were shown, where they say.
    ///
    /// # Errors
    /// A conflict when it can't be bought or isn't what was seen, [`AppError::Invalid`] while the
    /// terms aren't confirmed.
    pub async fn accept_quote(
        &self,
        caller: &Caller,
        uuid: Uuid,
        agreed: Agreed,
        key: Option<Key>,
    ) -> Result<Acceptance, AppError> {
        let now = self.clock.now();
        let today = self.today();
        let mut view = self.read_quote(caller, uuid)?;
        if let Some(key) = &key
            && let Some(first) = key.answer(&self.store.read()?, now)?
        {
            return Ok(first);
        }
        if agreed
            .seen
            .is_some_and(|seen| seen != view.quote.current.number)
        {
            return Err(stale());
        }
        if view.quote.is_renewal() && view.buyable {
            // Never dearer than a new customer's price, to the day it is agreed to.
            self.match_new_customer(uuid).await?;
            view = self.read_quote(caller, uuid)?;
        }
        if key.is_none() && !view.buyable {
            return Err(not_buyable(&view.quote, now));
        }
        let (checked_revision, mut answers) =
            (view.quote.current.number, view.quote.current.answers);
        answers.values.insert(
            "terms_and_conditions".to_string(),
            agreed.terms_and_conditions.into(),
        );
        let checked = form::check(&view.product, &answers, Scope::Accept, today);
        if !checked.errors.is_empty() {
            return Err(AppError::Invalid(checked.errors));
        }
        let caller = caller.clone();
        self.store
            .write(move |tx| {
                let mut quote = access::quote_of(tx, &caller, uuid, now)?;
                if let Some(key) = &key
                    && let Some(first) = key.answer(tx, now)?
                {
                    return Ok(first);
                }
                if !quote.is_buyable(now) {
                    return Err(not_buyable(&quote, now));
                }
                if quote.current.number != checked_revision {
                    return Err(stale());
                }
                let price = quote.current.price.as_ref();
                let amount = price
                    .map(|price| price.total)
                    .ok_or_else(|| not_buyable(&quote, now))?;
                let accepted = Acceptance {
                    revision: quote.current.number,
                    amount,
                    at: now,
                    frequency: PaymentFrequency::Annual,
                    auto_renew: agreed.auto_renew,
                };
                quote.accepted = Some(accepted.clone());
                quote.updated = now;
                rows::quotes::put(tx, &quote)?;
                if let Some(key) = &key {
                    key.remember(tx, &accepted, now)?;
                }
                Ok(accepted)
            })
            .await
    }
}

fn stale() -> AppError {
    AppError::conflict(
        "stale_revision",
        "This quote was changed elsewhere. Reload it to see the newest answers.",
    )
}

/// The revision `number` of a quote.
///
/// # Errors
/// When it is missing, which no rule allows.
pub(super) fn revision_of(
    tx: &impl Read,
    quote: &Quote,
    number: u32,
) -> Result<Revision, AppError> {
    if quote.current.number == number {
        return Ok(quote.current.clone());
    }
    tables::REVISIONS
        .get(tx, &(quote.uuid, number))?
        .ok_or_else(|| AppError::Internal("a quote's revision is missing".to_string()))
}

/// What the same call was answered before.
fn first_answer(
    tx: &impl Read,
    key: Option<&Key>,
    now: DateTime<Utc>,
) -> Result<Option<Remembered>, AppError> {
    key.map_or(Ok(None), |key| key.answer(tx, now))
}

/// Why a quote can't be bought, in the customer's words.
pub(super) fn not_buyable(quote: &Quote, now: DateTime<Utc>) -> AppError {
    let (code, message) = match quote.status_at(now) {
        QuoteStatus::Lapsed => (
            "quote_expired",
            "This quote has expired. Save it again to see today's price.",
        ),
        QuoteStatus::Live => ("already_bought", "This quote has already been bought."),
        QuoteStatus::Declined | QuoteStatus::Refer => (
            "not_offered",
            "We can't offer this cover online. Please call us.",
        ),
        QuoteStatus::Draft | QuoteStatus::Partial => (
            "incomplete",
            "This quote isn't complete yet. Please answer the remaining questions.",
        ),
        _ => ("not_buyable", "This quote can no longer be bought."),
    };
    AppError::conflict(code, message)
}
