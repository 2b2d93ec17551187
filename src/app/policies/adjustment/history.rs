//! The adjustments of a policy, and where each stands.

use chrono::NaiveDate;
use uuid::Uuid;

use crate::app::payments::refunds::{self, MoneyBack, RefundProgress};
use crate::app::policies::PolicyContext;
use crate::app::policies::adjustment::agree::status_at;
use crate::app::policies::live_cover::already_covered;
use crate::app::{App, AppError, Caller};
use crate::domain::adjustment::{
    self, Adjustment, AdjustmentEvent, AdjustmentKind, AdjustmentStatus,
};
use crate::domain::dates::london_date;
use crate::domain::money::Pence;
use crate::domain::registrations::registrations;
use crate::domain::transition::Transition;
use crate::store::{Direction, Read, tables};

/// A policy's changes, newest first.
pub(in crate::app) fn adjustments(
    tx: &impl Read,
    policy: Uuid,
) -> Result<Vec<Adjustment>, AppError> {
    let mut found = Vec::new();
    let rows = tables::ADJUSTMENT_BY_POLICY.list(tx, &policy, Direction::Backward, usize::MAX)?;
    for ((_, id), ()) in rows {
        found.extend(tables::ADJUSTMENTS.get(tx, &id)?);
    }
    Ok(found)
}

/// What a whole term cost from which day on, oldest first, pence.
pub(in crate::app) fn premiums(
    tx: &impl Read,
    context: &PolicyContext,
) -> Result<Vec<(NaiveDate, Pence)>, AppError> {
    let mut applied = adjustments(tx, context.policy.uuid)?;
    applied.retain(|change| change.status == AdjustmentStatus::Applied);
    applied.sort_by_key(|change| change.revision);
    let first = applied
        .first()
        .map_or(context.premium(), |change| change.before);
    let changed = applied
        .iter()
        .map(|change| (change.effective, change.price.taxed));
    Ok(std::iter::once((context.policy.inception, first))
        .chain(changed)
        .collect())
}

/// A change, and where it stands now.
#[derive(Clone, Debug)]
pub struct Offered {
    /// The change.
    pub adjustment: Adjustment,
    /// Its status now.
    pub status: AdjustmentStatus,
    /// What the customer should know before they make it, but need not act on.
    pub notices: Vec<String>,
    /// Whether it can be taken back now.
    pub can_withdraw: bool,
    /// What comes back for it.
    pub refund: Option<MoneyBack>,
}

impl App {
    /// A policy's changes, newest first: `limit` of them after those of the pages before `page`, which
    /// is counted from 1.
    ///
    /// # Errors
    /// As [`access::owned_policy`].
    pub async fn changes(
        &self,
        caller: &Caller,
        uuid: Uuid,
        (page, limit): (usize, usize),
    ) -> Result<Vec<Offered>, AppError> {
        let before = page.saturating_sub(1).saturating_mul(limit);
        let up_to = before.saturating_add(limit);
        self.store
            .read(|tx| {
                self.own_policy(tx, caller, uuid)?;
                let index = &tables::ADJUSTMENT_BY_POLICY;
                let rows = index.list(tx, &uuid, Direction::Backward, up_to)?;
                let mut found = Vec::new();
                for ((_, id), ()) in rows.into_iter().skip(before) {
                    if let Some(change) = tables::ADJUSTMENTS.get(tx, &id)? {
                        found.push(self.offered_in(tx, caller, change)?);
                    }
                }
                Ok(found)
            })
            .await
    }

    /// The registration marks that a policy covers once a change of it is made.
    pub(in crate::app) fn registrations_after(
        &self,
        tx: &impl Read,
        change: &Adjustment,
    ) -> Result<Vec<String>, AppError> {
        let context = self.policy_unchecked(tx, change.policy)?;
        Ok(registrations(&context.product, &change.answers))
    }

    pub(in crate::app) fn own_adjustment(
        &self,
        tx: &impl Read,
        caller: &Caller,
        uuid: Uuid,
        id: Uuid,
    ) -> Result<(PolicyContext, Adjustment), AppError> {
        let context = self.own_policy(tx, caller, uuid)?;
        let found = tables::ADJUSTMENTS.get(tx, &id)?;
        let found = found.filter(|change| change.policy == uuid);
        Ok((context, found.ok_or(AppError::NotFound)?))
    }

    pub(in crate::app) fn status_of(
        &self,
        tx: &impl Read,
        adjustment: &Adjustment,
    ) -> Result<AdjustmentStatus, AppError> {
        let quote = tables::QUOTES
            .get(tx, &adjustment.policy)?
            .ok_or(AppError::NotFound)?;
        let policy = tables::POLICIES.get(tx, &adjustment.policy)?;
        let policy = policy.ok_or(AppError::NotFound)?;
        Ok(status_at(&quote, &policy, adjustment, self.clock.now()))
    }

    /// The adjustment `id` of the caller's own policy, and where it stands now.
    ///
    /// # Errors
    /// As [`access::owned_policy`]; [`AppError::NotFound`] for an adjustment of another policy.
    pub(in crate::app) async fn offered(
        &self,
        caller: &Caller,
        uuid: Uuid,
        id: Uuid,
    ) -> Result<Offered, AppError> {
        self.store
            .read(|tx| {
                let (_, adjustment) = self.own_adjustment(tx, caller, uuid, id)?;
                self.offered_in(tx, caller, adjustment)
            })
            .await
    }

    pub(in crate::app) fn offered_in(
        &self,
        tx: &impl Read,
        caller: &Caller,
        adjustment: Adjustment,
    ) -> Result<Offered, AppError> {
        let status = self.status_of(tx, &adjustment)?;
        let mut notices = Vec::new();
        if status == AdjustmentStatus::Pending {
            let own = adjustment.policy;
            let mut added = self.registrations_after(tx, &adjustment)?;
            let covered = tables::POLICIES.get(tx, &own)?;
            let covered = covered.ok_or(AppError::NotFound)?.registrations;
            added.retain(|registration| !covered.contains(registration));
            notices = already_covered(tx, caller, &added, Some(own), self.clock.now())?;
        }
        let back = refunds::money_back(tx, adjustment.policy, adjustment.id)?;
        let refund = if back.progress != RefundProgress::None {
            Some(back)
        } else if is_to_come_back(status, adjustment.kind()) {
            let amount = -adjustment.figures.amount;
            Some(MoneyBack { amount, ..back })
        } else {
            None
        };
        let now = self.clock.now();
        let can_withdraw = match adjustment::apply(status, AdjustmentEvent::Withdrawn) {
            Transition::Applied(_) if status == AdjustmentStatus::Agreed => {
                london_date(now) < adjustment.effective
            }
            Transition::Applied(_) => true,
            Transition::AlreadyApplied | Transition::Refused(_) => false,
        };
        Ok(Offered {
            status,
            notices,
            can_withdraw,
            refund,
            adjustment,
        })
    }
}

/// Whether money is to come back for a change of which none is on its way.
fn is_to_come_back(status: AdjustmentStatus, kind: AdjustmentKind) -> bool {
    let to_come = [AdjustmentStatus::Pending, AdjustmentStatus::Agreed];
    kind == AdjustmentKind::Decrease && to_come.contains(&status)
}
