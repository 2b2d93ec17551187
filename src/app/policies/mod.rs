//! Policies in the hands of their owners: what may be done with one now, and the rights and
//! rows that everything done with one shares.

pub mod adjustment;
pub mod cancellation;
pub(in crate::app) mod live_cover;
pub mod renewal;

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use super::quotes::revision_of;
use super::{App, AppError, Caller, access};
use crate::app::payments::refunds;
use crate::app::quotes::read::QuoteView;
use crate::app::work::queue::enqueue;
use crate::domain::adjustment::changed_answers;
use crate::domain::adjustment::{Adjustment, AdjustmentStatus};
use crate::domain::deterministic_id;
use crate::domain::money::Pence;
use crate::domain::policy::Policy;
use crate::domain::price::{Line, Per};
use crate::domain::product::Product;
use crate::domain::quote::{Quote, QuoteStatus, Revision};
use crate::store::tables::{PolicyNews, Task};
use crate::store::{Direction, Read, WriteTx, tables};

/// A policy with what its rules need.
pub struct PolicyContext {
    /// The quote it was made of.
    pub quote: Quote,
    /// The policy.
    pub policy: Policy,
    /// The answers and price in force.
    pub revision: Revision,
    /// The product they were rated by.
    pub product: Arc<Product>,
}

impl PolicyContext {
    /// Whether it covers single trips, not a year.
    #[must_use]
    pub fn is_single_trip(&self) -> bool {
        self.revision
            .price
            .as_ref()
            .is_some_and(|price| price.per == Per::Trip)
    }

    /// What a whole term costs with the answers in force, pence, tax included and charges not.
    #[must_use]
    pub fn premium(&self) -> Pence {
        self.revision
            .price
            .as_ref()
            .map_or(Pence::ZERO, |price| price.taxed)
    }

    /// What was charged beside the premium.
    #[must_use]
    pub fn charges(&self) -> &[Line] {
        self.revision
            .price
            .as_ref()
            .map_or(&[], |price| &price.charges)
    }

    /// What may be done with it on `today`.
    #[must_use]
    pub fn may(&self, today: NaiveDate) -> PermittedActions {
        PermittedActions {
            change: self.may_change(today),
            cancel: self.may_end(today),
            not_take_up: self.may_end(today).and_then(|()| {
                if today < self.policy.inception {
                    Ok(())
                } else {
                    Err("Your cover has begun. You can cancel it instead.")
                }
            }),
            auto_renew: self.may_end(today).and_then(|()| {
                if self.is_single_trip() {
                    Err("Single trips don't renew.")
                } else if self.policy.renewal.is_card_asked() {
                    Err("Your card has been charged for the renewal already, or was refused.")
                } else {
                    Ok(())
                }
            }),
        }
    }

    fn may_end(&self, today: NaiveDate) -> Result<(), &'static str> {
        match self.quote.status {
            QuoteStatus::Live if today <= self.policy.expiry => Ok(()),
            QuoteStatus::Cancelled => Err("This policy has been cancelled."),
            QuoteStatus::NotTakenUp => Err("This policy was not taken up."),
            _ => Err("This policy has ended."),
        }
    }

    fn may_change(&self, today: NaiveDate) -> Result<(), &'static str> {
        self.may_end(today)?;
        if self.is_single_trip() && self.policy.inception <= today {
            return Err("A trip can't be changed once it has begun.");
        }
        Ok(())
    }
}

/// What may be done with a policy, or why not, in the customer's words.
#[derive(Clone, Copy, Debug)]
pub struct PermittedActions {
    /// Change its answers.
    pub change: Result<(), &'static str>,
    /// End it early.
    pub cancel: Result<(), &'static str>,
    /// Undo it before it begins.
    pub not_take_up: Result<(), &'static str>,
    /// Switch its renewing by itself.
    pub auto_renew: Result<(), &'static str>,
}

/// Everything a reader of a policy is shown beside its answers.
pub struct PolicyFacts {
    /// The policy.
    pub held: PolicyContext,
    /// Whether the reader is its owner, logged in.
    pub is_owner: bool,
    /// What may be done now.
    pub may: PermittedActions,
    /// Paid on balance, pence.
    pub paid: Pence,
    /// Answers no change may touch.
    pub locked: Vec<String>,
    /// Whether a card can be charged for its renewal.
    pub card_stored: bool,
    /// How it was ended early.
    pub cancellation: Option<cancellation::Activity>,
    /// Its renewal.
    pub renewal: Option<renewal::Comparison>,
}

/// What is said to whoever reads a policy without its owner's log-in.
const LOG_IN: Result<(), &str> = Err("Please log in to do this.");

/// A rule's no as the answer to a call.
pub(super) fn refuse(may: Result<(), &'static str>) -> Result<(), AppError> {
    may.map_err(|why| AppError::conflict("not_possible_now", why))
}

impl App {
    /// A policy of the caller's own.
    ///
    /// # Errors
    /// As [`access::owned_policy`].
    pub(super) fn held(&self, caller: &Caller, uuid: Uuid) -> Result<PolicyContext, AppError> {
        let tx = self.store.read()?;
        let (quote, policy) = access::owned_policy(&tx, caller, uuid, self.clock.now())?;
        self.held_of(&tx, quote, policy)
    }

    pub(super) fn held_of(
        &self,
        tx: &impl Read,
        quote: Quote,
        policy: Policy,
    ) -> Result<PolicyContext, AppError> {
        let revision = revision_of(tx, &quote, policy.revision)?;
        Ok(PolicyContext {
            product: self.products.by_hash(&revision.product_hash)?,
            quote,
            policy,
            revision,
        })
    }

    /// What a reader of a policy is shown beside its answers.
    ///
    /// # Errors
    /// When the store fails.
    pub fn policy_facts(&self, caller: &Caller, view: &QuoteView) -> Result<PolicyFacts, AppError> {
        let policy = view.policy.clone().ok_or(AppError::NotFound)?;
        let uuid = policy.uuid;
        let held = PolicyContext {
            quote: view.quote.clone(),
            policy,
            revision: view.revision().clone(),
            product: view.product.clone(),
        };
        let tx = self.store.read()?;
        let is_owner = access::owned_policy(&tx, caller, uuid, self.clock.now()).is_ok();
        let may = if is_owner {
            held.may(self.today())
        } else {
            PermittedActions {
                change: LOG_IN,
                cancel: LOG_IN,
                not_take_up: LOG_IN,
                auto_renew: LOG_IN,
            }
        };
        let payment = tables::PAYMENTS.get(&tx, &held.policy.payment)?;
        let provider = payment.map(|payment| payment.provider);
        Ok(PolicyFacts {
            is_owner,
            may,
            paid: refunds::in_hand(&tx, uuid)?,
            locked: changed_answers::locked(&held.product),
            card_stored: self
                .providers()
                .any(|known| Some(known.name()) == provider.as_deref()),
            cancellation: self.activity_of(&held)?,
            renewal: self.renewal_of(&held)?,
            held,
        })
    }

    /// A policy, whoever asks; for work.
    pub(super) fn policy_row(&self, uuid: Uuid) -> Result<PolicyContext, AppError> {
        let tx = self.store.read()?;
        let quote = tables::QUOTES.get(&tx, &uuid)?.ok_or(AppError::NotFound)?;
        let policy = tables::POLICIES
            .get(&tx, &uuid)?
            .ok_or(AppError::NotFound)?;
        self.held_of(&tx, quote, policy)
    }
}

/// A policy's changes, newest first.
pub(super) fn adjustments(tx: &impl Read, policy: Uuid) -> Result<Vec<Adjustment>, AppError> {
    let mut found = Vec::new();
    let rows = tables::ADJUSTMENT_BY_POLICY.list(tx, &policy, Direction::Backward, usize::MAX)?;
    for ((_, id), ()) in rows {
        found.extend(tables::ADJUSTMENTS.get(tx, &id)?);
    }
    Ok(found)
}

/// What a whole term cost from which day on, oldest first, pence.
fn premiums(tx: &impl Read, held: &PolicyContext) -> Result<Vec<(NaiveDate, Pence)>, AppError> {
    let mut applied = adjustments(tx, held.policy.uuid)?;
    applied.retain(|change| change.status == AdjustmentStatus::Applied);
    applied.sort_by_key(|change| change.revision);
    let first = applied
        .first()
        .map_or(held.premium(), |change| change.before);
    let changed = applied
        .iter()
        .map(|change| (change.effective, change.price.taxed));
    Ok(std::iter::once((held.policy.inception, first))
        .chain(changed)
        .collect())
}

/// Queues a letter about a policy. The same news at the same moment is the same letter.
pub(super) fn tell(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    news: PolicyNews,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let about = format!("{news:?}");
    let id = deterministic_id::of_parts(&[policy.as_bytes(), about.as_bytes()]);
    enqueue(tx, Task::MailPolicy { policy, news }, now, id)
}
