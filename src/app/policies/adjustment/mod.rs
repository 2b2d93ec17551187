//! Changing a policy in the middle of its term: a price first, held for a day, then the
//! customer's word or their money, then the change.

mod apply;
mod assess;

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use super::{PolicyContext, adjustments, refuse};
use crate::app::idempotency::Key;
use crate::app::policies::live_cover::already_covered;
use crate::app::{App, AppError, Caller, access, rows};
use crate::domain::adjustment::{
    self, Adjustment, AdjustmentEvent, AdjustmentKind, AdjustmentStatus,
};
use crate::domain::answers::Answers;
use crate::domain::registrations::registrations;
use crate::domain::transition::Transition;
use crate::store::{Read, tables};

pub(in crate::app) use apply::{due, settle};
use apply::{put_in_force, status_at};

/// A change, and where it stands now.
#[derive(Clone, Debug)]
pub struct Offered {
    /// The change.
    pub adjustment: Adjustment,
    /// Its status now.
    pub status: AdjustmentStatus,
    /// What the customer should know before they make it, but need not act on.
    pub notices: Vec<String>,
}

impl App {
    /// Works out what changed answers cost from `effective` on (the one day it can be), and holds
    /// that price for 24 hours. Nothing changes yet.
    ///
    /// # Errors
    /// [`AppError::Invalid`] with every field at fault, a refusal by underwriting or where
    /// nothing changes, a conflict when the policy can't be changed any more.
    pub async fn offer_change(
        &self,
        caller: &Caller,
        uuid: Uuid,
        changed: Answers,
        effective: Option<NaiveDate>,
        key: Option<Key>,
    ) -> Result<Offered, AppError> {
        let now = self.clock.now();
        let held = self.held(caller, uuid)?;
        // The first answer is given again whatever has happened to the policy since.
        if let Some(first) = first_offer(&self.store.read()?, key.as_ref(), now)? {
            return self.offered(first);
        }
        let wanted = self.want(&held, changed, effective)?;
        let offer = self.adjustment(&held, wanted, now);
        let caller = caller.clone();
        let adjustment = self
            .store
            .write(move |tx| {
                access::owned_policy(tx, &caller, uuid, now)?;
                if let Some(first) = first_offer(tx, key.as_ref(), now)? {
                    return Ok(first);
                }
                rows::adjustments::put(tx, &offer)?;
                if let Some(key) = &key {
                    key.remember(tx, &offer.id, now)?;
                }
                Ok::<_, AppError>(offer.clone())
            })
            .await?;
        self.offered(adjustment)
    }

    /// Makes a change at once that doesn't move the price; any other is refused, with why.
    ///
    /// # Errors
    /// As [`App::offer_change`].
    pub async fn keep_price(
        &self,
        caller: &Caller,
        uuid: Uuid,
        changed: Answers,
        key: Option<Key>,
    ) -> Result<(), AppError> {
        let now = self.clock.now();
        let held = self.held(caller, uuid)?;
        // A stop may have come between the offer and its making: then it is made now.
        if let Some(first) = first_offer(&self.store.read()?, key.as_ref(), now)? {
            return self.accept_change(caller, uuid, first.id).await.map(|_| ());
        }
        let wanted = self.want(&held, changed, None)?;
        if wanted.price.taxed != held.premium() {
            return Err(AppError::refused(
                "price_changes",
                "This changes your price. Please look at the new price first.",
            ));
        }
        let offer = self.adjustment(&held, wanted, now);
        let id = self
            .store
            .write(move |tx| {
                if let Some(first) = first_offer(tx, key.as_ref(), now)? {
                    return Ok(first.id);
                }
                rows::adjustments::put(tx, &offer)?;
                if let Some(key) = &key {
                    key.remember(tx, &offer.id, now)?;
                }
                Ok::<_, AppError>(offer.id)
            })
            .await?;
        self.accept_change(caller, uuid, id).await.map(|_| ())
    }

    /// Makes a change for which no more money is due; answers it again when it is made.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for a change of another policy, a conflict when its price has
    /// run out, another change came first, or a payment is due.
    pub async fn accept_change(
        &self,
        caller: &Caller,
        uuid: Uuid,
        id: Uuid,
    ) -> Result<Offered, AppError> {
        let now = self.clock.now();
        let (held, known) = self.change_of(caller, uuid, id)?;
        if known.status != AdjustmentStatus::Applied {
            refuse(held.may(self.today()).change)?;
            if known.kind() == AdjustmentKind::Increase {
                return Err(AppError::conflict(
                    "payment_due",
                    "This change is made as soon as it is paid for.",
                ));
            }
        }
        let (caller, registrations) =
            (caller.clone(), registrations(&held.product, &known.answers));
        let adjustment = self
            .store
            .write(move |tx| {
                let (quote, policy) = access::owned_policy(tx, &caller, uuid, now)?;
                let adjustment = tables::ADJUSTMENTS
                    .get(tx, &id)?
                    .ok_or(AppError::NotFound)?;
                let made = put_in_force(
                    tx,
                    (quote, policy),
                    adjustment,
                    AdjustmentEvent::Accepted,
                    &registrations,
                    now,
                )?;
                Ok::<_, AppError>(made)
            })
            .await?;
        self.work_added.notify_one();
        self.offered(adjustment)
    }

    /// A change of a policy of the caller's own, still to be had.
    ///
    /// # Errors
    /// As [`App::accept_change`].
    pub fn pending_change(
        &self,
        caller: &Caller,
        uuid: Uuid,
        id: Uuid,
        kind: AdjustmentKind,
    ) -> Result<Adjustment, AppError> {
        let (held, adjustment) = self.change_of(caller, uuid, id)?;
        refuse(held.may(self.today()).change)?;
        let status = self.status_of(&adjustment)?;
        match adjustment::apply(status, AdjustmentEvent::Accepted) {
            Transition::Refused(why) => return Err(AppError::conflict("not_pending", why)),
            Transition::AlreadyApplied => {
                return Err(AppError::conflict(
                    "already_made",
                    "This change is made already.",
                ));
            }
            Transition::Applied(_) => {}
        }
        if adjustment.kind() != kind {
            return Err(AppError::conflict(
                "other_kind",
                match adjustment.kind() {
                    AdjustmentKind::Increase => "More is due for this change.",
                    AdjustmentKind::Decrease => "Money comes back for this change.",
                    AdjustmentKind::Keep => "Nothing is due for this change.",
                },
            ));
        }
        Ok(adjustment)
    }

    /// Every change of a policy, newest first.
    ///
    /// # Errors
    /// As [`access::owned_policy`].
    pub fn changes(&self, caller: &Caller, uuid: Uuid) -> Result<Vec<Offered>, AppError> {
        self.held(caller, uuid)?;
        let found = adjustments(&self.store.read()?, uuid)?;
        found
            .into_iter()
            .map(|change| self.offered(change))
            .collect()
    }

    /// The registration marks that a policy covers once a change of it is made.
    pub(in crate::app) fn registrations_of_change(
        &self,
        change: &Adjustment,
    ) -> Result<Vec<String>, AppError> {
        let held = self.policy_row(change.policy)?;
        Ok(registrations(&held.product, &change.answers))
    }

    fn change_of(
        &self,
        caller: &Caller,
        uuid: Uuid,
        id: Uuid,
    ) -> Result<(PolicyContext, Adjustment), AppError> {
        let held = self.held(caller, uuid)?;
        let found = tables::ADJUSTMENTS.get(&self.store.read()?, &id)?;
        let found = found.filter(|change| change.policy == uuid);
        Ok((held, found.ok_or(AppError::NotFound)?))
    }

    fn status_of(&self, adjustment: &Adjustment) -> Result<AdjustmentStatus, AppError> {
        let tx = self.store.read()?;
        let quote = tables::QUOTES
            .get(&tx, &adjustment.policy)?
            .ok_or(AppError::NotFound)?;
        let policy = tables::POLICIES.get(&tx, &adjustment.policy)?;
        let policy = policy.ok_or(AppError::NotFound)?;
        Ok(status_at(&quote, &policy, adjustment, self.clock.now()))
    }

    fn offered(&self, adjustment: Adjustment) -> Result<Offered, AppError> {
        let status = self.status_of(&adjustment)?;
        let mut notices = Vec::new();
        if status == AdjustmentStatus::Pending {
            let (tx, own) = (self.store.read()?, adjustment.policy);
            let mut added = self.registrations_of_change(&adjustment)?;
            let covered = tables::POLICIES.get(&tx, &own)?;
            let covered = covered.ok_or(AppError::NotFound)?.registrations;
            added.retain(|registration| !covered.contains(registration));
            notices = already_covered(&tx, &added, Some(own), self.today())?;
        }
        Ok(Offered {
            status,
            notices,
            adjustment,
        })
    }
}

/// What the same call was answered before.
fn first_offer(
    tx: &impl Read,
    key: Option<&Key>,
    now: DateTime<Utc>,
) -> Result<Option<Adjustment>, AppError> {
    let Some(first) = key.map(|key| key.answer::<Uuid>(tx, now)).transpose()? else {
        return Ok(None);
    };
    let first = first.map(|id| tables::ADJUSTMENTS.get(tx, &id));
    Ok(first.transpose()?.flatten())
}
